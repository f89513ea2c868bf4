from pathlib import Path

import pytest
from click.testing import CliRunner

from graders import similar as similarity
from graders.cli import main
from graders.exercise import all_exercises, load, source_of
from graders.reading.submissions import Submission, find_submissions
from graders.similar import ENOUGH, KINDS, LONGEST, alike, known_shingles, shingles, similar
from tests.graders.test_cli import PRELUDE, hand_in, notebook, quick

__all__ = ["quick"]

CLASS = Path(__file__).parent.parent / "submissions"

ODD = """\
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        pieces = [x]
        while len(pieces) < 2:
            pieces.append(x.clone())
        total = pieces[0] * pieces[1]
        ctx.save_for_backward(*pieces)
        return total

    @staticmethod
    def backward(ctx, grad_output):
        answer = None
        for piece in ctx.saved_tensors:
            part = grad_output * piece
            answer = part if answer is None else answer + part
        return answer
"""
RENAMED = (
    ODD.replace("pieces", "stuff")
    .replace("piece", "thing")
    .replace("total", "outcome")
    .replace("answer", "res")
    .replace("part", "bit")
    .replace("(ctx, x)", "(context, inp)")
    .replace("ctx", "context")
    .replace("[x]", "[inp]")
    .replace("x.clone", "inp.clone")
    .replace("grad_output", "g")
)
REORDERED = """\
class Square(Function):
    @staticmethod
    def backward(ctx, grad_output):
        answer = None
        for piece in ctx.saved_tensors:
            part = grad_output * piece
            answer = part if answer is None else answer + part
        return answer

    @staticmethod
    def forward(ctx, x):
        pieces = [x]
        while len(pieces) < 2:
            pieces.append(x.clone())
        total = pieces[0] * pieces[1]
        ctx.save_for_backward(*pieces)
        return total
"""
REFORMATTED = '''\
class Square( Function ) :
    """My own square."""
    @staticmethod
    def forward(ctx, x: "Tensor") -> "Tensor":
        # first we make the pieces
        pieces: list = [ x ]
        while (len(pieces) < 2) :
            pieces.append( x.clone() )      # one more
        print("pieces", pieces)
        total = (
            pieces[0]
            * pieces[1]
        )
        ctx.save_for_backward( *pieces ) ; return total

    @staticmethod
    def backward( ctx, grad_output ) :
        answer = None
        for piece in ctx.saved_tensors :
            part = (grad_output * piece)
            answer = (part if answer is None
                      else answer + part)
        return answer
'''
HONEST = """\
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.doubled = x + x
        ctx.shape = x.shape
        squares = x ** 2
        assert squares.shape == ctx.shape
        return squares

    @staticmethod
    def backward(ctx, grad_output):
        slope = ctx.doubled
        if grad_output.shape != ctx.shape:
            raise ValueError(f"{grad_output.shape} is not {ctx.shape}")
        return slope.mul(grad_output)
"""
BROKEN = ODD.replace("return total", "return total)")

SQUARE = load("fn-square")
KNOWN = known_shingles(SQUARE)


def found(answers):
    return {pair.students: pair for pair in alike("fn-square", answers, KNOWN)}


@pytest.mark.parametrize("disguised", [RENAMED, REORDERED, REFORMATTED, RENAMED + "\n# mine\n"])
def test_a_copy_is_found_in_any_disguise(disguised):
    (pair,) = found({"ada": ODD, "ben": disguised, "cleo": HONEST}).values()
    assert pair.students == ("ada", "ben")
    assert pair.share > 0.8
    assert pair.shingles >= ENOUGH
    assert not pair.verbatim


def test_a_number_that_python_does_not_write_out_hides_nothing():
    (pair,) = found({"ada": ODD, "ben": f"{RENAMED}\nx = 0x{'f' * 5_000}\n"}).values()
    assert pair.share > 0.8


def test_names_comments_and_layout_leave_no_trace():
    assert shingles(ODD) == shingles(RENAMED) == shingles(REFORMATTED)


def test_a_copy_to_the_letter_is_called_so():
    assert found({"ada": ODD, "ben": ODD + "\n"})["ada", "ben"].verbatim


def test_code_that_does_not_parse_is_compared_as_well():
    pair = found({"ada": BROKEN, "ben": BROKEN.replace("pieces", "stuff"), "cleo": HONEST})
    assert list(pair) == [("ada", "ben")]


def test_half_a_copy_is_found_where_asked_for():
    half = (
        ODD.partition("    @staticmethod\n    def backward")[0]
        + HONEST.partition("        return squares\n\n")[2]
    )
    answers = {"ada": ODD, "ben": half}
    assert found(answers) == {}
    (pair,) = alike("fn-square", answers, KNOWN, threshold=0.4)
    assert pair.share < 0.7


def test_the_known_solutions_are_nobodys():
    for solution in (SQUARE.reference, *(each.solution for each in SQUARE.variants)):
        source = source_of(solution, "Square")
        assert found({"ada": source, "ben": source}) == {}
    assert found({"ada": SQUARE.starter, "ben": SQUARE.starter}) == {}


