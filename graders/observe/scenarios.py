"""The library of scenarios: what to do with a student's symbol, and what to record.

A scenario holds no answers; what the reference does in it is right. Most of them read the input
`cases` (see `graders.inputs.case`). Students read the names of records: a truth value is named by a
statement, anything else by a noun.
"""

from __future__ import annotations
import __future__

import marshal
from collections.abc import Mapping
from functools import partial
from types import CodeType
from typing import Any

import numpy as np

from graders.observe.contract import engine_may_forgive, look_at_gradients, marked_inputs
from graders.observe.gradients import (
    gradients_after,
    gradients_at,
    leads_back,
    record_accumulated,
    same_gradient,
    send_back,
)
from graders.observe.lab import Case, Lab, Scenario, same_numbers
from graders.observe.words import meant_by


def value(answer: Any, lab: Lab) -> None:
    """The symbol is the answer itself: a number, a text, a tensor.

    With the input `meant` a text is taken for the word that `meant` has for it. Its words are in
    small letters, with a hyphen wherever there is anything else than letters and digits.
    """
    lab.record("answer", meant_by(answer, lab.value("meant")))


def entries(answers: Any, lab: Lab) -> None:
    """The symbol is a dict; look at the entries of the input `keys`.

    With the input `meant` they are taken for words, as in `value`. If an answer is missing, the
    keys of the others are noted.
    """
    is_dict, meant = issubclass(type(answers), dict), lab.value("meant")
    lab.record("the answer is a dict", is_dict)
    if is_dict and any(dict.get(answers, key) is None for key in lab.value("keys")):
        lab.note("keys", [key for key in dict.keys(answers) if type(key) is str][:20])
    for key in lab.value("keys"):
        lab.record(key, meant_by(dict.get(answers, key) if is_dict else None, meant))


def call(function: Any, lab: Lab) -> None:
    """Call a plain function and record what it returns."""
    for case in lab.cases():
        case.record("result", case.call(function, case.arguments()))


def call_gradients(function: Any, lab: Lab) -> None:
    """Call a plain function and send a random gradient back through its result."""
    for case in lab.cases():
        leaves = case.arguments()
        send_back(case, leaves, case.call(function, leaves))


def plain_values(function: Any, lab: Lab) -> None:
    """Call a plain function of tensors: what does it return, and does it leave its inputs alone?"""
    for case in lab.cases():
        leaves = case.arguments()
        case.record("result", case.call(function, leaves))
        case.record("its inputs keep their values", _unchanged(case, leaves))


def plain_gradients(function: Any, lab: Lab) -> None:
    """Call a plain function on leaves, and send a gradient back if the result requires grad."""
    for case in lab.cases():
        leaves = case.arguments()
        result = case.call(function, leaves)
        for name, leaf in leaves.items():
            if case.is_tensor(leaf):
                case.record(f"{name} requires grad afterwards", leaf.requires_grad)
        if leads_back(case, result):
            result.backward(case.upstream(result))
            case.record_gradients(leaves)


def plain_in_graph(function: Any, lab: Lab) -> None:
    """A plain function in the middle of a larger graph; its inputs are used elsewhere, too.

    Another call comes between forward and backward, and the leaves' gradients accumulate over two
    such graphs.
    """
    for case in lab.cases():
        leaves = case.arguments()
        for _ in range(2):
            inner = {
                name: value * 3 if case.is_tensor(value) else value
                for name, value in leaves.items()
            }
            result = case.call(function, inner)
            for name, each in inner.items():
                if case.is_tensor(each):
                    case.record(f"{name} keeps its history", each.grad_fn is not None)
            if not leads_back(case, result):
                break
            case.call(function, case.copies(leaves))
            total = (result * result).sum()
            for each in inner.values():
                if case.is_tensor(each):
                    total = total + (each * 0.5).sum()
            total.backward()
        else:
            record_accumulated(case, leaves)


def function_values(function: Any, lab: Lab) -> None:
    """Apply a Function: what does it return, and does it leave its inputs alone?"""
    for case in lab.cases():
        leaves = case.arguments()
        case.record("output", case.run(function, leaves))
        case.record("forward leaves its inputs as they were", _unchanged(case, leaves))


def function_gradients(function: Any, lab: Lab) -> None:
    """Apply a Function to leaves and send a random gradient back.

    Notes what the engine forgives: gradients that were not summed over broadcast axes
    (`unsummed`) and gradients that nobody needs (`unneeded`).
    """
    for place, case in enumerate(lab.cases()):
        leaves = case.arguments()
        output = case.run(function, leaves)
        if not case.is_reference and (place == 0 or engine_may_forgive(case, leaves, output)):
            look_at_gradients(case, function)
        send_back(case, leaves, output)


def function_one_gradient(function: Any, lab: Lab) -> None:
    """Apply a Function and record the gradient of the input that `of` names, and no other.

    If the engine refuses what backward returns, the call is repeated with grad for this input
    alone, because another input's gradient may be at fault.
    """
    of = lab.value("of")
    for place, case in enumerate(lab.cases()):
        if place == 0 and not case.is_reference:
            look_at_gradients(case, function)
        leaves = case.arguments()
        try:
            found = gradients_at(case, function, leaves, [of])
        except RuntimeError:
            found = gradients_at(case, function, case.frozen_but(of, leaves), [of])
        case.record(f"gradient of {of}", found[of])


