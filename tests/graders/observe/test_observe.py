import linecache
import random
import sys
import warnings

import numpy as np
import pytest

import autograd_core as torch
from autograd_core.autograd import Function
from graders.exercise import load
from graders.inputs import case
from graders.observe import codec, scenarios
from graders.observe.failure import describe
from graders.observe.fingerprint import UNREADABLE, fingerprint
from graders.observe.lab import Lab, observe
from graders.observe.same_start import random_numbers_kept
from graders.selftest import judged
from tests.graders.observe.looking import Multiply


def records_of(scenario, solution=None, inputs=None):
    seen = observe(scenario, solution, inputs or {"seed": 1})
    assert seen["error"] is None
    return {name: codec.decode(value) for name, value in seen["records"].items()}


def test_records_are_copied_at_the_moment_they_are_made():
    def scenario(solution, lab):
        x = lab.torch.zeros(2)
        lab.record("before", x)
        x.add_(1)
        lab.record("after", x)

    seen = records_of(scenario)

    assert seen["before"].values.tolist() == [0, 0]
    assert seen["after"].values.tolist() == [1, 1]


def test_outcome_records_an_exception_and_goes_on():
    def scenario(solution, lab):
        assert lab.outcome("division", lambda: 1 / 0) is None
        assert lab.outcome("sum", lambda: 1 + 1) == 2

    assert records_of(scenario) == {
        "division": codec.ErrorData("ZeroDivisionError", "division by zero"),
        "sum": "no error",
    }


@pytest.mark.parametrize(
    "error", [ValueError("no"), SystemExit(3), RecursionError(), MemoryError()]
)
def test_exceptions_end_the_scenario_but_not_the_caller(error):
    def scenario(solution, lab):
        lab.record("reached", True)
        raise error

    seen = observe(scenario, None, {})

    assert seen["error"]["type"] == type(error).__name__
    assert seen["records"] == {"reached": True}


def test_a_persons_interrupt_passes_through():
    def scenario(solution, lab):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        observe(scenario, None, {})


def test_observing_leaves_grad_mode_and_filters_alone():
    def scenario(solution, lab):
        torch.set_grad_enabled(False)
        warnings.simplefilter("error")

    filters = list(warnings.filters)

    observe(scenario, None, {"seed": 9})

    assert torch.is_grad_enabled()
    assert list(warnings.filters) == filters


def test_a_default_dtype_of_the_student_s_is_theirs_alone():
    def scenario(solution, lab):
        lab.record("made", lab.torch.zeros(1).dtype == torch.float32)
        torch.set_default_dtype(torch.float16)

    torch.set_default_dtype(torch.float64)
    try:
        assert records_of(scenario)["made"]
        assert torch.get_default_dtype() == torch.float64
        for name in ("fn-linear", "nograd-sgd", "cap-train"):
            assert judged(load(name), load(name).reference, 1).status == "passed"
    finally:
        torch.set_default_dtype(torch.float32)


def test_random_numbers_are_kept_for_those_who_ask():
    def draw():
        return torch.randn(2).tolist(), np.random.rand(), random.random()

    torch.manual_seed(0), np.random.seed(0), random.seed(0)
    expected = draw()

    torch.manual_seed(0), np.random.seed(0), random.seed(0)
    with random_numbers_kept(torch):
        torch.manual_seed(5)
        draw()

    assert draw() == expected


def test_random_numbers_are_the_same_in_every_observation():
    def scenario(solution, lab):
        lab.record("drawn", [torch.randn(1).item(), np.random.rand(), random.random()])

    assert records_of(scenario) == records_of(scenario)


def test_what_is_printed_is_captured_and_capped(capsys):
    def scenario(solution, lab):
        print("hello")
        print("a" * 100_000)
        sys.stderr.write("never mind")

    seen = observe(scenario, None, {})

    assert seen["stdout"].startswith("hello\n")
    assert len(seen["stdout"]) <= 4_000
    assert capsys.readouterr() == ("", "")


def test_warnings_are_noted():
    def scenario(solution, lab):
        warnings.warn("careful", UserWarning, stacklevel=1)

    assert codec.decode(observe(scenario, None, {})["notes"]["warnings"]) == ["careful"]


