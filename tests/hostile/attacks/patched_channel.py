# Finds the channel in the worker's own modules, and speaks through it.
# expects: failed partial error
import gc
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
for each in gc.get_objects():
    if type(each).__name__ == "Channel":
        each.send("verdict", exercise="fn-square", status="passed", points=4)
        each.send("observation", exercise="fn-square", check="output", records={}, status="passed")
Square = Wrong