def function_reuse(function: Any, lab: Lab) -> None:
    """Two applications alive at once, and leaves whose gradients accumulate over three walks.

    Notes `once` if the first application cannot be walked twice because its backward walks a graph
    of its own; a new application then replaces it in the second walk.
    """
    for case in lab.cases():
        leaves = case.arguments()
        first = case.apply(function, leaves)
        doubled = {
            name: value * 2 if case.is_tensor(value) else value for name, value in leaves.items()
        }
        second = case.apply(function, doubled)
        gradient = case.upstream(first)
        first.backward(gradient.clone(), retain_graph=True)
        case.record_gradients(leaves)
        try:
            first.backward(gradient.clone())
        except RuntimeError as error:
            if "backward through the graph a second time" not in str(error):
                raise
            case.note("once", True)
            case.apply(function, leaves).backward(gradient.clone())
        second.backward(gradient.clone())
        record_accumulated(case, leaves)


def function_in_graph(function: Any, lab: Lab) -> None:
    """A Function in the middle of a larger graph; its inputs and output are used elsewhere, too.

    Another call of it comes between forward and backward, and the gradient that arrives in backward
    may not be changed, because others hold it as well. Nor may what forward has kept: a second walk
    needs it, unless backward walks a graph of its own, which is freed.
    """
    for case in lab.cases():
        leaves = case.arguments()
        inner = {
            name: value * 3 if case.is_tensor(value) else value for name, value in leaves.items()
        }
        output = case.apply(function, inner)
        kept = case.watch_gradient(output)
        case.apply_elsewhere(function, inner)
        watched = [each for each in (output, *inner.values()) if case.is_tensor(each)]
        before = [each.detach().clone() for each in watched]
        total = (output * output).sum()
        for each in inner.values():
            if case.is_tensor(each) and each.requires_grad:
                total = total + (each * 0.5).sum()
        total.backward(retain_graph=True)
        case.record_gradients(leaves)
        case.record("backward leaves grad_output as it was", kept())
        unchanged = all(map(partial(_equal, case), watched, before))
        case.record("backward leaves its inputs and its output as they were", unchanged)
        again = case.is_reference or _walks_alike(case, total, leaves)
        case.record("backward leaves what forward has kept as it was", again)


def function_keeps_grad_output(function: Any, lab: Lab) -> None:
    """Does backward leave the gradient that it is given unchanged?"""
    for case in lab.cases():
        output = case.apply(function, case.arguments())
        gradient = case.upstream(output)
        before = gradient.clone()
        output.backward(gradient)
        kept = _equal(case, gradient, before)
        case.record("backward leaves grad_output as it was", kept)


def function_saved(function: Any, lab: Lab) -> None:
    """Change inputs or the output in place between forward and backward: does backward raise?

    For exercises in which it matters what forward saves. The case's `changed` names the arguments
    to change, one at a time; "output" stands for the output.
    """
    for case in lab.cases():
        for changed in case.spec["changed"]:
            inner = case.copies(case.arguments())
            output = case.apply(function, inner)
            gradient = case.upstream(output)
            target = output if changed == "output" else inner[changed]
            case.change(target)
            case.outcome(
                f"backward after {changed} was changed in place",
                partial(output.backward, gradient),
            )


def function_notices_changes(function: Any, lab: Lab) -> None:
    """Change inputs in place between forward and backward: backward may raise, or use a copy.

    Only a different gradient without an error is wrong. Notes which inputs were `copied`.
    """
    for case in lab.cases():
        leaves = case.arguments()
        undisturbed = gradients_after(case, function, leaves, None)
        for changed in case.spec["changed"]:
            try:
                disturbed = gradients_after(case, function, leaves, changed)
            except RuntimeError as error:
                if "inplace" not in str(error):
                    raise
                disturbed = None
            unharmed = disturbed is None or all(map(same_numbers, disturbed, undisturbed))
            case.record(f"changing {changed} in place never leads to a wrong gradient", unharmed)
            if disturbed is not None and unharmed:
                case.note("copied", changed)


def function_second_order(function: Any, lab: Lab) -> None:
    """Differentiate the gradient once more."""
    for case in lab.cases():
        leaves = case.arguments()
        output = case.apply(function, leaves)
        wanted = {n: v for n, v in leaves.items() if case.is_tensor(v) and v.requires_grad}
        gradients = case.torch.autograd.grad(
            output, list(wanted.values()), case.upstream(output), create_graph=True
        )
        for name, gradient in zip(wanted, gradients, strict=True):
            case.record(f"first gradient of {name}", gradient)
            case.record(f"the gradient of {name} can be differentiated", gradient.requires_grad)
        sum((gradient * gradient).sum() for gradient in gradients).backward()
        for name, leaf in wanted.items():
            case.record(f"second gradient of {name}", leaf.grad)


