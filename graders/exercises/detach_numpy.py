"""`detach-numpy`: an independent NumPy array from any tensor."""

from __future__ import annotations

import numpy as np

import autograd_core as torch
from graders.exercise import Check, Exercise, Misconception, Variant
from graders.inputs import signed


def to_numpy(t):
    """Return an array of t's values that has memory of its own."""
    return t.detach().cpu().clone().numpy()


def _copied_by_numpy(t: torch.Tensor) -> np.ndarray:
    values = np.array(t.detach())
    print(values.dtype, values.shape)
    return values


def _cloned_without_recording(tensor):
    with torch.no_grad():
        return tensor.clone().numpy()


def _array_copied(x):
    return x.detach().numpy().copy()


def _cloned_first(x):
    return x.clone().detach().numpy()


def _filled(t):
    array = np.empty(tuple(t.shape), dtype=t.detach().numpy().dtype)
    array[...] = t.detach().numpy()
    return array


def _by_force(t):
    return t.numpy(force=True).copy()


def _through_data(t):
    import copy

    return copy.deepcopy(t.data).numpy()


def _shares_memory(t):
    return t.detach().numpy()


def _refused(t):
    return t.clone().numpy()


def _refused_and_shares(t):
    return t.numpy()


def _copies_only_what_learns(t):
    return t.detach().clone().numpy() if t.requires_grad else t.numpy()


def _copies_only_what_does_not_learn(t):
    return t.detach().numpy() if t.requires_grad else t.clone().numpy()


def _through_a_list(t):
    return np.array(t.tolist())


def _always_float32(t):
    return t.detach().float().clone().numpy()


def _always_float64(t):
    return t.detach().numpy().astype(np.float64)


def _detached_for_good(t):
    return t.detach_().clone().numpy()


def _asked_no_more(t):
    return t.requires_grad_(False).clone().numpy()


def _still_a_tensor(t):
    return t.detach().clone()


def _plain_list(t):
    return t.detach().tolist()


def _single_number(t):
    return np.array(t.item())


def _flattened(t):
    return t.detach().numpy().flatten()


def convert(to_numpy, lab):
    """What comes out of every kind of tensor, and what becomes of the tensor?"""
    for spec in lab.value("tensors"):
        name = spec["name"]
        leaf = lab.build(spec["values"], spec["learns"], name == "a transposed matrix")
        t = leaf * 2 if name.startswith("a result") else leaf
        history = t.grad_fn is not None
        outcome = lab.outcome(f"{name}: the conversion", lambda t=t: [to_numpy(t)])
        if outcome is None:
            continue
        (array,) = outcome
        if isinstance(array, np.generic):
            array = np.asarray(array)
        lab.record(f"{name}: array", array)
        if isinstance(array, np.ndarray):
            lab.record(f"{name}: dtype", str(array.dtype))
        lab.record(f"{name}: the tensor requires grad as before", t.requires_grad == spec["learns"])
        lab.record(f"{name}: the tensor has its history", (t.grad_fn is not None) == history)


def independent(to_numpy, lab):
    """Do array and tensor keep their values when the other one changes?"""
    for spec in lab.value("tensors"):
        name = spec["name"]
        t = lab.build(spec["values"], spec["learns"])
        before = spec["values"]
        other = ~before if before.dtype == bool else before + 1
        try:
            array = to_numpy(t)
        except Exception:
            lab.record(f"{name}: an array is returned", False)
            continue
        array = np.asarray(array) if isinstance(array, np.generic) else array
        lab.record(f"{name}: an array is returned", isinstance(array, np.ndarray))
        if not isinstance(array, np.ndarray):
            continue
        given = array.copy()
        memory = t.detach().numpy()
        memory[...] = other
        kept = bool((array == given).all())
        lab.record(f"{name}: the array keeps its values when the tensor changes", kept)
        if array.flags.writeable:
            array[...] = before
        kept = bool((memory == other).all())
        lab.record(f"{name}: the tensor keeps its values when the array changes", kept)


def _tensor(name, values, learns=False):
    return {"name": name, "values": np.asarray(values), "learns": learns}


def _plain(rng):
    return [
        _tensor("a vector", signed(rng, 3)),
        _tensor("whole numbers", rng.integers(1, 9, (2, 2))),
        _tensor("truth values", rng.random(4) < 0.5),
        _tensor("double precision", rng.uniform(1, 2, 3)),
        _tensor("an empty vector", signed(rng, 0)),
    ]


def _learning(rng):
    return [
        _tensor("a vector that requires grad", signed(rng, 3), True),
        _tensor("a single number that requires grad", signed(rng), True),
        _tensor("a transposed matrix", signed(rng, 3, 2), True),
        _tensor("a result", signed(rng, 2, 3), True),
        _tensor("a result of a single number", signed(rng), True),
    ]


