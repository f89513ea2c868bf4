# Arrays of impossible shapes, dtypes and contents, and numbers that are none.
# expects: failed partial error
import json
import os

VALUES = [
    {"is": "array", "dtype": "float32", "shape": [10**9, 10**9], "data": ""},
    {"is": "array", "dtype": "float32", "shape": [0] + [500_000] * 7, "data": ""},
    {"is": "array", "dtype": "float64", "shape": [-1], "data": "AAAAAAAA8D8="},
    {"is": "array", "dtype": "float64", "shape": [True], "data": "AAAAAAAA8D8="},
    {"is": "array", "dtype": "object", "shape": [1], "data": "gASVBgAAAAAAAACMAjp4lC4="},
    {"is": "array", "dtype": "V8", "shape": [1], "data": "AAAAAAAA8D8="},
    {"is": "tensor", "dtype": "float32", "shape": [1], "data": "***"},
    {"is": "tensor", "dtype": "float32", "shape": [1], "data": "AAAA\nAA=="},
    {"is": "tensor", "dtype": "float32", "shape": [3], "data": "AADAfwAAwH8AAMB/"},
    {"is": "tensor", "dtype": "bool", "shape": [1], "data": "/w=="},
    {"is": "dict", "items": [[{"is": "dict", "items": []}, 1]]},
    {"is": "list", "items": [None] * 300_000},
    {"is": "float", "text": "1e400"},
    10**400,
    float("nan"),
    float("inf"),
]
for value in VALUES:
    event = {"event": "observation", "exercise": "fn-square", "check": "output", "notes": {}}
    event["records"] = {"a vector: output": value, "output": value}
    os.write(3, json.dumps({"event": "examining", "exercise": "fn-square"}).encode() + b"\n")
    os.write(3, json.dumps(event).encode() + b"\n")
Square = Wrong
