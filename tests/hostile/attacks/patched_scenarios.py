# Puts scenarios in the library that look at a square of the engine's own.
# expects: failed partial error
import sys

scenarios = sys.modules["graders.observe.scenarios"]
lab = sys.modules["graders.observe.lab"]


def of_a_square(scenario):
    def run(function, notebook):
        true_run = lab.Case.run
        lab.Case.run = lambda self, function, given: next(iter(given.values())) ** 2
        try:
            scenario(function, notebook)
        finally:
            lab.Case.run = true_run

    return run


for name, scenario in list(scenarios.LIBRARY.items()):
    scenarios.LIBRARY[name] = of_a_square(scenario)
Square = Wrong
