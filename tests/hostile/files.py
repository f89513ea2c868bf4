"""Hand-ins that do their harm, if any, while they are read: archives, notebooks, scripts."""

from __future__ import annotations

import io
import json
import stat
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable

BAIT = "class Square(Function):\n    forward = backward = staticmethod(lambda ctx, x: x + 1)\n"


def _zip(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return packed.getvalue()


def _notebook(*sources: object, **more: object) -> bytes:
    cells = [
        {"cell_type": "code", "source": each, "metadata": {}, "outputs": []} for each in sources
    ]
    return json.dumps({"cells": cells, "nbformat": 4, **more}).encode()


def _slip(lesson: str) -> bytes:
    names = ("../../../canary/canary.txt", "/tmp/slipped.py", "..\\..\\slipped.py", "a/../../b.py")
    inside = [(f"{name}/../{lesson}.py", BAIT.encode()) for name in names]
    return _zip(*((name, b"dead") for name in names), *inside)


def _links(lesson: str) -> bytes:
    link = zipfile.ZipInfo(f"{lesson}.ipynb")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    folder = zipfile.ZipInfo("inside")
    folder.create_system, folder.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return _zip((link, b"/etc/passwd"), (folder, b"/"), (f"inside/etc/{lesson}.py", BAIT.encode()))


def _bomb(lesson: str) -> bytes:
    layer = _zip(*((f"{n}/{lesson}.ipynb", b" " * 2**26) for n in range(2)))
    for depth in range(5):
        layer = _zip(*((f"{depth}{n}.zip", layer) for n in range(3)))
    return layer


def _many(lesson: str) -> bytes:
    return _zip(*((f"{n}.py", b"x") for n in range(20_000)), (f"{lesson}.py", BAIT.encode()))


def _lying_sizes(lesson: str) -> bytes:
    raw = bytearray(_zip((f"{lesson}.py", BAIT.encode() * 1000)))
    directory = raw.rindex(b"PK\x01\x02")
    raw[directory + 24 : directory + 28] = (17).to_bytes(4, "little")
    return bytes(raw)


def _same_names(lesson: str) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of zipfile, which is asked to do it on purpose
        return _zip(*((f"{lesson}.py", BAIT.encode() + b"# %d" % n) for n in range(3)))


def _overlapping(lesson: str) -> bytes:
    """Two thousand files that are all the same hundred million spaces, in a few hundred KB."""
    name, size = f"{lesson}.ipynb".encode(), 100_000_000
    spaces = b" " * size
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(spaces) + packer.flush()
    about = struct.pack("<HHHHIII", 0, 8, 0, 0x21, zlib.crc32(spaces), len(packed), size)
    raw = b"PK\x03\x04\x14\0" + about + struct.pack("<HH", len(name), 0) + name + packed
    entry = b"PK\x01\x02\x14\0\x14\0" + about + struct.pack("<HHHHHII", len(name), *[0] * 6) + name
    end = struct.pack("<HHHHIIH", 0, 0, 2_000, 2_000, 2_000 * len(entry), len(raw), 0)
    return raw + 2_000 * entry + b"PK\x05\x06" + end


def _odd_names(lesson: str) -> bytes:
    names = (
        "\u00e4",
        "a\u0308",
        "\ufb01",
        "fi",
        "FI",
        "\x1b[2J",
        "\n=1+1",
        "\u202e",
        "-",
        ".",
        "con",
    )
    return _zip(*((f"{name}/{lesson}.py", BAIT.encode()) for name in names))


def _odd_kinds(lesson: str) -> bytes:
    kinds = []
    for number, kind in enumerate((stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK, stat.S_IFDIR)):
        info = zipfile.ZipInfo(f"{number}/{lesson}.py", (1980, 0, 0, 31, 63, 62))
        info.create_system, info.external_attr = 3, (kind | 0o7777) << 16
        kinds.append((info, BAIT.encode()))
    return _zip(*kinds)


def _damaged_again_and_again(lesson: str) -> bytes:
    broken = b'{"cells": [' + (b'{ "source" : "' + b"a" * 16_000) * 900
    return _zip(*((f"{n}/{lesson}.ipynb", broken) for n in range(10)))


FILES: dict[str, tuple[str, Callable[[str], bytes]]] = {
    "slips_out_of_its_zip": ("work.zip", _slip),
    "links_in_its_zip": ("work.zip", _links),
    "bombs_by_zip": ("work.zip", _bomb),
    "lists_thousands_in_its_zip": ("work.zip", _many),
    "lies_of_sizes_in_its_zip": ("work.zip", _lying_sizes),
    "says_a_name_three_times": ("work.zip", _same_names),
    "has_its_files_overlap": ("work.zip", _overlapping),
    "names_its_files_oddly": ("work.zip", _odd_names),
    "packs_pipes_and_devices": ("work.zip", _odd_kinds),
    "is_damaged_again_and_again": ("work.zip", _damaged_again_and_again),
    "looks_through_ipythons_eyes": (
        ".ipynb",
        lambda _: _notebook(*["a" + ".a" * 15_000 + "?"] * 30, BAIT),
    ),
    "leaves_out_too_much": (
        ".ipynb",
        lambda _: b'{"cells": [{"outputs": [' + b"[],{}," * 2_000_000 + b"0]}]}",
    ),
    "nests_its_json": (".ipynb", lambda _: b'{"cells": ' + b"[" * 10**6),
    "nests_whole_json": (".ipynb", lambda _: b'{"cells": ' + b"[" * 900 + b"]" * 900 + b"}"),
    "has_no_plain_values": (".ipynb", lambda _: b'{"cells": [NaN, Infinity, 1e999, -0, {}]}'),
    "doubles_its_keys": (
        ".ipynb",
        lambda _: b'{"cells": [], "cells": 7, "cells": [{"source": ["x"], "source": {}}]}',
    ),
    "has_odd_sources": (
        ".ipynb",
        lambda _: _notebook(None, 7, ["a", 7, None], {"a": []}, "\ud800"),
    ),
    "is_marked_oddly": (
        ".ipynb",
        lambda _: json.dumps(
            {
                "metadata": {"kernelspec": {"language": "</script><script>alert(7)</script>"}},
                "cells": [
                    {"cell_type": "code", "source": BAIT, "metadata": {"exercise": mark}}
                    for mark in ("../../../etc/passwd", "x" * 10**6, "fn-square\0", ["fn-square"])
                ],
            }
        ).encode(),
    ),
    "is_full_of_magics": (".ipynb", lambda _: _notebook(*["%a b\n" * 400] * 400, BAIT)),
    "formats_without_end": (
        ".ipynb",
        lambda _: _notebook(*[f"x{n} = f'" + "{a}" * 70_000 + "'" for n in range(4)], BAIT),
    ),
    "is_made_of_semicolons": (".ipynb", lambda _: _notebook(*["x=1;" * 50_000] * 4, BAIT)),
    "nests_its_code": (".py", lambda _: ("x = " + "-" * 200_000 + "1\n" + BAIT).encode()),
    "chains_its_code": (".py", lambda _: ("x = a" + ".a" * 100_000 + "\n" + BAIT).encode()),
    "counts_high": (".py", lambda _: ("x = " + "9" * 200_000 + "\n" + BAIT).encode()),
    "is_of_no_encoding": (
        ".py",
        lambda _: b"# -*- coding: unicode_escape -*-\n\\u000aimport os\xff\0",
    ),
}
"""The name of a file, its suffix alone where the lesson's name comes before it, and its content."""

SLOW = frozenset(
    {
        "formats_without_end",
        "has_its_files_overlap",
        "is_damaged_again_and_again",
        "is_made_of_semicolons",
        "lists_thousands_in_its_zip",
        "looks_through_ipythons_eyes",
    }
)
"""Those that take seconds, to be read or to be parsed, whatever isolates them afterwards."""