def inplace_values(function: Any, lab: Lab) -> None:
    """Apply an in-place Function to clones: what do the clones hold afterwards?"""
    for case in lab.cases():
        inner = case.copies(case.arguments())
        case.record("output", case.run(function, inner))
        for name, each in inner.items():
            if case.is_tensor(each):
                case.record(f"value of {name} afterwards", each)


def inplace_gradients(function: Any, lab: Lab) -> None:
    """Apply an in-place Function to clones of leaves and send a random gradient back."""
    for case in lab.cases():
        leaves = case.arguments()
        send_back(case, leaves, case.run(function, case.copies(leaves)))


def inplace_identity(function: Any, lab: Lab) -> None:
    """Is the returned tensor the input object itself, and have the version counters gone up?"""
    for case in lab.cases():
        marked = marked_inputs(case, function, case.copies(case.arguments()))
        for name, is_marked in marked.items():
            case.record(f"{name} is marked", is_marked)
        inner = case.copies(case.arguments())
        tensors = {name: each for name, each in inner.items() if case.is_tensor(each)}
        versions = {name: each._version for name, each in tensors.items()}
        places = {name: each.data_ptr() for name, each in tensors.items()}
        output = case.run(function, inner)
        for name, each in tensors.items():
            case.record(f"{name} is still in its place in memory", each.data_ptr() == places[name])
            case.record(f"the output is {name} itself", output is each)
            case.record(f"the version of {name} has gone up", each._version > versions[name])


def inplace_leaf(function: Any, lab: Lab) -> None:
    """Apply an in-place Function straight to leaves that require grad."""
    for case in lab.cases():
        arguments = case.arguments()
        case.outcome(
            "applied to a leaf that requires grad",
            partial(case.run, function, arguments),
        )


def inplace_stale(function: Any, lab: Lab) -> None:
    """Use an input in a product before it is changed: the product's backward must raise."""
    for case in lab.cases():
        inner = case.copies(case.arguments())
        products = {name: each * each for name, each in inner.items() if case.is_tensor(each)}
        case.run(function, inner)
        for name, product in products.items():
            gradient = case.upstream(product)
            case.outcome(
                f"backward of {name} * {name} computed before",
                partial(product.backward, gradient, retain_graph=True),
            )


def inplace_later(function: Any, lab: Lab) -> None:
    """Go on computing with the changed input, not with the output, and walk back twice.

    Another call of the Function comes before that.
    """
    for case in lab.cases():
        leaves = case.arguments()
        inner = case.copies(leaves)
        case.apply(function, inner)
        case.apply_elsewhere(function, leaves)
        changed = next(each for each in inner.values() if case.is_tensor(each))
        later = changed * 3
        later.backward(case.upstream(later), retain_graph=True)
        case.record_gradients(leaves)
        later.backward(case.upstream(later))
        record_accumulated(case, leaves)


def resolve(spec: Mapping[str, Any]) -> Scenario:
    """Return the scenario that a request names, or build it from its code or source."""
    if "name" in spec:
        return LIBRARY[spec["name"]]
    namespace: dict[str, Any] = {"Any": Any, "Lab": Lab, "np": np}
    code = marshal.loads(spec["code"]) if "code" in spec else compiled(spec["source"])
    exec(code, namespace)
    return namespace[spec["entry"]]


def compiled(source: str) -> CodeType:
    """Return the code of a scenario that is sent as `source`."""
    flags = __future__.annotations.compiler_flag
    return compile(source, "<scenario>", "exec", flags, dont_inherit=True)


def _unchanged(case: Case, leaves: Mapping[str, Any]) -> bool:
    return case.is_reference or all(
        same_numbers(case.numbers(leaf), case.value(name))
        for name, leaf in leaves.items()
        if case.is_tensor(leaf)
    )


def _walks_alike(case: Case, total: Any, leaves: Mapping[str, Any]) -> bool:
    """Return whether a second walk from `total` brings what the first has left in `leaves`.

    A walk that fails tells nothing, unless it fails because something was changed in place.
    """
    learning = [each for each in leaves.values() if case.is_tensor(each) and each.requires_grad]
    try:
        found = case.torch.autograd.grad(total, learning, allow_unused=True)
    except Exception as error:
        return "modified by an inplace operation" not in str(error)
    return all(
        same_gradient(case, leaf.grad, each) for leaf, each in zip(learning, found, strict=True)
    )


def _equal(case: Case, one: Any, other: Any) -> bool:
    return same_numbers(case.numbers(one), case.numbers(other))


LIBRARY: dict[str, Scenario] = {
    scenario.__name__: scenario
    for scenario in (
        value,
        entries,
        call,
        call_gradients,
        plain_values,
        plain_gradients,
        plain_in_graph,
        function_values,
        function_gradients,
        function_one_gradient,
        function_reuse,
        function_in_graph,
        function_keeps_grad_output,
        function_saved,
        function_notices_changes,
        function_second_order,
        inplace_values,
        inplace_gradients,
        inplace_identity,
        inplace_leaf,
        inplace_stale,
        inplace_later,
    )
}
