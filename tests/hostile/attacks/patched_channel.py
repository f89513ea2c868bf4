# Finds the channel in the worker's own modules, and speaks through it.
# expects: failed partial error
import sys

worker = sys.modules["graders.observe.worker"]
true_send = worker.Channel.send


def send(self, event, **fields):
    if event == "observation":
        fields.update(records=dict.fromkeys(fields["records"], True), error=None)
    return true_send(self, event, **fields)


worker.Channel.send = send
worker.Session._observe = lambda self, check, symbol: {
    "records": {"passed": True},
    "notes": {},
    "error": None,
    "stdout": "",
}
Square = Wrong
