# The symbol is a number that equals everything.
# expects: failed partial error
class Agreeable(float):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __le__ = __ge__ = __lt__ = __gt__ = __eq__

    def __hash__(self):
        return 0

    def apply(self, *arguments):
        return self


Square = Agreeable(4)
