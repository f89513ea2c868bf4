"""The prediction gate: questions before a step, and the misconceptions behind wrong answers."""

import autograd_core as torch
from graders.exercise import load
from lessons.widgets.stepper import record, step

from .test_stepper_truth import document


def questions(story):
    """Questions with the headline of their step and what is known about the answer."""
    return [
        (each["title"], each["question"], story["answers"][each["question"]["token"]])
        for each in story["steps"]
        if "question" in each
    ]


def test_the_meeting_of_two_paths_is_asked_about():
    x1, x2, y, z = document()
    title, question, known = questions(step(z, x1=x1, x2=x2, y=y).story)[0]
    # Without names for them the two branches are not spoken of.
    assert title == "Backward: y"
    assert question["kind"] == "number"
    assert abs(float(known["truth"]) - 0.3324) < 1e-4
    assert known["shown"] == "0.3324"


def test_wrong_answers_name_the_graders_misconceptions():
    x = torch.tensor(1.0, requires_grad=True)
    with record() as recording:
        y = 3 * x
        z = 2 * y + 5 * y
        z.backward()
    ((title, question, known),) = questions(recording.story)
    assert title == "Backward: 2 * y"
    assert question["text"] == (
        "1 has arrived at 2 * y, and the slope there is 2. Once that is sent on, what is the "
        "whole gradient at y?"
    )
    assert known["truth"] == known["shown"] == "7"
    ideas = {each["answer"]: each["misconception"] for each in known["wrong"]}
    assert ideas == {
        "2": "graph-tape/overwrites",
        "5": "graph-tape/first-one-wins",
        "10": "graph-tape/multiplies-at-meetings",
        "6": "graph-tape/without-slopes",
    }
    words = {each.id: each.says for each in load("graph-tape").misconceptions}
    assert known["wrong"][0]["says"] == f"`overwrites`: {words['overwrites']}"


def test_a_second_backward_asks_what_becomes_of_the_first_gradient():
    x = torch.tensor(3.0, requires_grad=True)
    with record() as recording:
        z = x**2
        z.backward(retain_graph=True)
        z.backward()
    ((title, question, known),) = questions(recording.story)
    assert (title, known["truth"]) == ("x.grad", "12")
    assert question["text"] == "x.grad is 6, and 6 arrives. What is it then?"
    assert known["wrong"][0]["misconception"] == "reqgrad-backward-twice/overwrites"


def test_before_the_engine_refuses_it_is_asked_what_will_happen():
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    z = y.sum()
    y.add_(1)
    _, question, known = questions(step(z).story)[0]
    assert question["kind"] == "choice"
    assert known["truth"] == known["shown"]
    assert known["truth"] in question["choices"]
    assert known["wrong"][0]["answer"] in question["choices"]


def test_a_leaf_that_no_path_leads_to_is_asked_about():
    x = torch.tensor(3.0, requires_grad=True)
    w = torch.tensor(2.0, requires_grad=True)
    with record() as recording:
        z = (w * 5).detach() * x
        z.backward()
    title, question, known = questions(recording.story)[0]
    assert title == "Backward begins"
    assert question["text"] == "Backward begins. What will w.grad be when it is over?"
    assert (known["truth"], question["choices"][0]) == ("None", "None")
    assert {each["misconception"] for each in known["wrong"]} == {
        "leaf-grads/detach-lets-gradients-through",
        "leaf-grads/unused-means-zero",
    }


def test_answers_with_four_decimals_are_right_enough():
    x = torch.tensor(0.03, requires_grad=True)
    w = torch.tensor(0.07, requires_grad=True)
    with record() as recording:
        y = x * w
        z = y * 0.3 + y.sin() * 0.1
        z.backward()
    for _, question, known in questions(recording.story):
        if question["kind"] == "number":
            truth = float(known["truth"])
            assert abs(round(truth, 4) - truth) <= known["tolerance"] * abs(truth)


def test_the_answer_stands_nowhere_in_the_question():
    x1, x2, y, z = document()
    for _, question, known in questions(step(z, x1=x1, x2=x2, y=y).story):
        assert known["truth"][:6] not in question["text"]
