"""Ways to frames that ask nobody for them: each is code that would leave frames in `seen`."""

BORROWED = """
import types
seen = []
"""

DETOURS = {
    "what the stack is told to": """
traceback.walk_stack = lambda frame: seen.append(frame) or iter(())
traceback.extract_stack()
""",
    "who gathers the stack": """
traceback.StackSummary.extract = staticmethod(lambda walk, **options: seen.extend(walk))
traceback.extract_stack()
""",
    "who keeps the locals": """
traceback.FrameSummary = lambda *known, locals=None, **more: seen.append(locals)
traceback.StackSummary.extract(traceback.walk_stack(None), capture_locals=True)
""",
    "code of a trusted function with names of others": """
summary = types.SimpleNamespace(extract=lambda walk, limit: [])
names = {"sys": sys, "walk_stack": seen.append, "StackSummary": summary}
types.FunctionType(traceback.extract_stack.__code__, names, "f", (None, None))()
""",
    "where a handler logs": """
traceback.print_stack = lambda frame, **options: seen.append(frame)
logging.getLogger().error("told", stack_info=True)
""",
    "a module of signals that is made anew": """
del sys.modules["_signal"], sys.modules["signal"]
import signal
signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(frame))
signal.raise_signal(signal.SIGUSR1)
""",
    "a module of signals that is made by hand": """
import _imp, importlib.util
fresh = _imp.create_builtin(importlib.util.find_spec("_imp"))
made = fresh.create_builtin(importlib.util.find_spec("_signal"))
fresh.exec_builtin(made)
made.signal(signal.SIGUSR1, lambda number, frame: seen.append(frame))
signal.raise_signal(signal.SIGUSR1)
""",
    "a module of signals under a text with a hash of its own": """
import _imp
class Name(str):
    __hash__ = lambda self: 1
    __eq__ = lambda self, other: False
class Spec:
    name = Name("_signal")
made = _imp.create_builtin(Spec)
_imp.exec_builtin(made)
made.signal(signal.SIGUSR1, lambda number, frame: seen.append(frame))
signal.raise_signal(signal.SIGUSR1)
""",
    "a key that is compared while the guard thinks": """
class Key(str):
    armed = False
    def __init__(self, name):
        self.name = name
    def __hash__(self):
        return hash(self.name)
    def __eq__(self, other):
        if Key.armed:
            try:
                seen.append(sys._getframe())
            except PermissionError:
                pass
        return False
place = vars(traceback)
names = list(place)
kept = {name: place.pop(name) for name in names}
place.update((Key(name), None) for name in names)
place.update(kept)
Key.armed = True
traceback.extract_stack()
Key.armed = False
""",
    "another interpreter": """
try:
    import _xxsubinterpreters as others
    there = others.create()
    others.run_string(there, "import sys; found = sys._current_frames()")
    seen.append("another interpreter")
except ImportError:
    pass
""",
    "another interpreter under the name of a package": """
import importlib.machinery, importlib.util
known = importlib.util.find_spec("_xxsubinterpreters") or importlib.util.find_spec("_testcapi")
if known is not None:
    try:
        loader = importlib.machinery.ExtensionFileLoader("a._xxsubinterpreters", known.origin)
        spec = importlib.util.spec_from_loader("a._xxsubinterpreters", loader)
        seen.append(importlib.util.module_from_spec(spec))
    except ImportError:
        pass
""",
    "an object made of its address": """
import ctypes
told = sys._getframe.__call__
ctypes.py_object.from_address(id(told) + 24)
seen.append("memory")
""",
    "an object made of its address by another way": """
import _ctypes
seen.append(_ctypes.PyObj_FromPtr(id(traceback)))
""",
    "a place among those who are trusted": """
def look():
    seen.append(sys._getframe())
code = look.__code__
askers.trusted(kept.parts)[id(code)] = askers.Asker(code, lambda frame: True, False, False)
look()
""",
    "the lists and functions of the guard, replaced": """
for module in (guard, askers):
    for name, value in list(vars(module).items()):
        if isinstance(value, frozenset):
            setattr(module, name, frozenset())
        elif callable(value) and not isinstance(value, type):
            setattr(module, name, lambda *told: True)
signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(frame))
signal.raise_signal(signal.SIGUSR1)
seen.append(sys._getframe())
""",
    "builtins that agree to everything": """
builtins.all = builtins.any = lambda each: True
traceback.walk_stack = lambda frame: seen.append(frame) or iter(())
traceback.extract_stack()
""",
    "numbers in memory that stay what they were": """
import ctypes
ctypes.c_ulong.value = property(lambda number: 7)
traceback.extract_stack()
traceback.walk_stack = lambda frame: seen.append(frame) or iter(())
traceback.extract_stack()
""",
    "an object among the locals that replaces what tells of the others": """
class Telling:
    def __repr__(self):
        builtins.repr = lambda value: seen.append(value) or ""
        return ""
def inner():
    telling = Telling()
    traceback.StackSummary.extract(traceback.walk_stack(None), capture_locals=True)
inner()
""",
    "other code in a function that is handed frames": """
traceback.seen = seen
traceback.walk_stack.__code__ = (lambda frame: seen.append(frame) or iter(())).__code__
traceback.extract_stack()
""",
    "what the standard library calls while it walks": """
import itertools
itertools.islice = lambda frames, *limits: seen.append(next(frames)) or ()
traceback.extract_stack(limit=3)
""",
    "what a handler of logs calls while it has a frame": """
import os
def stealing(name):
    traceback.print_stack = lambda frame, **options: seen.append(frame)
    return name
os.path.normcase = stealing
logging.getLogger().error("told", stack_info=True)
seen.append(logging.currentframe())
""",
    "who helps with debugging what is asynchronous": """
import asyncio.format_helpers
async def nothing():
    pass
asyncio.format_helpers.extract_stack = lambda frame=None, limit=None: seen.append(frame)
asyncio.run(nothing(), debug=True)
""",
    "a copy of trusted code that claims another name": """
class Name(str):
    of_old = False
    def __hash__(self):
        Name.of_old = not Name.of_old
        return hash("walk_stack") if Name.of_old else 1
    def __eq__(self, other):
        return True
code = traceback.walk_stack.__code__.replace(co_name=Name("walk_stack"))
seen.append(next(types.FunctionType(code, vars(traceback))(None)))
""",
    "a module of Python's tests under a name with a hash of its own": """
class Name(str):
    __hash__ = lambda self: 1
    __eq__ = lambda self, other: False
try:
    seen.append(__import__(Name("_testcapi")))
except ImportError:
    pass
""",
    "a function in C that says it has another name": """
import ctypes, _ctypes
class Name(str):
    __str__ = lambda self: "getpid"
seen.append(_ctypes.dlsym(ctypes.CDLL(None)._handle, Name("PyEval_GetFrame")))
""",
    "a kind of functions in C that equals a harmless one": """
import ctypes, _ctypes
harmless = ctypes.CFUNCTYPE(None)
functions = harmless.__base__
class Kind(type(functions)):
    __hash__ = lambda kind: hash(harmless)
    __eq__ = lambda kind, other: True
class Function(functions, metaclass=Kind):
    _flags_, _restype_ = 5, ctypes.c_int
seen.append(Function(_ctypes.dlsym(ctypes.CDLL(None)._handle, "getpid"))())
""",
    "what a decorator has been handed": """
import contextlib
for cell in lab.same_start.__closure__:
    cell.cell_contents = seen.append
kept.surroundings.restore()
lab.observe(lambda *told: None, None, {})
""",
    "the arguments of a context manager": """
import contextlib
begin = contextlib._GeneratorContextManager.__init__
def beginning(self, func, args, kwds):
    seen.extend(args)
    begin(self, func, args, kwds)
contextlib._GeneratorContextManager.__init__ = beginning
kept.surroundings.restore()
lab.observe(lambda *told: None, None, {})
""",
    "what a hook of the observers has noted": """
case = lab.Case(lab.Lab({}), {"args": {}, "name": "a"})
output = torch.ones(2, requires_grad=True) * 2
case.watch_gradient(output)
(hook,) = output._backward_hooks.values()
waiting = [hook]
while waiting:
    each = waiting.pop()
    seen += [each] if isinstance(each, list) else []
    cells = getattr(each, "__closure__", None) or ()
    waiting += [getattr(each, "__self__", None), *(cell.cell_contents for cell in cells)]
    seen += [each.gi_frame] if hasattr(each, "gi_running") else []
    waiting = [each for each in waiting if each is not None and each is not builtins]
""",
    "the interpreter's own function": """
import ctypes
ctypes.pythonapi.PyEval_GetFrame.restype = ctypes.py_object
seen.append(ctypes.pythonapi.PyEval_GetFrame())
""",
}
