"""`nograd-claims`: what does no_grad do, and what does it leave alone?"""

from __future__ import annotations

from graders.exercise import Exercise, Variant
from graders.exercises._statements import Statement, listed, misconceptions, starter, theme, truth

STATEMENTS = (
    Statement(
        "a",
        "flags-are-hidden",
        "Under `no_grad`, `w.requires_grad` reads False.",
        False,
        "Statement a: you expect `no_grad` to change the flags of existing tensors. It decides "
        "only whether new operations are recorded.",
    ),
    Statement(
        "b",
        "still-not-a-leaf",
        "`u = w * 2`, computed under `no_grad`, is a leaf.",
        True,
        "Statement b: you expect every result of an operation to be a non-leaf. A tensor without a "
        "recorded history is a leaf, and here nothing was recorded.",
    ),
    Statement(
        "c",
        "value-lost",
        "In later products, a number computed under `no_grad` counts as zero in backward.",
        False,
        "Statement c: you expect the value to be lost together with the history. The value is "
        "there and counts as a constant factor.",
    ),
    Statement(
        "d",
        "factories-obey",
        "`torch.ones(3, requires_grad=True)`, called under `no_grad`, requires grad.",
        True,
        "Statement d: you expect that nothing made under `no_grad` can require grad. Creating a "
        "leaf is not an operation that could be recorded, so `no_grad` does not affect it.",
    ),
    Statement(
        "e",
        "backward-is-forbidden",
        "Under `no_grad`, backward through a graph that was recorded before works as usual.",
        True,
        "Statement e: you expect `no_grad` to stop backward. It keeps new operations from being "
        "recorded; a graph that exists already can be walked.",
    ),
    Statement(
        "f",
        "exceptions-leave-it-off",
        "When an exception ends a `with` block of `no_grad`, recording stays off.",
        False,
        "Statement f: you expect an exception to skip the end of the block. A `with` block "
        "restores the previous mode however it is left.",
    ),
    Statement(
        "g",
        "leaves-stay-untouchable",
        "Under `no_grad`, `w` may be changed in place although it requires grad.",
        True,
        "Statement g: you expect that a leaf that requires grad can never be changed in place. "
        "Only a recorded change of it is refused.",
    ),
    Statement(
        "h",
        "the-outer-mode-wins",
        "Inside `enable_grad`, `w * 2` is recorded even if `no_grad` stands around it.",
        True,
        "Statement h: you expect the outer mode to win. The innermost block decides.",
    ),
    Statement(
        "i",
        "mode-of-all-threads",
        "A `no_grad` block in one thread switches recording off in all threads.",
        False,
        "Statement i: you take the mode to be one switch for the whole program. Each thread has "
        "its own.",
    ),
    Statement(
        "j",
        "history-comes-back",
        "After the block, `u * 3` requires grad again, because `u` was made from `w`.",
        False,
        "Statement j: you expect the history to come back after the block. What was not recorded "
        "then is unknown to the engine now.",
    ),
    Statement(
        "k",
        "eval-switches-off",
        "`model.eval()` switches recording off while the model runs.",
        False,
        "Statement k: you took the evaluation mode of a module for the mode of recording. It tells "
        "layers such as dropout how to behave; operations are recorded as before.",
    ),
    Statement(
        "l",
        "inference-is-the-same",
        "What was made under `inference_mode` can be multiplied with `w` later, as after "
        "`no_grad`.",
        False,
        "Statement l: you take `inference_mode` for another name of `no_grad`. It gives up more: "
        "its tensors cannot be saved for a backward later on.",
    ),
    Statement(
        "m",
        "inner-end-switches-on",
        "When the inner one of two nested `no_grad` blocks ends, recording is on again.",
        False,
        "Statement m: you expect the end of a block to switch recording on. It restores the mode "
        "from before, and before the inner block recording was off.",
    ),
    Statement(
        "n",
        "functions-have-blocks",
        "After a plain call `torch.set_grad_enabled(False)`, recording stays off until it is "
        "switched on again.",
        True,
        "Statement n: you expect a plain call to be undone by itself. There is no block whose end "
        "could restore the previous mode.",
    ),
    Statement(
        "o",
        "detach-saves-the-memory",
        "While it runs, `model(x).detach()` needs as much memory for its graph as `model(x)`.",
        True,
        "Statement o: you expect `detach` to avoid the memory for what was recorded before it. The "
        "whole graph had been built when the result was detached from it.",
    ),
)

TRUTH = truth(STATEMENTS)

EXERCISE = Exercise(
    id="nograd-claims",
    lesson="04_no_grad",
    section="What no_grad switches off, and what not",
    title="What no_grad does and does not do",
    symbol="verdicts",
    kind="explain",
    points=5,
    difficulty=2,
    minutes=6,
    task=(
        "Write `True` or `False` for each statement. Points are given for each group of related "
        "statements, when all in it are right. In all of them `w` is "
        "`torch.tensor(2.0, requires_grad=True)` and `model` a module with parameters that "
        "require grad.\n\n" + listed(STATEMENTS)
    ),
    starter=starter(STATEMENTS),
    reference=TRUTH,
    checks=(
        theme("results", "what is computed under `no_grad`", "bcj"),
        theme("existing tensors", "tensors and graphs that exist already", "aeg"),
        theme("beginning and end", "where a mode ends", "fmn"),
        theme("scope", "what a mode reaches", "dhi"),
        theme("alternatives", "what looks like `no_grad`", "klo"),
    ),
    misconceptions=misconceptions(STATEMENTS),
    variants=(
        Variant("zeros and ones", {key: int(true) for key, true in TRUTH.items()}),
        Variant("more keys than asked for", {**TRUTH, "note": "I ran them all"}),
    ),
    hints=(
        "Most verdicts follow from one sentence: while recording is off, no operation is "
        "recorded. Nothing else is different.",
        "Ask of each statement whether it speaks of an operation that runs in the block, of "
        "something that was there before, or of what comes after.",
        "Each statement is two or three lines of a program. Write those of which you are unsure "
        "in a cell of your own, and print `requires_grad`, `is_leaf` and `is_grad_enabled()`.",
    ),
    place=5,
)
