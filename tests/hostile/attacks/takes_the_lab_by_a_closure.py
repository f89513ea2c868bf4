# Puts a function of its own into the closure of one of the observers', which is handed the lab.
# expects: failed partial error blocked
import sys

lab_module = sys.modules["graders.observe.lab"]
seen = []


def handed(cell, start):
    def started(lab):
        seen.append(lab)
        return start(lab)

    return started


for each in vars(lab_module).values():
    for cell in getattr(each, "__closure__", None) or ():
        if callable(cell.cell_contents):
            cell.cell_contents = handed(cell, cell.cell_contents)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        for lab in seen:
            print("LOOT taken")
            lab.records = type("Deaf", (dict,), {"__setitem__": lambda self, name, value: None})()
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