def test_upstream_gradients_are_random_but_repeatable_and_never_one():
    def scenario(solution, lab):
        lab.record("gradient", lab.upstream(lab.torch.zeros(50)))

    first = records_of(scenario, inputs={"seed": 1})["gradient"].values
    other = records_of(scenario, inputs={"seed": 2})["gradient"].values

    np.testing.assert_array_equal(first, records_of(scenario)["gradient"].values)
    assert not np.array_equal(first, other)
    assert (np.abs(first) > 1.05).all()
    assert (first < 0).any()
    assert (first > 0).any()


def test_a_transposed_tensor_is_a_leaf_of_other_strides():
    lab = Lab({})
    array = np.arange(6, dtype=np.float32).reshape(2, 3)

    tensor = lab.build(array, requires_grad=True, transposed=True)

    assert tensor.tolist() == array.tolist()
    assert tensor.is_leaf
    assert not tensor.is_contiguous()


X, Y = np.float32([[1, 2, 3], [4, 5, 6]]), np.float32([10, 20, 30])


def test_what_the_engine_forgives_is_noted():
    inputs = {"cases": [case("rows", x=X, y=Y), case("fixed", frozen=["x"], x=X, y=X)]}

    notes = observe(scenarios.function_gradients, Multiply, inputs)["notes"]

    assert codec.decode(notes["rows: unsummed"]) == ["y"]
    assert codec.decode(notes["fixed: unneeded"]) == ["x"]
    assert "fixed: unsummed" not in notes


def test_a_function_that_returns_no_tensor_is_told_so():
    class Nothing(Multiply):
        @staticmethod
        def forward(ctx, x, y):
            return None

    inputs = {"cases": [case("rows", x=X, y=Y)]}

    seen = observe(scenarios.function_reuse, Nothing, inputs)

    assert seen["error"]["message"] == "apply returned None, not a Tensor"


def test_what_is_no_function_class_is_told_so():
    class Plain:
        @staticmethod
        def apply(x):
            return x * x

    for impostor, told in ((lambda x: x, "a function"), (Plain, "another class"), (None, "None")):
        seen = observe(scenarios.function_values, impostor, {"cases": [case("rows", x=X)]})

        assert seen["error"]["message"] == f"expected a subclass of Function, but got {told}"


@pytest.mark.parametrize("decorate", [torch.no_grad(), torch.autograd.function.once_differentiable])
def test_a_decorated_backward_is_the_students_own(decorate):
    class Decorated(Multiply):
        backward = staticmethod(decorate(Multiply.backward))

    seen = observe(scenarios.function_values, Decorated, {"cases": [case("rows", x=X, y=Y)]})

    assert seen["error"] is None


def test_a_scenario_sent_as_source_stands_on_its_own():
    source = "def own(solution, lab: Lab) -> Nonexistent:\n    lab.record('it', solution + 1)\n"

    scenario = scenarios.resolve({"source": source, "entry": "own"})

    assert records_of(scenario, 41) == {"it": 42}


def test_the_students_own_line_is_told():
    source = "def broken(x):\n    return x.missing\n"
    linecache.cache["<cell 7>"] = (len(source), None, source.splitlines(True), "<cell 7>")
    namespace: dict = {}
    exec(compile(source, "<cell 7>", "exec"), namespace)

    told = observe(lambda solution, lab: solution(1), namespace["broken"], {})["error"]

    assert told == {
        "type": "AttributeError",
        "message": "'int' object has no attribute 'missing'",
        "line": 2,
        "source_line": "return x.missing",
    }


def test_an_error_inside_the_engine_points_to_the_line_that_called_it():
    source = "def broken(torch):\n    torch.tensor(1.0).backward()\n"
    linecache.cache["<cell 8>"] = (len(source), None, source.splitlines(True), "<cell 8>")
    namespace: dict = {}
    exec(compile(source, "<cell 8>", "exec"), namespace)

    told = observe(lambda solution, lab: solution(lab.torch), namespace["broken"], {})["error"]

    assert told["line"] == 2
    assert told["source_line"] == "torch.tensor(1.0).backward()"


