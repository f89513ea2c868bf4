"""Why arguments fit none of PyTorch's signatures, in the words of its parser.

If there is one signature, or just one that takes as many arguments, the error names the first wrong
argument; otherwise it lists all signatures, and what is wrong with each. Arguments in a deprecated
order are brought into the new one, and those for which our function has other names are renamed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import CO_VARARGS, CO_VARKEYWORDS
from typing import Any, NamedTuple

import numpy as np

from autograd_core.messages import OTHER_NAMES, names_of, type_name, warn_once
from autograd_core.messages.signatures import signatures_of
from autograd_core.random.generator import Generator
from autograd_core.storage import UntypedStorage
from autograd_core.tensor import Tensor
from autograd_core.tensors.device import device, memory_format
from autograd_core.tensors.dtypes import dtype, of_type

_Args = tuple[Any, ...]
_Options = Mapping[str, Any]
_UNPACKING = "failed to unpack the object"
# Functions that take a number where their signature says Tensor.
_TAKE_NUMBERS = {
    "add", "sub", "mul", "div", "rsub", "eq", "ne", "floor_divide", "fmod", "copy",
}  # fmt: skip
# Those that take a number for their first tensor, too.
_BEGIN_WITH_NUMBERS = {"add", "sub", "mul", "div", "floor_divide"}
# Functions with deprecated signatures, which the list of signatures omits.
_HAVE_FORGOTTEN_FORMS = {"add", "addcdiv", "addcmul", "addmm", "baddbmm", "copy", "sub"}
# Names of parameters that are tensors in every function.
_TENSORS = {
    "input", "mat1", "mat2", "vec", "vec2", "tensor", "batch1", "batch2", "index", "mask",
    "source", "src", "weight", "target", "tensor1", "tensor2", "condition", "indices",
}  # fmt: skip
# Functions that once took their number before the tensors that it multiplies.
_OLD_ORDERS = {
    "add": ("alpha", "other"),
    "sub": ("alpha", "other"),
    "addcmul": ("value", "tensor1", "tensor2"),
    "addcdiv": ("value", "tensor1", "tensor2"),
}
_DEPRECATED = (
    "This overload of {name} is deprecated:\n\t{name}({old})\n"
    "Consider using one of the following signatures instead:\n\t{name}({new})"
)


class Parameter(NamedTuple):
    """One parameter of a signature."""

    kind: str
    name: str
    optional: bool
    by_name: bool


def refusal_of(name: str, signatures: Sequence[str], args: _Args, options: _Options) -> str | None:
    """Return the error message for arguments that fit no signature; None if they fit one."""
    parameters = [_parameters(each) for each in signatures]
    refusals = [_refusal(name, each, args, options) for each in parameters]
    unpacked = [each for each in refusals if each and _UNPACKING in each]
    if None in refusals or unpacked:
        return unpacked[0] if unpacked else None
    count = len(args) + len(options)
    if len(signatures) == 1 and name.removesuffix("_") not in _HAVE_FORGOTTEN_FORMS:
        return refusals[0]
    plausible = [
        refusal
        for refusal, each in zip(refusals, parameters, strict=True)
        if sum(not one.optional for one in each) <= count <= len(each)
    ]
    return plausible[0] if len(plausible) == 1 else _combination(name, signatures, args, options)


def in_new_order(name: str, args: _Args, options: _Options, method: bool) -> Any:
    """Return arguments that came in a deprecated order in the new one, and warn; else None."""
    plain = name.removesuffix("_") if method else name
    number, *tensors = _OLD_ORDERS.get(plain, ("",))
    if not number or options or len(args) != len(tensors) + 2:
        return None
    first, value, *rest = args
    if not isinstance(first, Tensor) or not _is_number(value):
        return None
    if not all(isinstance(each, Tensor | bool | int | float) for each in rest):
        return None
    before, after = ("", "") if method else ("Tensor input, ", ", Tensor out = None")
    named = ", ".join(f"Tensor {each}" for each in tensors)
    end = "" if method else ", *, Tensor out = None"
    old = f"{before}Number {number}, {named}{end}"
    new = f"{before}{named}, *, Number {number} = 1{after}"
    warn_once(_DEPRECATED.format(name=name, old=old, new=new), kind=_DEPRECATED)
    return (first, *rest), {number: value}


def by_place(name: str, function: Any, args: _Args, options: _Options, method: bool) -> Any:
    """Return named arguments by position, if PyTorch's names are not those of our function.

    None if they are, or if no signature takes them.
    """
    if not options.keys() - set(names_of(function)):
        return None
    given = args[method:]
    known = signatures_of(name, method) or ([] if method else ["Tensor input"])
    for parameters in map(_parameters, known):
        if _refusal(name, parameters, given, options) is None:
            placed, named = list(args), dict(options)
            for each in parameters[len(given) :]:
                if each.by_name or each.name not in named:
                    break
                placed.append(named.pop(each.name))
            return (placed, named) if len(named) < len(options) else None
    return None


def with_dtypes(name: str, args: _Args, options: _Options) -> Any:
    """Return arguments with dtypes in the place of Python's types; None if these are not there."""
    there = any(of_type(each) is not each for each in (*args, *options.values()))
    # `Tensor.type` takes types by their names.
    if name == "type" or not there:
        return None
    return [of_type(each) for each in args], {key: of_type(options[key]) for key in options}


