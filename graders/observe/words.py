"""Words that are written as answers, in whatever form: which of those asked for is meant."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any


def meant_by(answer: Any, meant: Mapping[str, str] | None) -> Any:
    """Return the word that `meant` has for `answer`, which is returned itself where it has none.

    An exception goes by its name, several words by all of them, and a colon begins an explanation.
    """
    text = _text(answer) if meant else None
    if not meant or text is None:
        return answer
    told = unicodedata.normalize("NFKC", text).partition(":")[0]
    return meant.get(re.sub(r"[\W_]+", "-", told.lower()).strip("-"), answer)


def _text(answer: Any) -> str | None:
    kind = type(answer)
    named = answer if issubclass(kind, type) else kind
    if issubclass(named, BaseException):
        return str(named.__name__)
    if issubclass(kind, str):
        return str.__str__(answer)
    several = issubclass(kind, list | tuple | set)
    if several and all(issubclass(type(each), str) for each in answer):
        return " ".join(answer)
    return None