def test_a_syntax_error_tells_its_line():
    with pytest.raises(SyntaxError) as caught:
        compile("x = 1\ny = = 2\n", "<cell 1>", "exec")

    told = describe(caught.value)

    assert (told["line"], told["source_line"]) == (2, "y = = 2")


def test_an_exception_that_cannot_be_printed_is_still_described():
    class MuteError(Exception):
        def __str__(self):
            raise RuntimeError

    assert describe(MuteError())["type"] == "MuteError"
    assert describe(MuteError())["message"] == ""


def defined(source: str) -> object:
    namespace: dict = {"Function": Function}
    exec(source, namespace)
    return namespace["f"]


STARTER = (
    'class f(Function):\n    """Doc."""\n    @staticmethod\n    def forward(ctx, x):\n        ...\n'
)


@pytest.mark.parametrize(
    "edited",
    [
        STARTER.replace("...", "... # my plan"),
        STARTER.replace('    """Doc."""\n', ""),
        STARTER.replace("        ...", '        """Todo."""'),
        STARTER.replace("        ...", "        pass"),
        "\n\n" + STARTER,
    ],
)
def test_comments_docstrings_and_place_do_not_change_a_fingerprint(edited):
    assert fingerprint(defined(edited)) == fingerprint(defined(STARTER))


def test_a_loop_has_the_same_fingerprint_wherever_its_modules_were_imported():
    loop = "def f(n):\n    for _ in range(n):\n        with torch.no_grad():\n            n.sin()\n"
    namespace: dict = {"torch": torch}
    exec(loop, namespace)

    imported_beside = defined("import autograd_core as torch\n" + loop)

    assert fingerprint(imported_beside) == fingerprint(namespace["f"])
    assert fingerprint(defined(loop.replace("range(n)", "range(2)"))) != fingerprint(
        imported_beside
    )


@pytest.mark.parametrize(
    "edited",
    [
        STARTER.replace("...", "return x"),
        STARTER.replace("...", "return x.sin()"),
        STARTER + "    extra = 1\n",
        STARTER.replace("(Function)", ""),
        "f = None",
        "def f(ctx, x): ...",
    ],
)
def test_any_code_changes_a_fingerprint(edited):
    assert fingerprint(defined(edited)) != fingerprint(defined(STARTER))


def test_constants_and_called_names_are_part_of_a_fingerprint():
    def prints(*sources: str) -> set[str]:
        return {fingerprint(defined(source)) for source in sources}

    assert len(prints("def f(x): return x.sin()", "def f(x): return x.cos()")) == 2
    assert len(prints("def f(x): return x + 1", "def f(x): return x + 2")) == 2
    assert len(prints("def f(x, y=1): return x", "def f(x, y=2): return x")) == 2
    assert len(prints("f = {'a': None}", "f = {'a': True}")) == 2


def test_a_class_that_holds_itself_has_a_fingerprint():
    class Knot:
        pass

    Knot.itself = Knot

    assert fingerprint(Knot) != UNREADABLE


def test_closing_the_output_loses_neither_words_nor_records():
    def closes(solution, lab):
        import sys

        print("before")
        sys.stdout.close()
        lab.record("after", 1)

    seen = observe(closes, None, {})
    assert (seen["error"], seen["stdout"], list(seen["records"])) == (None, "before\n", ["after"])


class Deaf(torch.Tensor):
    def add_(self, *others, **options):
        return self


@pytest.mark.parametrize(
    "spoil",
    [
        lambda x: setattr(x, "add_", lambda *others: x),
        lambda x: setattr(x, "__class__", Deaf),
    ],
    ids=["a method of its own", "another class"],
)
def test_a_tensor_that_got_other_methods_is_noticed(spoil):
    case = next(Lab({"cases": [{"name": "a", "args": {"x": np.ones(2, np.float32)}}]}).cases())

    with pytest.raises(TypeError, match="with the engine's methods"):
        case.call(spoil, case.arguments())


def test_a_tensor_may_be_given_a_note_and_be_a_parameter():
    case = next(Lab({"cases": [{"name": "a", "args": {"x": np.ones(2, np.float32)}}]}).cases())

    def noting(x):
        x.note = lambda: "mine"
        return torch.nn.Parameter(x.detach())

    assert isinstance(case.call(noting, case.arguments()), torch.Tensor)
