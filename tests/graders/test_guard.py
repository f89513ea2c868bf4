"""The guard, in processes of its own: once it is up, it stays."""

import json
import subprocess
import sys

import pytest

FORKING = """
import json, os, sys, tempfile, traceback
import asyncio, autograd_core, numpy.testing
from graders.observe import guard, lab, pristine, worker

for line in sys.stdin:
    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as complained:
        process = os.fork()
        if process == 0:
            os.dup2(told.fileno(), 1)
            os.dup2(complained.fileno(), 2)
            status = 1
            try:
                exec(compile(json.loads(line), "<string>", "exec"), {"__name__": "__main__"})
                status = 0
            except BaseException:
                traceback.print_exc()
            sys.stdout.flush()
            os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        texts = []
        for file in (told, complained):
            file.seek(0)
            texts.append(file.read().decode())
    print(json.dumps([status, *texts]), flush=True)
"""

BEGIN = """
import asyncio, collections, enum, gc, inspect, logging, signal, sys, traceback, typing, warnings
import builtins
import numpy as np, numpy.testing
import autograd_core as torch
from graders.observe import askers, guard, lab, pristine, worker
from graders.observe.kept import remember
kept = remember()
guard.install(kept.askers)
try:
    1 / 0
except ZeroDivisionError as error:
    trace = error.__traceback__
generator = (each for each in (1, 2))
"""


@pytest.fixture(scope="module")
def run():
    """Return what code prints behind the guard, each time in a process of its own.

    The processes are forked from one without a guard, which has imported everything.
    """
    command = [sys.executable, "-c", FORKING]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as forking:

        def run(code):
            print(json.dumps(BEGIN + code), file=forking.stdin, flush=True)
            status, told, complaints = json.loads(forking.stdout.readline())
            assert status == 0, complaints
            return told.strip()

        yield run
        forking.stdin.close()


ways_in = [
    "sys._getframe()",
    "sys._current_frames()",
    "inspect.currentframe()",
    "inspect.stack()",
    "inspect.getinnerframes(trace)",
    "next(traceback.walk_stack(None))",
    "next(traceback.walk_tb(trace))",
    "trace.tb_frame",
    "generator.gi_frame",
    "gc.get_objects()",
    "gc.get_referrers(trace)",
    "gc.get_referents(trace)",
    "eval('sys._getframe()', vars(logging))",
    "eval(compile('_sys._getframe()', collections.__file__, 'eval'), vars(collections))",
]


def test_nobody_gets_at_frames_or_at_what_is_alive(run):
    tries = "".join(
        f"try:\n    {way}\n    print({way!r})\nexcept PermissionError:\n    pass\n"
        for way in ways_in
    )
    assert run(tries) == ""


harmless = [
    "collections.namedtuple('P', 'a b')(1, 2)",
    "enum.Enum('E', 'a b')",
    "typing.TypeVar('T')",
    "logging.getLogger().warning('told')",
    "logging.getLogger().warning('told', 5)",
    "traceback.format_exception(ValueError('told'))",
    "traceback.format_stack()",
    "traceback.extract_tb(trace)",
    "warnings.warn('told', stacklevel=2)",
    "asyncio.run(asyncio.sleep(0))",
    "asyncio.run(asyncio.sleep(0), debug=True)",
    "traceback.extract_stack(limit=2)",
    "np.testing.assert_allclose([1.0], [1.0])",
    "np.r_[1:3]",
    "inspect.signature(run)",
    "gc.collect()",
]


def test_what_libraries_do_for_themselves_goes_on(run):
    code = "def run():\n    pass\n" + "".join(f"{each}\n" for each in harmless)
    anomaly = (
        "with torch.autograd.detect_anomaly():\n    torch.ones(()).requires_grad_().backward()"
    )
    assert run(f"{code}{anomaly}\nprint('done')") == "done"


into_the_interpreter = [
    "ctypes.PYFUNCTYPE(ctypes.py_object)(id(5))",
    "ctypes.cast(id(5), ctypes.py_object)",
    "ctypes.string_at(id(5), 8)",
    "ctypes.pythonapi.PyEval_GetFrame()",
    "ctypes.CDLL(None).dlsym",
    "ctypes.CDLL(None)['dlvsym']",
    "ctypes.PyDLL(None).getpid()",
    "told_otherwise(id(5))()",
    "made_otherwise(id(5))()",
    "derived_otherwise(id(5))()",
]


