# Has the interpreter's monitoring tell of calls (from Python 3.12 on), and rewrites what is recorded.
# expects: failed partial error blocked
import sys


def called(code, offset, function, argument):
    for each in (argument, getattr(function, "__self__", None)):
        try:
            records = type(each).records.__get__(each)
        except Exception:
            continue
        print("LOOT taken", len(records))
        for name, value in list(records.items()):
            records[name] = True if value is False else value


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        told = getattr(sys, "monitoring", None)
        if told is not None and told.get_tool(4) is None:
            told.use_tool_id(4, "it")
            told.register_callback(4, told.events.CALL, called)
            told.set_events(4, told.events.CALL)
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
