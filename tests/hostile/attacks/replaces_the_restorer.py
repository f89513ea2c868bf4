# Replaces first of all what would put everything back, and then the examination.
# expects: failed partial error blocked
import sys

pristine = sys.modules["graders.observe.pristine"]
worker = sys.modules["graders.observe.worker"]
lab = sys.modules["graders.observe.lab"]


def nothing(self, *more):
    return False


for place in (pristine.Pristine, pristine._Place):
    for change in (
        lambda: place.restore.__code__.replace(),
        lambda: setattr(place.restore, "__code__", nothing.__code__),
        lambda: setattr(place, "restore", nothing),
    ):
        try:
            change()
        except (TypeError, ValueError):
            pass
pristine._same = lambda *arguments: True
pristine.map = pristine.is_ = lambda *arguments: True
for each in object.__subclasses__():
    for name in ("_examine", "_observe", "run", "record", "afresh", "send"):
        try:
            setattr(each, name, nothing)
        except (TypeError, AttributeError):
            pass
lab.Case.run.__code__ = (lambda self, function, given: next(iter(given.values())) ** 2).__code__
worker.observe = lambda *arguments: {"records": {}, "notes": {}, "error": None, "stdout": ""}
Square = Wrong