def _tensors(draw):
    return lambda rng: {"tensors": draw(rng)}


EXERCISE = Exercise(
    id="detach-numpy",
    lesson="06_detach",
    section="Over to NumPy",
    title="An array of its own",
    symbol="to_numpy",
    kind="implement",
    points=4,
    difficulty=1,
    minutes=3,
    task=(
        "Write `to_numpy(t)`: it returns a NumPy array with the values and the dtype of any tensor "
        "`t`, whether it requires grad or not. Array and tensor are independent: a change of one "
        "does not show in the other. And `t` stays as it is."
    ),
    starter="""\
def to_numpy(t):
    ...
""",
    reference=to_numpy,
    checks=(
        Check(
            "plain tensors",
            1,
            convert,
            _tensors(_plain),
            passes="Values and dtypes of plain tensors are kept.",
            fails="Values or dtypes of plain tensors are not kept.",
        ),
        Check(
            "tensors that require grad",
            1,
            convert,
            _tensors(_learning),
            passes="Tensors that require grad are converted, and stay as they are.",
            fails=(
                "Tensors that require grad are not converted correctly, or do not stay as they are."
            ),
        ),
        Check(
            "independent",
            2,
            independent,
            _tensors(lambda rng: [*_plain(rng)[:4], *_learning(rng)[:1]]),
            passes="Array and tensor are independent of each other.",
            fails="Array and tensor are not independent of each other.",
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "shares-memory",
            "Your array uses the memory of the tensor: change one, and the other changes too. "
            "Converting to NumPy does not copy.",
            _shares_memory,
        ),
        Misconception(
            "refused",
            "Your conversion is refused where the tensor requires grad. NumPy cannot record "
            "operations, so the history has to be left behind first; a copy alone keeps it.",
            _refused,
        ),
        Misconception(
            "refused-and-shares",
            "A tensor that requires grad is refused, and any other shares its memory with your "
            "array. Two things are missing before the conversion.",
            _refused_and_shares,
        ),
        Misconception(
            "copies-only-what-learns",
            "Your array is a copy only where the tensor requires grad. Any other tensor still "
            "shares its memory with your array.",
            _copies_only_what_learns,
        ),
        Misconception(
            "copies-only-what-does-not-learn",
            "Where the tensor requires grad, your array shares its memory. Cutting off the "
            "history does not copy.",
            _copies_only_what_does_not_learn,
        ),
        Misconception(
            "through-a-list",
            "The values are right, but Python numbers in a list have lost the dtype. NumPy then "
            "chooses one of its own.",
            _through_a_list,
        ),
        Misconception(
            "always-float32",
            "Your array always has the dtype float32. Integers and bools should stay what they "
            "are.",
            _always_float32,
        ),
        Misconception(
            "always-float64",
            "Your array always has the dtype float64. It should have the dtype of the tensor.",
            _always_float64,
        ),
        Misconception(
            "detached-for-good",
            "You have detached the tensor itself, for everything else that needs its history. An "
            "underscore at the end of a method's name means: in place.",
            _detached_for_good,
        ),
        Misconception(
            "asked-no-more",
            "You have switched off `requires_grad` on the tensor that you were given. A leaf "
            "would no longer learn, and for a result this is refused.",
            _asked_no_more,
        ),
        Misconception(
            "still-a-tensor",
            "You return a tensor. It is a copy without history, but still one step away from an "
            "array.",
            _still_a_tensor,
        ),
        Misconception(
            "plain-list",
            "You return plain Python numbers. They are independent of the tensor, but they are "
            "not a NumPy array.",
            _plain_list,
        ),
        Misconception(
            "single-number",
            "You take out a single number, but most tensors hold more than one.",
            _single_number,
        ),
        Misconception(
            "flattened",
            "All values are there, but in one dimension. The array should have the shape of the "
            "tensor.",
            _flattened,
        ),
    ),
    hints=(
        "There are two obstacles: the history and the shared memory. Each needs its own remedy.",
        "The error message of `numpy()` names the remedy for the first. For the second, a copy "
        "has to be made, by torch or by NumPy.",
        "Cut, copy and convert. The cut must not be made in place, and no step may go through "
        "Python numbers.",
    ),
    variants=(
        Variant("copied by NumPy, with a print", _copied_by_numpy),
        Variant("cloned without recording", _cloned_without_recording),
        Variant("the array copied", _array_copied),
        Variant("cloned first", _cloned_first),
        Variant("an empty array filled", _filled),
        Variant("by force, and copied", _by_force),
        Variant("a deep copy of .data", _through_data),
    ),
    place=6,
)