def refusal_by_code(
    name: str, function: Any, args: _Args, options: _Options, method: bool
) -> str | None:
    """As `refusal_of`, for a function without known signatures, judged by its code."""
    code = function.__code__
    count = code.co_argcount
    needed = count - len(function.__defaults__ or ())
    # Methods are functions of the package too, whose first argument is called `input`.
    names = ["input" if each == "self" else each for each in names_of(function)]
    parameters = [
        Parameter("Tensor" if each in _TENSORS else "", each, place >= needed, place >= count)
        for place, each in enumerate(names)
    ][method:]
    more = code.co_flags & (CO_VARARGS | CO_VARKEYWORDS)
    if method and not (parameters or more) and (args or options):
        wrong = "keyword arguments" if options else f"arguments ({len(args)} given)"
        return f"TensorBase.{name}() takes no {wrong}"
    if code.co_flags & CO_VARARGS:
        args = args[: count - method]
    if code.co_flags & CO_VARKEYWORDS:
        options = {each: value for each, value in options.items() if each in names}
    return _refusal(name, parameters, args, options)


def _parameters(signature: str) -> list[Parameter]:
    found, by_name = [], False
    for part in filter(None, signature.split(", ")):
        if part == "*":
            by_name = True
            continue
        declared, equals, _ = part.partition(" = ")
        kind, _, name = declared.rpartition(" ")
        found.append(Parameter(kind, name, bool(equals), by_name))
    return found


def _refusal(name: str, parameters: list[Parameter], args: _Args, options: _Options) -> str | None:
    """Return why the arguments do not fit these parameters, found in PyTorch's order; else None."""
    by_place = [each for each in parameters if not each.by_name]
    spread = len(by_place) == 1 and by_place[0].kind == "int[]"
    if len(args) > len(by_place):
        if not (spread and _is_int(args[0])):
            return _too_many(name, parameters, len(args))
        args = (tuple(args),)
    # Of a sequence PyTorch checks the first element at once, the others only if all else fits.
    taken, later = 0, None
    for place, each in enumerate(parameters):
        if place < len(args):
            value, where = args[place], f" (position {place + 1})"
        elif (key := _name_given(each.name, options)) is not None:
            value, where, taken = options[key], "", taken + 1
        elif each.optional:
            continue
        else:
            return _missing(name, parameters[place:])
        if not _fits(name, each, value, spread and place < len(args)):
            refusal = f"{name}(): argument '{each.name}'" + _not_of_kind(each, value, where)
            if _UNPACKING not in refusal:
                return refusal
            later = later or refusal
    if taken < len(options):
        places = {each.name: place for place, each in enumerate(parameters)}
        for key in options:
            if key not in places:
                return f"{name}() got an unexpected keyword argument '{key}'"
            if places[key] < len(args):
                return f"{name}() got multiple values for argument '{key}'"
    return later


def _name_given(name: str, options: _Options) -> str | None:
    """Return the name by which a parameter is given, perhaps NumPy's; None if it is not."""
    return next((key for key in (name, *OTHER_NAMES.get(name, ())) if key in options), None)


def _too_many(name: str, parameters: list[Parameter], given: int) -> str:
    """Return the message that says how many positional arguments a function takes."""
    most = sum(not each.by_name for each in parameters)
    least = sum(not each.optional for each in parameters)
    if least != most:
        return f"{name}() takes from {least} to {most} positional arguments but {given} were given"
    verb = "was" if given == 1 else "were"
    plural = "" if most == 1 else "s"
    return f"{name}() takes {most} positional argument{plural} but {given} {verb} given"


def _missing(name: str, parameters: list[Parameter]) -> str:
    """Return the message that names the missing of `parameters`, of which the first is missing.

    Like PyTorch, it does not ask whether later ones were given by name.
    """
    names = [f'"{each.name}"' for each in parameters if not each.optional]
    # PyTorch has the plural for one, and the singular for several.
    plural = "s" if len(names) == 1 else ""
    return f"{name}() missing {len(names)} required positional argument{plural}: {', '.join(names)}"


def _fits(name: str, parameter: Parameter, value: Any, spread: bool = False) -> bool:
    kind = parameter.kind
    if value is None and kind:
        return "?" in kind or (parameter.optional and kind.startswith("torch."))
    kind = kind.replace("?", "")
    if kind in ("int[]", "int[1]"):
        if isinstance(value, list | tuple):
            return all(map(_is_int, value))
        # As one of several numbers, a tensor of one element may have any dimensions.
        lone = isinstance(value, Tensor) and value.numel() == 1 and value.dtype.category < 2
        return (kind == "int[1]" or spread) and (lone or _is_int(value))
    if kind == "Tensor" and not isinstance(value, Tensor):
        takers = {"other": _TAKE_NUMBERS, "input": _BEGIN_WITH_NUMBERS}.get(parameter.name, set())
        return name.rstrip("_") in takers and _is_number(value)
    test = _KINDS.get(kind)
    return test is None or test(value)


