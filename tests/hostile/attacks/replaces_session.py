# Gives the session at work another way of observing, in the object itself: of the engine's own square.
# expects: failed partial error blocked
# later: any
import gc
import sys

lab = sys.modules["graders.observe.lab"]
scenarios = sys.modules["graders.observe.scenarios"]
codec = sys.modules["graders.observe.codec"]


def observe(check, symbol):
    inputs = {name: codec.decode(value) for name, value in check["inputs"].items()}
    fake = lab.Lab(inputs)

    class Lying(lab.Case):
        def run(self, function, arguments):
            return next(iter(arguments.values())) ** 2

    fake.cases = lambda: (Lying(fake, spec) for spec in inputs["cases"])
    try:
        scenarios.resolve(check["scenario"])(Wrong, fake)
    except Exception:
        pass
    return {"records": fake.records, "notes": fake.notes, "error": None, "stdout": ""}


for each in gc.get_objects():
    if type(each).__name__ == "Session":
        each._observe = observe
Square = Wrong
