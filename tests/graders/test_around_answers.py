"""What students do around an answer, in the same cell, costs them nothing."""

from pathlib import Path

import pytest

from graders.exercise import PRELUDE, load, source_of
from graders.isolation import Limits, choose
from graders.reading.submissions import Submission
from graders.reading.written import PackedCells, Written
from graders.runner import grade_submission
from tests.graders.workers import ISOLATING

EXERCISE = load("fn-square")
ANSWER = source_of(EXERCISE.reference, EXERCISE.symbol)

AROUND = {
    "another default dtype": "torch.set_default_dtype(torch.float64)",
    "NumPy raises for all it can": "np.seterr(all='raise')",
    "recording is off": "torch.set_grad_enabled(False)",
    "recording is off for ever": "never_left = torch.no_grad(); never_left.__enter__()",
    "inference mode for ever": "torch.inference_mode().__enter__()",
    "anomalies are looked for": "torch.autograd.set_detect_anomaly(True)",
    "warnings are errors": "import warnings; warnings.simplefilter('error')",
    "no streams": "import sys; sys.stdout = sys.stderr = None",
    "a closed stream": "import sys; sys.stdout.close()",
    "builtins are hidden": "list = [1]; sum = 3; type = 4; len = 5; print = None; max = min = 0",
    "NumPy's name is gone": "del np",
    "short numbers": "np.set_printoptions(precision=2); torch.set_printoptions(precision=1)",
    "little room for calls": "import sys; sys.setrecursionlimit(150)",
    "no collector": "import gc; gc.disable(); gc.set_threshold(0)",
    "an eager collector": "import gc; gc.set_threshold(1, 1, 1)",
    "an alarm is set": "import signal; signal.alarm(1)",
    "another folder": "import os; os.chdir('/'); os.environ.clear()",
    "no search path": "import sys; sys.path.clear()",
    "a loop of events": "import asyncio; asyncio.set_event_loop(asyncio.new_event_loop())",
    "awaited": "import asyncio\nawait asyncio.sleep(0)",
    "tensors have a new method": "torch.Tensor.twice = lambda self: 2 * self",
    "tensors look otherwise": "torch.Tensor.__repr__ = lambda self: 'a tensor'",
    "magics and shell lines": "%matplotlib inline\n%timeit 1\n!ls",
    "a plot": "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()",
    "a grid of plots": "import matplotlib.pyplot as plt\nfig, axes = plt.subplots(2, 3)\n"
    "a, b, c, d, e, f = axes.flatten(); (a, b, c), (d, e, f) = axes; axes[0, 1].set_title('x')\n"
    "for ax in axes.flat: line, = ax.plot([1])\nassert len(axes[1]) == 3",
    "a row of plots": "from matplotlib import pyplot as plt\nfig, (a, b, c) = plt.subplots(1, 3)\n"
    "fig, ax = plt.subplots(); line, = ax.plot([1]); n, bins, patches = plt.hist([1, 2])\n"
    "w, h = fig.get_size_inches(); fig, axes = plt.subplots(2, squeeze=False); axes[0][0].grid()",
    "pages are shown": "from IPython.display import display, HTML, Markdown, clear_output\n"
    "display(HTML('<b>x</b>')); clear_output(wait=True); Markdown('# x')",
    "the shell is asked for": "ip = get_ipython()\nip.run_line_magic('matplotlib', 'inline')\n"
    "assert 'google.colab' not in str(ip)",
    "output is captured": "# timed\n%time sum([1])\nfiles = !ls\nhere = %pwd\n%pdb off",
    "files of its own": "import tempfile\nfrom pathlib import Path\n"
    "Path('notes.txt').write_text('x')\nwith tempfile.TemporaryDirectory() as folder:\n"
    "    Path(folder, 'a').write_text(Path('notes.txt').read_text())",
    "a comparison that fails": "import unittest\nclass T(unittest.TestCase):\n"
    "    def test(self):\n        self.assertEqual(1, 2)\nunittest.main(argv=[''], exit=False)",
    "memory is measured": "import tracemalloc\ntracemalloc.start(); tracemalloc.stop()",
    "a profile": "import cProfile\ncProfile.run('1')",
    "a profile in Python": "import profile\nprofile.run('1')",
    "a table of a profile": "import cProfile, pstats\nwith cProfile.Profile() as its:\n"
    "    sum([1])\nits.print_stats(); pstats.Stats(its).sort_stats('cumulative').print_stats(10)",
    "a debugger": "import pdb\npdb.set_trace(); breakpoint()\ntry:\n    1 / 0\n"
    "except ZeroDivisionError:\n    pdb.post_mortem()",
    "listening to all calls": "import sys\n"
    "sys.setprofile(print); sys.settrace(lambda *told: print)",
    "a trace of calls": "import trace\ntrace.Trace(count=1, trace=0).runfunc(len, [])",
    "numbers of tables": "import pandas as pd\ndf = pd.DataFrame({'loss': [1, 2]})\n"
    "df['twice'] = 2 * df['loss'] - df['loss'].mean() ** 2\n"
    "print(f'{df.loss.std():.2f}', df[df['loss'] > 1], -df['loss'] / 3)",
    "something for the end": "import atexit, weakref\natexit.register(print, 'bye')\n"
    "weakref.finalize(Function, print, 'gone')",
    "asynchronous throughout": "async def each():\n    yield 1\n"
    "async for one in each(): pass\n[one async for one in each()]",
    "a bar of progress": "from tqdm.auto import tqdm, trange\nbar = tqdm(range(3), desc='steps')\n"
    "for n in bar:\n    bar.set_postfix(n=n)\nassert n == 2 and list(trange(2)) == [0, 1]",
    "a table and a graph": "import pandas as pd, seaborn\nfrom torchviz import make_dot\n"
    "pd.DataFrame({'loss': [1, 2]}).plot()",
    "a graph": "x = torch.ones(2, requires_grad=True)\n"
    "here = torch.make_dot((x * x).sum(), {'x': x})\nhere.render('graph'); here",
    "a widget of one's own": "import ipywidgets\nclass Mine(ipywidgets.VBox):\n"
    "    def __init__(self):\n        super().__init__()\nMine().children = [len(Mine().children)]",
    "libraries that are not here": "import scipy.special, sympy\nimport sklearn as sk",
    "help and exit": "help(Function); exit; display(1)",
    "an input": "while input('more? '): pass",
    "everything of math": "from math import *\nfrom typing import *",
    "everything of NumPy": "from numpy import *",
    "everything of the engine": "from autograd_core import *",
    "logging": "import logging; logging.basicConfig(level=0); logging.debug('here')",
    "a thread that is refused": "import threading\n"
    "try:\n    threading.Thread(target=len).start()\nexcept RuntimeError:\n    pass",
    "half characters are printed": "print('\\ud800 \\x00 \\x1b[31m')",
    "much memory for a moment": "a = np.ones(20_000_000); del a",
    "an exit that is caught": "import sys\ntry:\n    sys.exit()\nexcept SystemExit:\n    pass",
    "doctests": 'import doctest\ndef f():\n    """\n    >>> f()\n    1\n    """\n    return 1\n'
    "assert doctest.testmod() == (0, 1)",
    "unit tests": "import unittest\nclass T(unittest.TestCase):\n"
    "    def test(self):\n        with self.assertWarns(UserWarning):\n"
    "            __import__('warnings').warn('here')\nunittest.main(argv=[''], exit=False)",
    "a patch for a moment": "import unittest.mock\n"
    "with unittest.mock.patch('builtins.print'):\n    print('nobody hears this')",
    "gradcheck": "torch.autograd.gradcheck(torch.sin, torch.ones(2).double().requires_grad_())",
    "listening to nothing": "import sys; sys.settrace(None); sys.setprofile(None)",
}


