# Changes the judge, the engine and NumPy where they are installed.
# expects: failed partial error blocked
import pathlib

Square = Wrong
for path in (GRADERS + "/judging/judge.py", torch.__file__, np.__file__, pathlib.__file__):
    try:
        with open(path, "a") as stream:
            stream.write("\nprint('mine')\n")
        print("LOOT 1")
    except OSError:
        pass
    for change in (pathlib.Path.unlink, lambda each: each.rename(str(each) + "~")):
        try:
            change(pathlib.Path(path))
            print("LOOT 1")
        except OSError:
            pass
