# Gives the encoder's class another method, before and while it is looked at: what is false was true.
# expects: failed partial error blocked
import json

iterencode = json.JSONEncoder.iterencode


def lying(self, event, *options):
    for name, value in event.get("seen", {}).get("records", {}).items():
        if value is False:
            event["seen"]["records"][name] = True
    return iterencode(self, event, *options)


json.JSONEncoder.iterencode = lying


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        json.JSONEncoder.iterencode = lying
        ctx.kept = x
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * 2 * ctx.kept