@pytest.mark.parametrize("exercise", ["fn-clamp", "fn-linear", "dirty-multiply-add", "cap-repair"])
def test_a_starter_with_a_broken_line_is_nobodys(exercise):
    asked = load(exercise)
    broken = asked.starter + "\nmy answer here ("
    assert not list(alike(exercise, {"ada": broken, "ben": broken}, known_shingles(asked)))


def test_what_many_have_is_nobodys():
    few = {f"student {n}": ODD for n in range(4)}
    many = {f"student {n}": ODD for n in range(40)}
    assert len(found(few)) == 6
    assert found(many) == {}


def test_solutions_of_two_lines_do_not_count():
    short = "class Square(Function):\n    forward = lambda ctx, x: x * x\n"
    assert found({"ada": short, "ben": short}) == {}


@pytest.mark.parametrize(
    "exercise",
    [each for each in all_exercises() if each.kind in KINDS],
    ids=lambda each: each.id,
)
def test_independent_solutions_are_not_alike(exercise):
    """Variants, as if nobody knew them: only the starter and the reference are left out."""
    # One author wrote these two, the second after the first.
    derived = {("more than was asked for", "numbers become duals, NumPy, prints")}
    answers = {each.name: source_of(each.solution, exercise.symbol) for each in exercise.variants}
    known = shingles(exercise.starter) | shingles(source_of(exercise.reference, exercise.symbol))
    pairs = {pair.students for pair in alike(exercise.id, answers, known)}
    assert pairs <= derived


def test_a_class_of_honest_students_is_not_suspected():
    assert similar(find_submissions(CLASS)) == []


@pytest.fixture
def submissions(tmp_path):
    """Of four students two have the same odd idea; all predict the same."""
    folder = tmp_path / "submissions"
    predicts = load("fn-predict")
    prediction = source_of(predicts.reference, predicts.symbol)
    for student, square in (
        ("ada", ODD),
        ("ben [bold]", RENAMED),
        ("cleo", HONEST),
        ("dora", source_of(SQUARE.reference, "Square")),
    ):
        hand_in(folder, student, notebook({"fn-square": square, "fn-predict": prediction}))
    return folder


def run(*arguments):
    return CliRunner().invoke(main, ["similar", *map(str, arguments)])


def test_the_command_lists_pairs_of_a_folder_of_submissions(submissions):
    result = run(submissions)
    assert result.exit_code == 0, result.output
    assert "ada and ben [bold]" in result.output
    assert "fn-square" in result.output
    assert "100%" in result.output
    assert "fn-predict" not in result.output
    assert "cleo" not in result.output
    assert "a reason to look, not a proof" in result.output


def test_the_command_takes_what_grade_has_written(quick, submissions, tmp_path):
    arguments = ["grade", str(submissions), "--out", str(tmp_path / "out"), "--isolation", "none"]
    assert CliRunner().invoke(main, [*arguments, "--jobs", "1"]).exit_code == 0
    assert "ada and ben" in run(tmp_path / "out").output
    submissions.rename(tmp_path / "elsewhere")
    result = run(tmp_path / "out")
    assert result.exit_code == 2
    assert "are no longer at" in result.output


def test_both_solutions_can_be_shown(submissions):
    output = run(submissions, "--show").output
    assert "pieces = [x]" in output
    assert "stuff = [inp]" in output


def test_nobody_alike_is_said(submissions):
    assert "No suspiciously alike solutions." in run(submissions, "--exercise", "fn-exp").output


def test_a_folder_without_submissions_is_told(tmp_path):
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "holds neither submissions nor" in result.output


def test_an_exercise_that_is_none_is_told(submissions):
    result = run(submissions, "--exercise", "fn-sqare")
    assert result.exit_code == 2
    assert "did you mean 'fn-square'" in result.output


def test_the_prelude_is_nobodys():
    assert not shingles(PRELUDE)


def test_a_solution_without_end_is_read_up_to_a_limit():
    one, other = ("".join(f"x{n} = {n}{sign}" for n in range(50_000)) for sign in (" ", "\n"))

    assert len(one) > LONGEST
    assert shingles(one) == shingles(one[:LONGEST])
    assert 1_000 < len(shingles(other)) < LONGEST


def test_the_words_of_what_is_no_python_are_gone_through_once(monkeypatch):
    given = []
    monkeypatch.setattr(similarity, "_marked", lambda word, own: given.append(own) or word)

    shingles("some words " * 1_000)

    assert len(given) == 2_000
    assert len(set(map(id, given))) == 1


def test_the_cells_of_a_submission_are_unpacked_once(monkeypatch):
    unpacked = []

    class Cells(tuple):
        def __iter__(self):
            unpacked.append(1)
            return super().__iter__()

    similar([Submission("ada", "07_custom_functions", Path("x"), Cells())])

    assert len(unpacked) == 1
