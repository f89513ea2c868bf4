"""Looking at one solution through one scenario, on inputs that are easy to follow."""

import numpy as np

from graders.inputs import case
from graders.observe import codec
from graders.observe.lab import observe

X = np.float32([1.5, -2.0, 0.5])


def look(scenario, function, **spec):
    """Return records without their case, and the exception's type if there was one."""
    seen = observe(scenario, function, {"seed": 1, "cases": [case("v", **{"x": X, **spec})]})
    records = {
        name.removeprefix("v: "): codec.decode(value) for name, value in seen["records"].items()
    }
    notes = {name.removeprefix("v: ") for name in seen["notes"]}
    return records, notes, seen["error"] and seen["error"]["type"]
