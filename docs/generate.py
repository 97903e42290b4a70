"""Write the parts of docs/*.md that the program itself knows: commands, settings, failures, log formats.

A part stands between `<!-- generated: NAME -->` and `<!-- end -->`. With `--check` nothing is
written, and stale pages fail.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import cast

import click

from quoth._plugins import load, names
from quoth.core import errors
from quoth.core.model import Knowledge
from quoth.core.ports import Adapter
from quoth.core.settings import OPTIONS

_PART = re.compile(r"(<!-- generated: (?P<name>\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
_COMMANDS, _SOURCES = "quoth.surfaces.cli.commands", "quoth.sources"


def commands() -> Iterator[str]:
    """Describe every command with its own help."""
    for name in names(_COMMANDS):
        yield from _command(cast("click.Command", load(_COMMANDS, name, "COMMAND")), f"quoth {name}", level=3)


def _command(command: click.Command, path: str, *, level: int) -> Iterator[str]:
    context = click.Context(command, info_name=path, terminal_width=100, max_content_width=100)
    yield f"{'#' * level} {path}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"
    if isinstance(command, click.Group):
        for name, sub in sorted(command.commands.items()):
            yield from _command(sub, f"{path} {name}", level=level + 1)


def settings() -> Iterator[str]:
    """List what can be set, and under which names."""
    yield "| `config.toml` | variables | default | |\n|---|---|---|---|"
    for option in OPTIONS:
        yield f"| `{option.key}` | {_codes(option.variables)} | `{option.default}` | {_cell(option.about)} |"


def failures() -> Iterator[str]:
    """List the codes of everything that can go wrong on purpose."""
    yield "| code | family | when |\n|---|---|---|"
    yield from (f"| `{kind.code}` | {_family(kind)} | {_sentence(kind)} |" for kind in _leaves(errors.QuothError))


def _leaves(kind: type[errors.QuothError]) -> Iterator[type[errors.QuothError]]:
    ours = (each for each in kind.__subclasses__() if each.__module__ == errors.__name__)
    for below in sorted(ours, key=lambda each: each.code):
        yield from _leaves(below) if below.__subclasses__() else iter([below])


def _family(kind: type[errors.QuothError]) -> str:
    return kind.__bases__[0].__name__.lower()


def _sentence(kind: type[errors.QuothError]) -> str:
    return (kind.__doc__ or "").partition("\n")[0].removeprefix("Raised ").strip()


def sources() -> Iterator[str]:
    """Tell what is known of each log format, and since when."""
    for name in names(_SOURCES):
        yield from _source(name, cast("Adapter", load(_SOURCES, name, "ADAPTER")).knowledge)


def _source(name: str, known: Knowledge) -> Iterator[str]:
    yield f"### {known.agent} (`{name}`)\n"
    yield "| | |\n|---|---|"
    yield f"| root | `{known.root}` |"
    yield f"| moved by | {_codes(known.environment)} |"
    yield f"| read | {_codes(known.paths)} |"
    yield f"| never read | {_codes(known.never_read)} |"
    yield f"| versions seen | {', '.join(known.versions) or '–'} |"
    yield f"| last looked at | {known.observed} |"
    yield f"| how long the agent keeps it | {_cell(known.kept)} |"
    yield f"| not in the logs | {_cell(' '.join(known.gaps)) or '–'} |\n"


def _codes(values: tuple[str, ...]) -> str:
    return ", ".join(f"`{_cell(value)}`" for value in values) or "–"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


_PARTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "commands": commands,
    "failures": failures,
    "settings": settings,
    "sources": sources,
}


def fill(page: str) -> str:
    """Return a page with every generated part as it should be."""
    return _PART.sub(lambda part: f"{part[1]}\n{_written(part['name'])}\n\n{part[3]}", page)


def _written(name: str) -> str:
    return "\n".join(_PARTS[name]()).strip()


def main(folder: Path, *, check: bool) -> int:
    """Bring the pages up to date, or name the stale ones; return the exit status."""
    stale = [page for page in sorted(folder.glob("*.md")) if fill(page.read_text("utf-8")) != page.read_text("utf-8")]
    for page in stale:
        print(f"{page.name} is stale; run scripts/docs." if check else f"wrote {page.name}")
        if not check:
            page.write_text(fill(page.read_text("utf-8")), "utf-8", newline="\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parent, check="--check" in sys.argv[1:]))
