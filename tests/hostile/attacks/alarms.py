# Has itself interrupted all the time, by a handler that raises.
# expects: failed partial error timeout blocked
# later: any
import signal

Square = Wrong


class Interrupted(BaseException):
    pass


def handler(number, frame):
    signal.setitimer(signal.ITIMER_REAL, 0.0005)
    raise Interrupted("passed")


for number in (signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGCHLD):
    signal.signal(number, handler)
signal.siginterrupt(signal.SIGALRM, True)
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
signal.setitimer(signal.ITIMER_PROF, 0.0005, 0.0005)
