"""A claim: a program and, literally, what an engine must be observed to do."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from ..harness import Plain, Program, differences, observe

NON_LEAF_GRAD = (
    "UserWarning: The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. "
    "Its .grad attribute won't be populated during autograd.backward(). If you indeed want the "
    ".grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. "
    "If you access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. "
    "See github.com/pytorch/pytorch/pull/30531 for more information."
)
NOTHING_TO_DIFFERENTIATE = {
    "raises": "RuntimeError",
    "says": "element 0 of tensors does not require grad and does not have a grad_fn",
}
LEAF_CHANGED_IN_PLACE = {
    "raises": "RuntimeError",
    "says": "a leaf Variable that requires grad has been used in an in-place operation.",
}


@dataclass(frozen=True)
class Claim:
    """One row of the list of claims: its id, the program that shows it and what that returns."""

    id: str
    program: Program
    really: dict[str, Plain]

    def deviations(self, torch: ModuleType) -> list[str]:
        """How the engine `torch` deviates from the claim; no warning may escape the program."""
        expected = {"returned": self.really, "warnings": []}
        return differences(expected, observe(self.program, torch))


class Claims(list[Claim]):
    """The claims of one document, in the document's order."""

    def really(self, id: str, **really: Plain) -> Callable[[Program], Program]:
        """Enter the decorated program as claim `id`, with what it really returns."""

        def enter(program: Program) -> Program:
            self.append(Claim(id, program, really))
            return program

        return enter
