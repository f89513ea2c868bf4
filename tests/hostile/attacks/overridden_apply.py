# Has the engine differentiate x * x in the place of a backward.
# expects: failed partial error
class Square(Wrong):
    @classmethod
    def apply(cls, x):
        return x * x
