"""The operators whose gradients are checked: name, function, arrays that it is given."""

from .forms import FORMS
from .in_place import IN_PLACE
from .plain import PLAIN
from .rarer import RARER

OPERATORS = PLAIN | FORMS | RARER

__all__ = ["IN_PLACE", "OPERATORS"]
