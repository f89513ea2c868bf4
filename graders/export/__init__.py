"""Exports the gradebook for other programs: spreadsheets, Gradescope, nbgrader, Canvas."""

from graders.export.files import write_whole
from graders.export.gradescope import by_hand, gradescope, plain_text, write_gradescope
from graders.export.spreadsheet import for_spreadsheet, grades_csv, number

__all__ = [
    "by_hand",
    "for_spreadsheet",
    "grades_csv",
    "gradescope",
    "number",
    "plain_text",
    "write_gradescope",
    "write_whole",
]
