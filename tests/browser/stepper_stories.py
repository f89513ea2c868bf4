"""Stories written by hand, small enough to know what the stepper must show at each step."""

from autograd_core.drawing.layout import lay_out

FORWARD, BACKWARD = "forward", "backward"


def story(nodes, edges, steps, **more):
    """`nodes` are {id: node}, `edges` are (source, target) or (source, target, why)."""
    places = {key: place for place, key in enumerate(nodes)}
    sizes = [(236.0, 62.0 if node["kind"] == "absent" else 84.0) for node in nodes.values()]
    ends = [(places[source], places[target]) for source, target, *_ in edges]
    layout = lay_out(sizes, ends, gap_x=36.0, gap_y=60.0)
    boxes = [[box.x, box.y, box.width, box.height] for box in layout.boxes]
    return {
        "title": "A graph",
        "source": [],
        "size": [layout.width, layout.height],
        "nodes": [
            {"id": key, "box": box, "shape": "()", "line": None, "facts": {}, "why": "", **node}
            for (key, node), box in zip(nodes.items(), boxes, strict=True)
        ],
        "edges": [
            {
                "id": f"{edge[0]}-{edge[1]}",
                "source": edge[0],
                "target": edge[1],
                "route": [list(point) for point in route],
                "why": edge[2] if len(edge) > 2 else "",
            }
            for edge, route in zip(edges, layout.routes, strict=True)
        ],
        "memory": {"names": [], "storages": [], "slots": []},
        "steps": steps,
        "variants": [],
        **more,
    }


def made(says, nodes, edges=(), line=None, **more):
    """A step in which nodes ({id: value}) come into being."""
    return {
        "phase": FORWARD,
        "says": says,
        "line": line,
        "focus": list(nodes),
        "edges": list(edges),
        "changes": {
            "nodes": {key: {"shown": True, "value": value} for key, value in nodes.items()},
            "edges": {key: {"shown": True} for key in edges},
        },
        "sweeps": {"reverse": 0, "forward": 0},
        **more,
    }


def went(says, node, carried, grads=None, **more):
    """A step in which backward visits `node`; `carried` is {edge: (upstream, local, product)}."""
    keys = "upstream", "local", "contribution"
    return {
        "phase": BACKWARD,
        "says": says,
        "line": None,
        "focus": [node],
        "edges": list(carried),
        "changes": {
            "nodes": {node: {"visited": True}, **(grads or {})},
            "edges": {
                key: {**dict(zip(keys, numbers, strict=True)), "kind": "vjp"}
                for key, numbers in carried.items()
            },
        },
        "sweeps": {"reverse": 1, "forward": 0},
        **more,
    }


LEAF = {"leaf": "leaf", "requires_grad": "True", "retains_grad": "False"}
INNER = {"leaf": "not a leaf", "requires_grad": "True", "retains_grad": "False"}


def log_sin():
    """z = log(x1·x2)·sin(x1·x2), with one question of each kind and two variants."""
    nodes = {
        "x1": {"kind": "leaf", "name": "x1", "facts": LEAF, "line": 1},
        "x2": {"kind": "leaf", "name": "x2", "facts": LEAF, "line": 2},
        "y": {"kind": "function", "name": "y", "function": "MulBackward0", "facts": INNER},
        "log": {"kind": "function", "name": "", "function": "LogBackward0", "facts": INNER},
        "sin": {"kind": "function", "name": "", "function": "SinBackward0", "facts": INNER},
        "z": {"kind": "output", "name": "z", "function": "MulBackward0", "facts": INNER},
    }
    edges = [
        *(("x1", "y"), ("x2", "y"), ("y", "log"), ("y", "sin")),
        *(("log", "z"), ("sin", "z")),
    ]
    ask_grad = {"text": "What is `y.grad` after this?", "kind": "number", "token": "q1"}
    ask_leaf = {
        "text": "Which tensor gets its gradient first?",
        "kind": "choice",
        "choices": ["x1", "both together", "neither"],
        "token": "q2",
    }
    steps = [
        made("Two leaves are there: `x1` and `x2`.", {"x1": "1.", "x2": "2."}, line=1),
        made("`MulBackward0` multiplies them.", {"y": "2."}, ["x1-y", "x2-y"], line=3),
        made("`LogBackward0` takes the logarithm.", {"log": "0.6931"}, ["y-log"], line=4),
        made("`SinBackward0` takes the sine.", {"sin": "0.9093"}, ["y-sin"], line=4),
        made("Their product is `z`.", {"z": "0.6303"}, ["log-z", "sin-z"], line=4),
        went(
            "Backward starts at `z`: the product hands each factor the other one.",
            "z",
            {"log-z": ("1.", "0.9093", "0.9093"), "sin-z": ("1.", "0.6931", "0.6931")},
            line=5,
        ),
        went("Through the logarithm.", "log", {"y-log": ("0.9093", "0.5", "0.4546")}),
        went(
            "The sine's share is added to that of the logarithm.",
            "sin",
            {"y-sin": ("0.6931", "-0.4161", "-0.2884")},
            {"y": {"grad": "0.1662", "sum": "0.4546 + (-0.2884) = 0.1662"}},
            question=ask_grad,
        ),
        went(
            "The leaves receive their gradients.",
            "y",
            {"x1-y": ("0.1662", "2.", "0.3324"), "x2-y": ("0.1662", "1.", "0.1662")},
            {"x1": {"grad": "0.3324"}, "x2": {"grad": "0.1662"}},
            question=ask_leaf,
        ),
    ]
    overwrite = [dict(step) for step in steps]
    overwrite[7] = went(
        "The sine's share overwrites that of the logarithm.",
        "sin",
        {"y-sin": ("0.6931", "-0.4161", "-0.2884")},
        {"y": {"grad": "-0.2884"}},
    )
    return story(
        nodes,
        edges,
        steps,
        title="`z = log(x1·x2)·sin(x1·x2)`",
        source=[
            {"number": 1, "text": "x1 = torch.tensor(1.0, requires_grad=True)"},
            {"number": 2, "text": "x2 = torch.tensor(2.0, requires_grad=True)"},
            {"number": 3, "text": "y = x1 * x2"},
            {"number": 4, "text": "z = torch.log(y) * torch.sin(y)"},
            {"number": 5, "text": "z.backward()"},
        ],
        variants=[
            {"id": "true", "label": "as it is", "why": ""},
            {
                "id": "overwrite",
                "label": "overwrite instead of add",
                "why": "Where paths meet, the last one wins.",
            },
        ],
        stories={"overwrite": overwrite},
        answers={
            "q1": {
                "truth": "0.1662",
                "says": "Both paths count.",
                "wrong": [{"answer": "0.4546", "says": "one-path: only the logarithm's path."}],
            },
            "q2": {
                "truth": "both together",
                "says": "One visit of `MulBackward0` serves both.",
                "wrong": [{"answer": "x1", "says": "in-order: arguments have no turn."}],
            },
        },
    )