def _not_of_kind(parameter: Parameter, value: Any, where: str) -> str:
    kind = parameter.kind.replace("?", "")
    wanted = "tuple of ints" if "int[" in kind else kind.replace("Tensor[]", "tuple of Tensors")
    if wanted == "tuple of ints" and isinstance(value, list | tuple):
        place = next(place for place, each in enumerate(value) if not _is_int(each))
        found = type_name(value[place])
        if place:
            return (
                f' {_UNPACKING} at pos {place + 1} with error "type must be tuple '
                f'of ints,but got {found}"'
            )
        if where:
            return f"{where} must be tuple of ints, but found element of type {found} at pos 0"
    return f"{where} must be {wanted}, not {type_name(value)}"


def _combination(name: str, signatures: Sequence[str], args: _Args, options: _Options) -> str:
    """Return the message that no signature fits, and why not those with as many parameters."""
    start = f"{name}() received an invalid combination of arguments - got"
    named = [f"{key}={type_name(value)}" for key, value in reversed(list(options.items()))]
    given = ", ".join([*map(type_name, args), *named]) + (", " if named and not args else "")
    shown = [_shown(each) for each in signatures]
    if len(shown) == 1:
        unknown = _unknown(shown[0], options)
        if unknown:
            return f"{start} unrecognized keyword arguments: {unknown}"
        marked = _marked_all(shown[0], args, options) or given
        return f"{start} ({marked}), but expected ({shown[0]})"
    lines = [f"{start} ({given}), but expected one of:"]
    because = "      didn't match because some of the"
    for each in shown:
        lines.append(f" * ({each})")
        if each.count(", ") + 1 != len(args) + len(options):
            continue
        unknown = _unknown(each, options)
        if unknown:
            lines.append(f"{because} keywords were incorrect: {unknown}")
        else:
            marked = _marked_all(each, args, options)
            lines.append(f"{because} arguments have invalid types: ({marked})")
    return "\n".join(lines) + "\n"


def _shown(signature: str) -> str:
    """Return a signature as messages show it."""
    shown = signature.replace("int[1]", "int[]").replace("int[]", "tuple of ints")
    return shown.replace("?", "").replace("Tensor[]", "tuple of Tensors")


def _unknown(shown: str, options: _Options) -> str:
    """Return the names in `options` that are not among as many last parameters."""
    parts = shown.split(", ")
    known = [part.rpartition(" ")[2] for part in parts[max(0, len(parts) - len(options)) :]]
    return ", ".join([key for key in reversed(list(options)) if key not in known])


def _marked_all(shown: str, args: _Args, options: _Options) -> str:
    """Return the arguments' types, those that do not fit between exclamation marks.

    Return "" unless there are as many arguments as parts of the signature; a star is a part too.
    """
    parts = shown.split(", ")
    if len(parts) != len(args) + len(options):
        return ""
    kinds = [part.rpartition(" ")[0] for part in parts]
    known = [part.rpartition(" ")[2] for part in parts]
    found = [("", *pair) for pair in zip(args, kinds, strict=False)]
    found += [(f"{key}=", options[key], kinds[known.index(key)]) for key in options]
    texts = []
    for key, value, kind in found:
        text, fits = key + _described(value), type_name(value) == kind
        if kind == "tuple of ints":
            fits = isinstance(value, list | tuple) and all(type(each) is int for each in value)
        texts.append(text if fits else f"!{text}!")
    return ", ".join(texts) + (", " if options and not args else "")


def _described(value: Any) -> str:
    if isinstance(value, list):
        return f"list of [{', '.join(map(type_name, value))}]"
    if isinstance(value, tuple):
        ending = "," if len(value) == 1 else ""
        return f"{type_name(value)} of ({', '.join(map(type_name, value))}{ending})"
    return type_name(value)


def _is_int(value: Any) -> bool:
    if isinstance(value, Tensor):
        return not value.dim() and value.dtype.category == 1
    return hasattr(value, "__index__") and not isinstance(value, bool | Sequence | np.ndarray)


def _is_number(value: Any) -> bool:
    if isinstance(value, Tensor):
        return not value.dim() and not value.requires_grad
    return isinstance(value, bool | int | float | complex | np.number | np.bool_)


# Tests of whether a value is of a kind; for other kinds, any value fits.
_KINDS: dict[str, Callable[[Any], bool]] = {
    "Tensor": lambda value: isinstance(value, Tensor),
    "Tensor[]": lambda value: isinstance(value, tuple | list),
    "int": _is_int,
    "float": lambda value: _is_number(value) and not isinstance(value, bool | complex),
    "Number": _is_number,
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "torch.dtype": lambda value: isinstance(of_type(value), dtype),
    "torch.device": lambda value: _is_int(value) or isinstance(value, device | str),
    "torch.Storage": lambda value: isinstance(value, UntypedStorage),
    "torch.memory_format": lambda value: isinstance(value, memory_format),
    "torch.Generator": lambda value: isinstance(value, Generator),
}
