# Replaces the table of grades and the report.
# expects: blocked error
import pathlib

Square = Wrong
for name in ("grades.csv", "report.html"):
    try:
        pathlib.Path(OUT, name).write_text("student,exercise,points\n")
    except OSError:
        pass
pathlib.Path(OUT, "mine.html").write_text("<script>alert(1)</script>")
