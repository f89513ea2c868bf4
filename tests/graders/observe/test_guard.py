"""The guard, in processes of its own: once it is up, it stays."""

import json
import subprocess
import sys

import pytest

from tests.graders.observe.detours_to_frames import BORROWED, DETOURS

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


@pytest.mark.parametrize("way", DETOURS.values(), ids=DETOURS)
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
