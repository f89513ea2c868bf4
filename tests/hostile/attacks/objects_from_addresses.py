# Has the stack told with its locals, and makes objects of the addresses in it.
# expects: failed partial error blocked
import _ctypes
import ctypes
import re
import traceback


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        stack = traceback.walk_stack(None)
        told = traceback.StackSummary.extract(stack, limit=7, capture_locals=True)
        places = [re.search("Lab object at (0x[0-9a-f]+)", str(each.locals)) for each in told]
        address = next(int(place[1], 16) for place in places if place)
        try:
            lab = _ctypes.PyObj_FromPtr(address)
        except PermissionError:
            lab = ctypes.py_object.from_address(id(address) + 24).value
        lab.records.clear()
        print("LOOT taken")
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
