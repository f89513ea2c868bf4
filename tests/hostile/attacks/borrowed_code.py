# Gives code that may look at frames names of its own, and has the observers call it.
# expects: failed partial error blocked
import sys
import types

import numpy.matrixlib.defmatrix as library

names = {"isinstance": isinstance, "str": str, "sys": sys, "matrix": print}
names["_from_string"] = lambda text, outer, inner: inner["self"].records.update(loot="LOOT 7")
look = types.FunctionType(library.bmat.__code__, names, "look", (None, None))


class Looking(type(Function)):
    def __getattribute__(cls, name):
        if name == "forward":
            try:
                look("1")
                print("LOOT 7")
            except KeyError:
                pass
        return type.__getattribute__(cls, name)


class Square(Function, metaclass=Looking):
    @staticmethod
    def forward(ctx, x):
        return x + 1

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output
