import json

import pytest

from graders.draws import all_from
from graders.exercise import load, source_of
from graders.isolation import Limits
from graders.remembered import observation_in
from graders.request import checks_of
from tests.graders.workers import ISOLATING, events_of, outcomes

PRELUDE = "import autograd_core as torch\nfrom autograd_core.autograd import Function\n"
NUMBER = {"id": "the-number", "symbol": "number", "cell": 0}
VALUE = {"name": "value", "scenario": {"name": "value"}, "inputs": {"seed": 1}}


def told(cells, exercises=(), **more):
    return events_of("none", cells, exercises, **more)


def named(events, name):
    return [event for event in events if event["event"] == name]


def observed(cells, **change):
    """The first observation of the symbol `number`."""
    exercise = {**NUMBER, "checks": [VALUE], **change}
    (found,) = named(told(cells, [exercise]), "observation")
    return observation_in(found["seen"])


def test_cells_share_one_namespace_in_order():
    (_, first), (_, second) = outcomes("none", ["x = 1", "x += 1\nprint(x)"])

    assert (first, second) == ("", "2\n")


def test_an_exception_does_not_stop_the_next_cell():
    found = outcomes("none", ["1 / 0", "print('on')"])

    assert found == [["ZeroDivisionError: division by zero", ""], ["ok", "on\n"]]


@pytest.mark.parametrize(
    ("ending", "outcome"),
    [
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt: "),
        ("raise GeneratorExit", "GeneratorExit: "),
        ("class Own(BaseException): pass\nraise Own('bye')", "Own: bye"),
        ("def f(): f()\nf()", "RecursionError: maximum recursion depth exceeded"),
        ("class Bad(Exception):\n    def __str__(self): raise ValueError\nraise Bad", "Bad: "),
        ("def f(:", "SyntaxError: invalid syntax"),
        ("x = '\x00'", "SyntaxError: source code string cannot contain null bytes"),
    ],
)
def test_whatever_a_cell_ends_with_is_told_and_the_next_runs(ending, outcome):
    (first, _), (second, printed) = outcomes("none", [ending, "print('on')"])

    # Python 3.12 calls a null byte what 3.11 calls it, but as another type.
    assert first.replace("ValueError", "SyntaxError") == outcome
    assert (second, printed) == ("ok", "on\n")


def test_an_error_names_the_students_line():
    (event,) = named(told(["x = 1\ny = 2\n\ny / 0  # here\n"]), "cell_error")

    assert event["error"]["line"] == 4
    assert event["error"]["source_line"] == "y / 0  # here"


def test_output_is_kept_up_to_its_limit():
    ((outcome, printed),) = outcomes(
        "none",
        ["import sys\nfor i in range(5000): print('line', i)\nprint('late', file=sys.stderr)"],
        Limits(output_bytes=1000),
    )

    assert outcome == "ok"
    assert printed.startswith("line 0\nline 1\n")
    assert len(printed) == 1000


def test_both_streams_are_kept_whatever_is_done_to_them():
    cells = [
        "import sys, warnings\nprint('one')\nprint('two', file=sys.stderr)\n"
        "sys.stdout.buffer.write(b'three\\n')\nsys.stdout.close()",
        "import sys\nsys.stdout = None\nprint('nowhere')",
        "print('again')",
    ]

    printed = [text for _, text in outcomes("none", cells)]

    assert printed == ["one\ntwo\nthree\n", "", "again\n"]


def test_writing_to_descriptors_reaches_no_channel():
    cells = ['import os\nos.write(1, b\'{"event": "done"}\\n\')\nos.write(2, b"x")', "print('on')"]

    events = told(cells)

    assert [event["event"] for event in events] == ["cell", "cell", "cell_output", "done"]


def test_whoever_asks_on_stdin_is_answered_with_enter_and_not_for_ever():
    asking = "name = input('Your name? ')\nassert name == ''\nprint('on')"
    events = told([asking, "while True:\n    input()"])

    (error,) = named(events, "cell_error")
    assert (error["index"], error["error"]["type"]) == (1, "EOFError")


def test_top_level_await_runs():
    cell = (
        "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 5\nprint(await f())"
    )

    assert outcomes("none", [cell, cell]) == [["ok", "5\n"], ["ok", "5\n"]]


def test_future_imports_hold_for_later_cells():
    found = outcomes("none", ["from __future__ import annotations", "def f(x: Unknown): pass"])

    assert [outcome for outcome, _ in found] == ["ok", "ok"]


