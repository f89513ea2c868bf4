"""Threads may differentiate at the same time, also by leaves that they share."""

import sys
import threading
from collections.abc import Callable, Iterator

import pytest

import autograd_core as torch

THREADS, ROUNDS = 8, 20


@pytest.fixture(autouse=True)
def _threads_take_turns_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_the_same_time(work: Callable[[], object]) -> list[object]:
    """What `work` returned in each of several threads, which start together."""
    together, results = threading.Barrier(THREADS), []

    def run() -> None:
        together.wait()
        results.append(work())

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_all_gradients_of_a_shared_leaf_are_added_up():
    for _ in range(ROUNDS):
        leaf = torch.ones(5, requires_grad=True)
        at_the_same_time(lambda leaf=leaf: [(leaf * 2).sum().backward() for _ in range(5)])
        assert leaf.grad.tolist() == [2.0 * 5 * THREADS] * 5


def test_a_shared_graph_is_walked_by_each():
    for _ in range(ROUNDS):
        leaf = torch.ones(5, requires_grad=True)
        loss = (leaf * leaf).sum()
        at_the_same_time(lambda loss=loss: loss.backward(retain_graph=True))
        assert leaf.grad.tolist() == [2.0 * THREADS] * 5


def test_a_leaf_has_one_accumulator_whichever_thread_asks_first():
    for _ in range(10 * ROUNDS):
        leaf = torch.ones(2, requires_grad=True)
        products = at_the_same_time(lambda leaf=leaf: leaf * 2)
        assert len({product.grad_fn.next_functions[0][0] for product in products}) == 1