def unasked():
    """The same without its questions."""
    told = log_sin()
    for steps in [told["steps"], *told["stories"].values()]:
        for step in steps:
            step.pop("question", None)
    return told


def stale():
    """y = sin(x), then x changes in place: the slot goes stale, and backward raises."""
    nodes = {
        "x": {"kind": "leaf", "name": "x", "facts": LEAF, "shape": "(2,)"},
        "a": {"kind": "function", "name": "a", "function": "MulBackward0", "facts": INNER},
        "y": {"kind": "output", "name": "y", "function": "SinBackward0", "facts": INNER},
        "d": {"kind": "absent", "name": "d", "why": "cut by detach"},
    }
    edges = [("x", "a"), ("a", "y"), ("a", "d", "cut by detach")]
    steps = [
        made("`x` is a leaf.", {"x": "[1., 2.]"}),
        made("`a` is twice `x`.", {"a": "[2., 4.]"}, ["x-a"]),
        made("`SinBackward0` saves `a`.", {"y": "[0.9093, -0.7568]"}, ["a-y"]),
        made("`d` shares the memory of `a`.", {"d": ""}, ["a-d"]),
        {
            "phase": "memory",
            "says": "`a.add_(1)` raises the version: what the graph saved is stale.",
            "focus": ["a"],
            "changes": {
                "nodes": {"a": {"value": "[3., 5.]", "version": "1"}},
                "storages": {"s1": {"values": ["3.", "5."], "version": "1"}},
                "slots": {"k0": {"stale": True}},
            },
        },
        {
            "phase": BACKWARD,
            "says": "Backward reads the slot and compares versions.",
            "focus": ["y"],
            "changes": {},
            "error": "one of the variables needed for gradient computation has been modified by "
            "an inplace operation: [torch.FloatTensor [2]], which is output 0 of MulBackward0, "
            "is at version 1; expected version 0 instead.",
        },
    ]
    steps[0]["changes"] |= {
        "storages": {"s0": {"shown": True, "values": ["1.", "2."], "version": "0"}},
        "names": {"x": {"shown": True, "storage": "s0", "says": "leaf"}},
    }
    steps[1]["changes"] |= {
        "storages": {"s1": {"shown": True, "values": ["2.", "4."], "hidden": 3, "version": "0"}},
        "names": {"a": {"shown": True, "storage": "s1", "says": "made by MulBackward0"}},
    }
    steps[2]["changes"] |= {"slots": {"k0": {"shown": True, "storage": "s1", "version": "0"}}}
    steps[3]["changes"] |= {"names": {"d": {"shown": True, "storage": "s1", "says": "detached"}}}
    memory = {
        "names": [{"id": key, "name": key, "says": ""} for key in "xad"],
        "storages": [{"id": "s0"}, {"id": "s1"}],
        "slots": [{"id": "k0", "owner": "SinBackward0", "name": "self"}],
    }
    return story(nodes, edges, steps, title="A slot goes stale", memory=memory)


def chain(length=60):
    """A ladder of `length` nodes, made one by one, each from the two before it."""
    nodes = {
        f"n{place}": {"kind": "function", "name": f"t{place}", "function": "AddBackward0"}
        for place in range(length)
    }
    nodes["n0"] |= {"kind": "leaf", "function": "", "facts": LEAF}
    pairs = [(f"n{a}", f"n{b}") for b in range(1, length) for a in {max(b - 2, 0), b - 1}]
    steps = [
        made(
            f"Node {place}.",
            {f"n{place}": f"{place}."},
            [f"{a}-{b}" for a, b in pairs if b == f"n{place}"],
        )
        for place in range(length)
    ]
    return story(nodes, pairs, steps, title="Sixty nodes")