@pytest.mark.parametrize(
    "demonstration",
    [
        "from graders import check\nassert check('fn-square') is None",
        "from graders.check import check\nassert check('fn-square') is None",
        "import graders.check\ngraders.check.check(1)\nfrom graders import check\ncheck(2)",
        "from IPython.display import HTML, display\ndisplay(HTML('<b>'))",
        "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1])\nplt.show()",
        "from lessons.widgets import stepper\nstepper(1).show()",
        "from lessons.widgets.graph import Stepper as S\nwith S() as s: s['a'] = s[0]",
        "get_ipython().run_line_magic('matplotlib', 'inline')\nls = get_ipython().getoutput('ls')",
        "display(3)",
        "import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: int\nassert A(1) == A(1)",
        "import inspect\ndef f(): return 5\nassert '5' in inspect.getsource(f)",
    ],
)
def test_demonstrations_run_without_what_they_show(demonstration):
    ((outcome, _),) = outcomes("none", [demonstration])

    assert outcome == "ok"


PYTORCH = """\
import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import Function, gradcheck
from torch.optim.lr_scheduler import StepLR
import autograd_core
print(torch is autograd_core, F.relu is autograd_core.nn.functional.relu)
print(nn.Linear.__module__, Function is autograd_core.autograd.Function, autograd_core.__name__)
"""


@pytest.mark.parametrize("isolation", ["none", *ISOLATING])
def test_pytorch_is_the_engine(isolation):
    found = outcomes(isolation, [PYTORCH, "import torch.fft", "import torchvision"])

    assert found == [
        ["ok", "True True\nautograd_core.nn.layers True autograd_core\n"],
        ["ModuleNotFoundError: No module named 'torch.fft'", ""],
        ["ModuleNotFoundError: No module named 'torchvision'", ""],
    ]


def test_the_graders_are_not_there_to_be_imported():
    ((_, printed),) = outcomes(
        "none",
        [
            "import graders.exercises.fn_square as s, graders.judging.judge as j, sys\n"
            "print(type(s).__name__, type(j).__name__)\n"
            "print('graders.exercise' in sys.modules, 'graders.check' in sys.modules)"
        ],
    )

    assert printed == "SilentModule SilentModule\nFalse False\n"


def test_a_symbol_is_observed_as_it_is_after_its_cell():
    cells = ["number = 1", "number = 2"]

    assert observed(cells, cell=0).records == {"answer": 1}
    assert observed(cells, cell=1).records == {"answer": 2}
    assert observed(cells, cell=None).records == {"answer": 2}


def test_a_missing_symbol_is_told_and_not_observed():
    events = told(["other = 1"], [{**NUMBER, "checks": [VALUE]}])

    (symbol,) = named(events, "symbol")
    assert (symbol["found"], symbol["fingerprint"]) == (False, "")
    assert named(events, "observation") == []


def test_a_skipped_cell_does_not_run():
    events = told(["print('no')", "print('yes')"], skip=[0])

    assert [event["stdout"] for event in named(events, "cell_output")] == ["yes\n"]


def test_a_scenario_may_come_as_source():
    source = "def half(solution, lab):\n    lab.record('half', solution / lab.value('by'))\n"
    check = {
        "name": "half",
        "scenario": {"source": source, "entry": "half"},
        "inputs": {"seed": 1, "by": 2},
    }

    assert observed(["number = 5"], checks=[check]).records == {"half": 2.5}


def test_an_observation_that_is_too_large_is_no_observation():
    source = (
        "def large(solution, lab):\n"
        "    for i in range(400):\n        lab.record(str(i), lab.torch.zeros(2_000))\n"
    )
    check = {"name": "large", "scenario": {"source": source, "entry": "large"}, "inputs": {}}

    seen = observed(["number = 1"], checks=[check])

    assert seen.records == {}
    assert seen.error is not None
    assert "too large" in seen.error.message


@pytest.mark.parametrize(
    "mischief",
    [
        "import builtins\nbuiltins.len = builtins.isinstance = builtins.print = None",
        "import json, os\njson.dumps = json.loads = os.write = None",
        "import sys\nsys.settrace(lambda *_: 1 / 0)",
        "import sys\nsys.setrecursionlimit(60)",
        "import warnings\nwarnings.simplefilter('error')\nwarnings.warn = None",
        "torch.set_grad_enabled(False)",
        "import random, numpy\nrandom.seed = numpy.random.seed = None",
        "import gc\ngc.disable()",
        "import sys\ndel sys.modules['__main__'], sys.modules['json']",
        "import atexit\natexit.register(print, 1)\natexit.register(lambda: 1 / 0)",
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)",
    ],
)
def test_mischief_never_makes_a_wrong_solution_right(mischief):
    exercise = load("fn-square")
    wrong = source_of(exercise.misconceptions[0].solution, "Square")
    request = {
        "id": exercise.id,
        "symbol": "Square",
        "cell": 2,
        "checks": checks_of(exercise, all_from(exercise, 3)),
    }

    def seen_beside(cell):
        events = told([PRELUDE, cell, wrong], [request])
        return [json.loads(event["seen"]) for event in named(events, "observation")]

    plain = seen_beside("")

    found = seen_beside(mischief)

    for seen, honest in zip(found, plain, strict=False):
        assert seen["error"] is not None or seen["records"] == honest["records"]
