"""Gradescope's results.json, from its documentation («Autograder Specifications»), as a schema."""

import jsonschema

VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
TEXT, NUMBER, OBJECT = {"type": "string"}, {"type": "number"}, {"type": "object"}

TEST = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": NUMBER,
        "max_score": {"type": "number", "minimum": 0},
        "status": {"enum": ["passed", "failed"]},
        "name": TEXT,
        "name_format": FORMAT,
        "number": TEXT,
        "output": TEXT,
        "output_format": FORMAT,
        "tags": {"type": "array", "items": TEXT},
        "visibility": VISIBILITY,
        "extra_data": OBJECT,
    },
}
LEADERBOARD = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "value"],
    "properties": {"name": TEXT, "value": {}, "order": {"enum": ["asc", "desc"]}},
}
RESULTS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": NUMBER,
        "execution_time": {"type": "number", "minimum": 0},
        "output": TEXT,
        "output_format": FORMAT,
        "test_output_format": FORMAT,
        "test_name_format": FORMAT,
        "visibility": VISIBILITY,
        "stdout_visibility": VISIBILITY,
        "extra_data": OBJECT,
        "tests": {"type": "array", "items": TEST},
        "leaderboard": {"type": "array", "items": LEADERBOARD},
    },
    "anyOf": [
        {"required": ["score"]},
        {
            "required": ["tests"],
            "properties": {"tests": {"minItems": 1, "items": {"required": ["score"]}}},
        },
    ],
}


def check_results(results):
    """Raise jsonschema's ValidationError unless Gradescope could show `results`."""
    jsonschema.validate(results, RESULTS)
