"""One run over a class: what there is to grade, handed out, kept, and told."""
