# Puts impostors in the place of modules that are already imported.
# expects: failed partial error
import sys
from types import ModuleType


class Impostor(ModuleType):
    def __getattr__(self, name):
        return lambda *arguments, **options: True


for name in ("numpy", "autograd_core", "graders.observe.lab", "graders.observe.codec", "json"):
    sys.modules[name] = Impostor(name)
Square = Wrong
