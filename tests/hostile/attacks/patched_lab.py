# Replaces the notebook in which the observers write.
# expects: failed partial error
import sys

lab = sys.modules["graders.observe.lab"]
lab.Lab.record = lambda self, name, value: self.records.__setitem__(name, True)
lab.Lab.note = lambda self, name, value: None
lab.Case.is_tensor = lambda self, value: True
lab.Case.run = lambda self, function, given: next(iter(given.values())) ** 2
lab.observe = lambda *arguments: {"records": {}, "notes": {}, "error": None, "stdout": ""}
Square = Wrong
