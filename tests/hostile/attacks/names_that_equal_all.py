# Keys in the namespace that equal every name, and take their time.
# expects: failed partial error timeout blocked
# later: any
class Name(str):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("Square")


class Slow(str):
    def __eq__(self, other):
        while True:
            pass

    def __hash__(self):
        return hash("Square")


globals()[Name("anything")] = Wrong
globals()[Slow("nothing")] = Wrong
