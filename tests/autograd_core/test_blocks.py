"""Products of matrices that are cut into blocks: the same numbers, in memory of their own."""

import os

import numpy as np
import pytest

import autograd_core as torch
from autograd_core.ops import blocks

SHAPES = {
    "wide and flat": (64, 784, 128),
    "deep": (128, 64, 784),
    "rows that cannot be shared out": (127, 400, 101),
    "large": (300, 300, 300),
    "of few long rows": (16, 500, 1100),
}
LAYOUTS = ("C", "F")


@pytest.fixture(autouse=True)
def _cut(monkeypatch):
    monkeypatch.setattr(blocks, "_pays", True)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
@pytest.mark.parametrize("layouts", [(a, b) for a in LAYOUTS for b in LAYOUTS])
@pytest.mark.parametrize("order", LAYOUTS)
def test_a_product_by_blocks_is_the_product(shape, layouts, order):
    rows, terms, columns = shape
    rng = np.random.default_rng(0)
    a = np.asarray(rng.normal(size=(rows, terms)), order=layouts[0])
    b = np.asarray(rng.normal(size=(terms, columns)), order=layouts[1])

    z = blocks.product_by_blocks(a, b, order)

    np.testing.assert_allclose(z, a @ b, rtol=1e-12, atol=1e-12)
    assert z.flags.c_contiguous == (order == "C")
    assert z.base is None


def test_a_large_matrix_times_a_vector_is_no_product_to_be_cut():
    x, y = torch.randn(1200, 1000), torch.randn(1000, requires_grad=True)

    z = x @ y
    z.backward(torch.ones(1200))

    np.testing.assert_allclose(z.detach(), x.numpy().astype(float) @ y.detach().numpy(), atol=1e-3)
    np.testing.assert_allclose(y.grad, x.numpy().sum(0), atol=1e-3)


def test_only_products_that_gain_by_it_are_cut():
    def cut(rows, terms, columns, layouts):
        return blocks._cut(rows, terms, columns, layouts[0] == "C", layouts[1] == "F")

    # A side whose parts each lie in one piece is cut.
    assert cut(64, 784, 128, "CC") == (8, 1)
    assert cut(64, 784, 128, "FF") == (1, 8)
    # Otherwise the longer one,
    assert cut(128, 64, 784, "FC") == (1, 7)
    assert cut(784, 64, 128, "FC") == (7, 1)
    assert cut(64, 784, 128, "CF") == (1, 8)
    # or where both sides could be, the one that can be shared out.
    assert cut(64, 784, 101, "CF") == (8, 1)
    assert cut(127, 400, 101, "CC") == (1, 1)
    # Both factors read across have to give few results at once.
    assert cut(256, 64, 256, "CF") == (1, 1)
    assert cut(256, 64, 256, "FF") == (1, 8)
    assert cut(512, 784, 512, "CC") == (1, 1)


def test_the_gradient_of_a_weight_becomes_grad_without_a_copy():
    x, layer = torch.randn(64, 784), torch.nn.Linear(784, 128)
    arrived = []
    layer.weight.register_hook(lambda grad: arrived.append(grad.data_ptr()))

    layer(x).sum().backward()

    assert arrived == [layer.weight.grad.data_ptr()]
    expected = torch.ones(64, 128).T @ x
    assert torch.allclose(layer.weight.grad, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("blas", ["scipy-openblas", "accelerate", ""])
@pytest.mark.parametrize("found", [["X86_V3", "X86_V4"], ["AVX2", "AVX512_SKX"], ["AVX2"], []])
@pytest.mark.parametrize("kernel", [None, "Haswell"])
def test_what_numpy_says_of_itself_decides(monkeypatch, blas, found, kernel):
    about = {
        "Build Dependencies": {"blas": {"name": blas}} if blas else {},
        "SIMD Extensions": {"found": found} if found else {},
    }
    monkeypatch.setattr(np, "show_config", lambda mode: about)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    monkeypatch.delenv("OPENBLAS_CORETYPE", raising=False)
    if kernel:
        monkeypatch.setenv("OPENBLAS_CORETYPE", kernel)

    wide = {"X86_V4", "AVX512_SKX"} & set(found)
    assert blocks._is_faster_here() == bool(blas == "scipy-openblas" and wide and not kernel)


@pytest.mark.parametrize(
    ("told", "processors", "threads"),
    [
        ({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "8"}, 8, 1),
        ({"OPENBLAS_NUM_THREADS": "0", "GOTO_NUM_THREADS": "2"}, 8, 2),
        ({"OMP_NUM_THREADS": "4"}, 1, 4),
        ({"OMP_NUM_THREADS": "4,2"}, 3, 3),
        ({}, 1, 1),
    ],
)
def test_several_threads_share_a_product_that_is_left_whole(monkeypatch, told, processors, threads):
    for name in ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(processors), raising=False)

    assert blocks._threads() == threads
    assert threads == 1 or not blocks._is_faster_here()


def test_where_nothing_is_gained_products_are_made_at_once(monkeypatch):
    monkeypatch.setattr(blocks, "_pays", False)
    a, b = np.random.default_rng(0).normal(size=(2, 128, 128))

    assert (blocks.product_by_blocks(a, b, "C") == a @ b).all()