def test_no_function_of_the_interpreter_is_called_in_c(run):
    tries = "".join(
        f"try:\n    function = {way}\n    function() if callable(function) else print({way!r})\n"
        f"    print({way!r})\nexcept PermissionError:\n    pass\n"
        for way in into_the_interpreter
    )
    kinds = """
import ctypes
functions = ctypes.CFUNCTYPE(None).__base__
told_otherwise = ctypes.PYFUNCTYPE(ctypes.py_object)
told_otherwise._flags_ = 1
class Made(type(functions)):
    pass
made_otherwise = Made("it", (functions,), {"_flags_": 5, "_restype_": ctypes.py_object})
made_otherwise._flags_ = 1
class After:
    def __init_subclass__(cls):
        super().__init_subclass__()
        cls._flags_ = 5
class derived_otherwise(After, functions):
    _flags_, _restype_ = 1, ctypes.py_object
derived_otherwise._flags_ = 1
"""
    assert run(kinds + tries) == ""


def test_other_functions_in_c_can_be_called(run):
    code = """
import ctypes
twice = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda number: 2 * number)
print(twice(4), ctypes.CDLL(None).getpid() > 0, np.arange(3.0).ctypes.data > 0)
"""
    assert run(code) == "8 True True"


def test_nobody_is_told_of_calls(run):
    code = """
sys.settrace(print)
sys.setprofile(print)
if hasattr(sys, "monitoring"):
    try:
        sys.monitoring.use_tool_id(4, "it")
        sys.monitoring.register_callback(4, sys.monitoring.events.CALL, print)
        sys.monitoring.set_events(4, sys.monitoring.events.CALL)
    except PermissionError:
        pass
collections.Counter("abc")
"""
    assert run(code) == ""


def test_a_handler_of_signals_is_not_told_where_it_interrupts(run):
    code = """
seen = []
before = signal.signal(signal.SIGUSR1, lambda number, frame: seen.append((number, frame)))
signal.raise_signal(signal.SIGUSR1)
print(before is signal.SIG_DFL, seen == [(signal.SIGUSR1, None)])
"""
    assert run(code) == "True True"


def test_no_other_hook_is_told_what_happens(run):
    assert run("heard = []\nsys.addaudithook(lambda *told: heard.append(told))\nprint(heard)") == (
        "[]"
    )


OF_OTHERS = [
    "lab.Lab",
    "lab.Case",
    "worker.Session",
    "pristine.Pristine",
    "torch.ops.arithmetic.Add",
]


@pytest.mark.parametrize("owner", OF_OTHERS)
def test_classes_of_the_observers_and_operators_cannot_be_changed(run, owner):
    code = f"""
for change in (setattr, type.__setattr__):
    try:
        change({owner}, "restore", None)
    except TypeError:
        print("held")
"""
    assert run(code).split() == ["held", "held"]


def test_operators_that_cannot_be_changed_are_recorded_all_the_same(run):
    code = """
x = torch.tensor(2.0, requires_grad=True)
(torch.sin(x) * x).backward()
print(x.grad.item() != 0)
"""
    assert run(code) == "True"


def test_objects_of_the_observers_take_no_methods_of_others(run):
    code = """
for each in (lab.Lab({}), lab.Case(lab.Lab({}), {"args": {}, "name": "a"}), worker.Channel(1)):
    try:
        each.record = each.send = each.run = print
    except AttributeError:
        print("held")
"""
    assert run(code).split() == ["held"] * 3


def test_the_restorer_is_restored(run):
    code = """
from graders.observe import first_aid, parts
restore_restorers = first_aid.first_aid()
pristine._same = lambda *arguments: True
parts.getattr = parts.list = lambda *arguments: ()
parts.Parts.restore.__code__ = (lambda self: False).__code__
pristine._Place.restore.__code__ = (lambda self: False).__code__
lab.failure = None
restore_restorers()
kept.parts.restore()
print(kept.surroundings.restore(), lab.failure is not None)
"""
    assert run(code) == "True True"


BORROWED = """
import types
seen = []
"""

detours = {
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
for cell in lab._same_start.__closure__:
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


@pytest.mark.parametrize("way", detours.values(), ids=detours)
def test_no_detour_leads_to_frames(run, way):
    tried = f"try:\n{way.replace(chr(10), chr(10) + '    ')}\nexcept PermissionError:\n    pass\n"
    assert run(f"{BORROWED}{tried}print([each for each in seen if each])") == "[]"


def test_who_silences_warnings_may_define_what_they_like(run):
    silence = "warnings.warn = warnings.showwarning = lambda *told, **options: None\n"
    made = "collections.namedtuple('P', 'a b'); typing.NamedTuple('N', [('a', int)])\n"
    assert run(f"{silence}{made}logging.getLogger().warning('told')\nprint('done')") == "done"


def test_observers_that_are_used_by_few_are_restored_too(run):
    code = """
from graders.observe import training
known = training.watched_walks
training.watched_walks = print
print(kept.surroundings.restore(), training.watched_walks is known)
"""
    assert run(code) == "True True"
