"""`leaf-walk`: from any tensor back to the leaves that it was computed from."""

from __future__ import annotations

from graders.exercise import Check, Exercise, Misconception, Variant
from graders.exercises import _leaf_searches as searches
from graders.inputs import signed


def look_for_leaves(find, lab):
    """Count what is found in each of the graphs that the input `graphs` names."""
    import re

    torch = lab.torch
    x, w, v, twin = (lab.tensor(name, requires_grad=True) for name in "xwvx")
    plain = lab.tensor("c")
    start, end = lab.long_chain()
    named = {
        "x": x,
        "w": w,
        "v": v,
        "the twin of x": twin,
        "the plain tensor": plain,
        "the start of the chain": start,
    }

    def ladder():
        y = x * w
        for _ in range(8):
            y = y + y
        return y

    graphs = {
        "a product": lambda: x * w,
        "three operations": lambda: ((x * w) * v).sin(),
        "a product with a plain tensor": lambda: (x * plain + 2) * w,
        "a square of an intermediate": lambda: (x * 3) * (x * 3) + x,
        "a ladder of sums": ladder,
        "two leaves of equal value": lambda: x * twin,
        "a leaf that requires grad": lambda: x,
        "a plain tensor": lambda: plain,
        "a detached product": lambda: (x * w).detach(),
        "a sum with a detached product": lambda: (x * w).detach() + v,
        "a long chain": lambda: end,
    }

    def count(case, found):
        listed, numbers = dict.fromkeys(named, 0), []
        others, nodes, strangers = 0, 0, 0
        for each in found:
            names = [name for name, tensor in named.items() if tensor is each]
            numbers += [float(lab.numbers(each)) for _ in names]
            others += not names and issubclass(type(each), torch.Tensor)
            is_node = hasattr(type(each), "next_functions") or hasattr(each, "next_functions")
            nodes += is_node
            strangers += not is_node and not issubclass(type(each), torch.Tensor)
            for name in names:
                listed[name] += 1
        if case == "two leaves of equal value":
            # A walk that takes equals for one may keep either of them.
            times = sorted(listed.pop(name) for name in ("x", "the twin of x"))
            lab.record(f"{case}: number of times that each is listed, fewer first", times)
            unlike = len(list(find(x * w)))
            lab.record(f"{case}: leaves are left out because they are equal", len(found) < unlike)
        # What does not belong there tells more than what is missing for it.
        lab.record(f"{case}: number of other tensors in the list", others)
        lab.record(f"{case}: number of nodes in the list", nodes)
        lab.record(f"{case}: number of other things in the list", strangers)
        for name, times in listed.items():
            lab.record(f"{case}: number of times that {name} is listed", times)
        lab.record(f"{case}: numbers in the leaves that are listed, in order", sorted(numbers))
        lab.record(f"{case}: the list is empty", not found)

    for case in lab.value("graphs"):
        stopped_by_none = too_deep = False
        found = None
        try:
            found = find(graphs[case]())
        except RecursionError:
            too_deep = True
        except (AttributeError, TypeError) as error:
            # A None may also stand where a list of the walk's own should be: no matter of graphs.
            own = re.search(r"attribute '(append|extend|add|update|pop|remove)'", str(error))
            stopped_by_none = "NoneType" in str(error) and own is None and find is not None
            if not stopped_by_none:
                raise
        lab.record(f"{case}: the walk fails at a None", stopped_by_none)
        lab.record(f"{case}: the walk is deeper than Python allows", too_deep)
        if stopped_by_none or too_deep:
            continue
        # Any collection will do. An iterator will not: it is used up by the first who looks at it.
        kind = type(found)
        is_list = hasattr(kind, "__len__") and not issubclass(kind, torch.Tensor | dict | str)
        lab.record(f"{case}: result", "a list" if is_list else lab.kind_of(found))
        if is_list:
            count(case, found)


def _graphs(*names: str):
    return lambda rng: {
        "graphs": list(names),
        **{name: signed(rng) for name in "xwvc"},
    }


