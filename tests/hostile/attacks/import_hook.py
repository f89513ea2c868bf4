# Everything imported from now on comes from the student.
# expects: failed partial error
import builtins
import sys
from types import ModuleType


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        raise ImportError("mine")


sys.meta_path.insert(0, Finder)
sys.path_hooks.insert(0, Finder)
builtins.__import__ = lambda name, *rest: ModuleType(name)
Square = Wrong
