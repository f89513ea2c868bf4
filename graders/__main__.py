"""`python -m graders` is the command `autograd-lessons`."""

from graders.cli import main

if __name__ == "__main__":
    main(prog_name="autograd-lessons")
