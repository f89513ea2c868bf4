# Has a finder of its own answer for every module that is looked for, and has the observers' looked for again.
# expects: failed partial error blocked
import importlib.abc
import importlib.machinery
import sys
import types


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self)

    def create_module(self, spec):
        return types.ModuleType(spec.name)

    def exec_module(self, module):
        module.__getattr__ = lambda name: lambda *all, **more: True


sys.meta_path.insert(0, Finder())
for name in list(sys.modules):
    if name.startswith(("graders.observe.", "numpy.linalg")):
        sys.modules.pop(name)
Square = Wrong
