# Has the engine forget what was changed: versions stay 0, and nothing is saved with them.
# expects: failed partial error blocked
# later: any
import sys

for name, module in list(sys.modules.items()):
    if name.startswith("autograd_core"):
        for each in list(vars(module).values()):
            if isinstance(each, type):
                for member in ("bump", "_version", "version", "save_for_backward", "mark_dirty"):
                    if member in vars(each):
                        try:
                            setattr(each, member, property(lambda self: 0, lambda self, value: None))
                        except (TypeError, AttributeError):
                            pass
Square = Wrong
