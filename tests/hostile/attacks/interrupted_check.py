# Has a timer interrupt the check, to put things right in the middle of it.
# expects: failed partial error
import signal


def put_right(number, frame):
    while frame is not None:
        own = frame.f_locals.get("self")
        for name in list(getattr(own, "records", ())):
            own.records[name] = True
        frame = frame.f_back


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        signal.signal(signal.SIGALRM, put_right)
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