WRITTEN = f"""%%writefile my_functions.py
{PRELUDE}
def twice(x):
    return 2 * x


{ANSWER}"""


@pytest.mark.skipif(not ISOLATING, reason="no isolation works on this machine")
@pytest.mark.parametrize("isolation", ISOLATING)
def test_an_answer_may_come_from_a_file_that_a_cell_has_written(isolation):
    marked = "import my_functions\nfrom my_functions import Square, twice"
    cells = PackedCells([Written(0, PRELUDE), Written(1, WRITTEN), Written(2, marked, EXERCISE.id)])
    submission = Submission("ada", EXERCISE.lesson, Path("ada"), cells, "d")

    verdicts = grade_submission(submission, choose(isolation), Limits(), 3)

    (verdict,) = (each for each in verdicts if each.exercise == EXERCISE.id)
    assert verdict.status == "passed", verdict


@pytest.mark.skipif(not ISOLATING, reason="no isolation works on this machine")
@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("name", AROUND)
def test_an_answer_is_seen_whatever_stands_around_it(name, before):
    source = "\n\n".join([AROUND[name], ANSWER] if before else [ANSWER, AROUND[name]])
    cells = PackedCells([Written(0, PRELUDE), Written(1, source, EXERCISE.id)])
    submission = Submission("ada", EXERCISE.lesson, Path("ada"), cells, "d")

    verdicts = grade_submission(submission, choose(ISOLATING[0]), Limits(), 3)

    (verdict,) = (each for each in verdicts if each.exercise == EXERCISE.id)
    assert verdict.status == "passed", verdict
