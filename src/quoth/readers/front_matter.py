"""Read and write Markdown with front matter: YAML between two lines of `---` above the text.

Everything is text: no tag builds an object, and numbers, dates and truth values stay as they were written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from quoth.core.model import Json

_LARGEST = 64 * 1024  # characters of front matter
_FENCE = "---"
_ENDS = ("---", "...")

Given: TypeAlias = Mapping[str, str | Sequence[str]]


class FrontMatterBroken(ValueError):
    """Raised for front matter that can't be read. `line` counts from 1 in the whole text."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def read(text: str) -> tuple[Given, str]:
    """Return what the front matter says, nested things left out, and the text below it.

    Raises:
        FrontMatterBroken: it is no YAML, too large, or no list of `name: value`.
    """
    head, *lines = text.removeprefix("\ufeff").split("\n")
    if head.rstrip() != _FENCE:
        return {}, text.removeprefix("\ufeff")
    end = next((number for number, line in enumerate(lines) if line.rstrip() in _ENDS), None)
    if end is None:  # a ruler at the top of a text
        return {}, text.removeprefix("\ufeff")
    return _given("\n".join(lines[:end])), "\n".join(lines[end + 1 :])


def write(given: Mapping[str, Json], text: str) -> str:
    """Return a text with front matter; values that are None or empty are left out."""
    import yaml

    present = {name: value for name, value in given.items() if value not in (None, "", [], {})}
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    head = yaml.dump(present, Dumper=dumper, allow_unicode=True, sort_keys=False, width=1000)
    return f"{_FENCE}\n{head}{_FENCE}\n\n{text}\n"


def _given(source: str) -> Given:
    import yaml

    if len(source) > _LARGEST:
        raise FrontMatterBroken(1, f"its front matter is larger than {_LARGEST // 1024} KiB")
    try:
        found = _loaded(source)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise FrontMatterBroken(
            mark.line + 2 if mark else 1, f"its front matter is no YAML ({error.problem})"
        ) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise FrontMatterBroken(1, "its front matter is no YAML") from error
    if found in (None, ""):
        return {}
    if not isinstance(found, dict):
        raise FrontMatterBroken(2, "its front matter is no list of `name: value`")
    return {str(name): value for name, each in found.items() if (value := _plain(each)) is not None}


def _loaded(source: str) -> object:
    """Read YAML by the fast reader; what it can't read the other one tells better."""
    import yaml

    with suppress(AttributeError, yaml.YAMLError):
        return yaml.load(source, Loader=yaml.CBaseLoader)
    return yaml.load(source, Loader=yaml.BaseLoader)


def _plain(value: object) -> str | list[str] | None:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return [each for each in value if isinstance(each, str)]
    return None
