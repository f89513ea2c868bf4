"""One run over a class: finding what to grade, having it graded, recording and reporting it."""