EXERCISE = Exercise(
    id="leaf-walk",
    lesson="02_leaf_nodes",
    section="Walk the graph from its end to its leaves",
    title="Find the leaves",
    symbol="find_leaves",
    kind="implement",
    points=6,
    difficulty=3,
    minutes=12,
    task=(
        "Write `find_leaves(t)`. It returns a list of all leaves that require grad and that `t` "
        "was computed from, each of them once, in any order. Start at `t.grad_fn` and follow "
        "`next_functions`.\n\n"
        "`t` may also be a leaf itself, a detached tensor, or the end of a chain of "
        "thousands of operations."
    ),
    starter='''\
def find_leaves(t):
    """Return the leaves that require grad below t, each once."""
    return []
''',
    reference=searches.find_leaves,
    checks=(
        Check(
            "small graphs",
            2,
            look_for_leaves,
            _graphs("a product", "three operations", "a product with a plain tensor"),
            passes="In small graphs you find every leaf.",
            fails="In small graphs your function does not find the right leaves.",
        ),
        Check(
            "meeting paths",
            2,
            look_for_leaves,
            _graphs("a square of an intermediate", "a ladder of sums", "two leaves of equal value"),
            passes="Where paths meet again, each leaf is listed once.",
            fails="Where paths meet again, the list is not right.",
        ),
        Check(
            "nothing to walk",
            1,
            look_for_leaves,
            _graphs(
                "a leaf that requires grad",
                "a plain tensor",
                "a detached product",
                "a sum with a detached product",
            ),
            passes="For leaves, plain tensors and detached tensors the list is right.",
            fails="For a leaf, a plain or a detached tensor the list is not right.",
            after=("small graphs",),
        ),
        Check(
            "long chain",
            1,
            look_for_leaves,
            _graphs("a long chain"),
            passes="At the end of a long chain, too, the leaf is found.",
            fails="At the end of a chain of thousands of operations the leaf is not found.",
            statements=True,
        ),
    ),
    misconceptions=(
        Misconception(
            "once-per-path",
            "Your walk lists a leaf once for every path that leads to it. Paths in a graph can "
            "meet again, and then the walk arrives where it has been before.",
            searches.once_per_path,
        ),
        Misconception(
            "returns-nodes",
            "You return the nodes at the end of the graph, not tensors. Each of these nodes "
            "belongs to a leaf, and holds a reference to it.",
            searches.returning_nodes,
        ),
        Misconception(
            "none-not-skipped",
            "Your walk fails at a `None`. An input that needs no gradient has an entry in "
            "`next_functions` too, but there is no node in it.",
            searches.stumbling_over_none,
        ),
        Misconception(
            "entries-are-pairs",
            "Your walk treats the entries of `next_functions` as nodes. Each entry is a pair, and "
            "the node is only its first part.",
            searches.taking_pairs_for_nodes,
        ),
        Misconception(
            "leaf-has-no-node",
            "Your walk expects every tensor to have a `grad_fn`. A leaf has none, and neither "
            "has a detached tensor: nothing was recorded for them.",
            searches.no_question_of_a_leaf,
        ),
        Misconception(
            "recursion",
            "Your walk calls itself for each step, and Python limits how deeply calls can be "
            "nested. Recorded graphs are often deeper, so a walk has to keep its own list of where "
            "to go next.",
            searches.recursively,
        ),
        Misconception(
            "leaf-has-nothing-below",
            "For a leaf that requires grad you return nothing. Its graph is the smallest there is: "
            "it starts and ends with that leaf.",
            searches.nothing_below_a_leaf,
        ),
        Misconception(
            "lists-leaves-that-do-not-learn",
            "You list every tensor with `is_leaf`, even if it does not require grad. Plain and "
            "detached tensors are leaves too, but no gradient is ever stored in them.",
            searches.every_leaf_counts,
        ),
        Misconception(
            "compares-values",
            "You take two leaves with equal values for one and the same. `==` and `in` compare "
            "what tensors hold; here it matters which object it is.",
            searches.comparing_values,
        ),
        Misconception(
            "gathers-nothing",
            "Your list is always empty. Walking is one half of the task; the other is to keep the "
            "leaves that you meet.",
            searches.gathering_nothing,
        ),
        Misconception(
            "returns-the-tensor-itself",
            "You return the tensor that you were given, whatever it is. Unless it is a leaf, it "
            "was computed from others, and the leaves among those are asked for.",
            searches.the_tensor_itself,
        ),
        Misconception(
            "looks-at-the-tensor-alone",
            "You find the given tensor when it is a leaf itself, and nothing when it is a result. "
            "Either your walk ends at the result, or it does not recognise the node of a leaf.",
            searches.the_tensor_if_it_is_a_leaf,
        ),
        Misconception(
            "returns-detached-leaves",
            "You do not list the leaves themselves, but new tensors with the same values. Backward "
            "never stores a gradient in those.",
            searches.detached_leaves,
        ),
        Misconception(
            "one-step-only",
            "You look at the inputs of the last operation only. What was computed before it has "
            "leaves of its own.",
            searches.one_step_only,
        ),
        Misconception(
            "first-input-only",
            "You follow only one input of each operation. The other inputs have leaves below "
            "them, too.",
            searches.first_input_only,
        ),
    ),
    hints=(
        "A walk over a graph needs to know where it still has to go, and where it has been.",
        "Not every entry of `next_functions` holds a node, and not every tensor has a `grad_fn`. "
        "Decide first what to return for a leaf, and what for a detached tensor.",
        "Keep a list of nodes to visit and a set of nodes visited. Take one node at a time: if it "
        "is one that accumulates a gradient, it holds its leaf; then note which nodes follow it.",
    ),
    variants=(
        Variant("level by level, in a tuple, with prints", searches.leaves_by_identity),
        Variant("a set of tensors", searches.leaves_as_a_set),
        Variant("the values of a dict", searches.leaves_in_a_dict),
    ),
    place=5,
)
