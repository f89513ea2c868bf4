"""`save` and `load`: what a file holds, by its path and as a stream."""

import io
import pickle
from functools import partial
from pathlib import Path

import pytest

import autograd_core as torch


def test_a_path_and_a_stream_hold_the_same(tmp_path: Path):
    state = torch.nn.Linear(2, 3).state_dict()
    stream = io.BytesIO()

    torch.save(state, tmp_path / "state")
    torch.save(state, stream)

    assert (tmp_path / "state").read_bytes() == stream.getvalue()
    loaded = torch.load(str(tmp_path / "state"))
    assert list(loaded) == ["weight", "bias"]
    assert all(torch.equal(loaded[name], state[name]) for name in state)


def test_tensors_that_share_memory_share_it_when_they_come_back(tmp_path: Path):
    whole = torch.arange(6)

    torch.save([whole, whole[2:4]], tmp_path / "both")
    loaded, part = torch.load(tmp_path / "both")
    part.fill_(9)

    assert loaded.tolist() == [0, 1, 9, 9, 4, 5]


def test_a_file_of_more_than_tensors_is_read_only_where_that_is_asked_for(tmp_path: Path):
    torch.save(partial(max, 3), tmp_path / "function")

    with pytest.raises(pickle.UnpicklingError, match="was not an allowed global"):
        torch.load(tmp_path / "function")
    assert torch.load(tmp_path / "function", weights_only=False)(2) == 3


def test_tensors_are_loaded_nowhere_but_to_the_cpu(tmp_path: Path):
    torch.save(torch.ones(2), tmp_path / "ones")

    assert torch.load(tmp_path / "ones", map_location="cpu").tolist() == [1.0, 1.0]
    assert torch.load(tmp_path / "ones", torch.device("cpu")).tolist() == [1.0, 1.0]
    with pytest.raises(NotImplementedError, match="cuda"):
        torch.load(tmp_path / "ones", map_location="cuda")
