"""Write the parts of docs/*.md that the program itself knows: commands, settings, failures, log formats.

A part stands between `<!-- generated: NAME -->` and `<!-- end -->`. What is known of the log formats is also written as
`sources.json`, beside `sources.md`. With `--check` nothing is written, and stale pages fail.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from itertools import dropwhile
from pathlib import Path
from typing import Any, cast

import click

from quoth._plugins import load, names
from quoth.core import errors
from quoth.core.ledger.values import EntryKind
from quoth.core.model import Knowledge
from quoth.core.ports import Adapter
from quoth.core.settings import OPTIONS
from quoth.readers.templates import read_types

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


# --- log formats ------------------------------------------------------------------------------------------------------

_FORMAT = 1  # of sources.json; a field that is added does not change it
_FIELDS = {
    "id": "the source, as in event ids and `--source`",
    "agent": "the program that writes the logs",
    "folders": "where they are, by system: one folder or several",
    "variables": "environment variables that move them",
    "read": "what is read, as patterns below a folder; `**` is any depth",
    "never_read": "what is never opened, or is left out of what is read",
    "unreadable": "what only the agent itself can read, as `what` and `why`",
    "versions": "the versions whose logs were looked at",
    "observed": "when, as year and month",
    "kept": "how long the agent keeps them",
    "gaps": "what is known to be missing",
    "event_id": "what an event's id is made of, as Markdown",
}
_SYSTEMS = ("Linux", "macOS", "Windows")
_RULE = re.compile(r"\bfrozen\b|^An id is")


@dataclass(frozen=True)
class _Source:
    """One source with all that the documentation says of it."""

    id: str
    knowledge: Knowledge
    event_id: str

    @property
    def folders(self) -> Mapping[str, Sequence[str]]:
        """Where the logs are on each system; a home folder is spelled as the system does."""
        usual = self.knowledge.root.split(" and ")
        windows = [root.replace("~/", "%USERPROFILE%/").replace("/", "\\") for root in usual]
        named = {system: [where for each, where in self.knowledge.systems if each == system] for system in _SYSTEMS}
        return {system: named[system] or (windows if system == "Windows" else usual) for system in _SYSTEMS}

    def shape(self) -> dict[str, Any]:
        known = self.knowledge
        return {
            "id": self.id,
            "agent": known.agent,
            "folders": self.folders,
            "variables": known.environment,
            "read": known.paths,
            "never_read": known.never_read,
            "unreadable": [{"what": what, "why": why} for what, why in known.unreadable],
            "versions": known.versions,
            "observed": known.observed,
            "kept": known.kept,
            "gaps": known.gaps,
            "event_id": self.event_id,
        }


def _known() -> Sequence[_Source]:
    """Return the sources, sorted by the names of the agents."""
    found = (
        _Source(name, cast("Adapter", load(_SOURCES, name, "ADAPTER")).knowledge, _rule(name))
        for name in names(_SOURCES)
    )
    return sorted(found, key=lambda source: source.knowledge.agent.casefold())


def _rule(name: str) -> str:
    """Return what an adapter says of its ids: in its own first words, and in those of the modules it names there."""
    module = name.replace("-", "_")
    own = _docstring(module)
    named = [other for other in re.findall(r"`(_\w+)`", own) if find_spec(f"{_SOURCES}.{other}")]
    return "\n\n".join(filter(None, map(_of_ids, [own, *map(_docstring, named)])))


def _docstring(module: str) -> str:
    return inspect.getdoc(import_module(f"{_SOURCES}.{module}")) or ""


def _of_ids(docstring: str) -> str:
    """Return a docstring from the paragraph on that begins the rule of ids; nothing when it has none."""
    return "\n\n".join(dropwhile(lambda paragraph: not _RULE.search(paragraph), docstring.split("\n\n")))


def registry() -> str:
    """Return what is known of the log formats, for programs."""
    shapes = [source.shape() for source in _known()]
    return json.dumps({"format": _FORMAT, "fields": _FIELDS, "sources": shapes}, ensure_ascii=False, indent=2) + "\n"


def sources() -> Iterator[str]:
    """Tell what is known of each log format, and since when."""
    known = _known()
    yield "| agent | source | versions seen | looked at |\n|---|---|---|---|"
    for source in known:
        about = source.knowledge
        yield f"| [{about.agent}](#{source.id}) | `{source.id}` | {_list(about.versions)} | {about.observed} |"
    yield ""
    for source in known:
        yield from _source(source)


def unreadable() -> Iterator[str]:
    """List what only the agents themselves can read."""
    yield "| agent | what | why |\n|---|---|---|"
    for source in _known():
        for what, why in source.knowledge.unreadable:
            yield f"| {source.knowledge.agent} | {_patterns((what,))} | {_cell(why)} |"


def fields() -> Iterator[str]:
    """Describe the fields of `sources.json`."""
    yield "| field of a source | |\n|---|---|"
    yield from (f"| `{name}` | {_cell(about)} |" for name, about in _FIELDS.items())


def _source(source: _Source) -> Iterator[str]:
    known = source.knowledge
    yield f'<a id="{source.id}"></a>\n\n### {known.agent}\n'
    yield f"| `{source.id}` | |\n|---|---|"
    for folders, systems in _by_folders(source.folders).items():
        yield f"| {', '.join(systems)} | {_codes(folders)} |"
    yield f"| moved by | {_codes(known.environment)} |"
    yield f"| read | {_patterns(known.paths)} |"
    yield f"| never read | {_patterns(known.never_read)} |"
    yield f"| versions seen | {_list(known.versions)} |"
    yield f"| last looked at | {known.observed} |"
    yield f"| how long the agent keeps it | {_cell(known.kept)} |\n"
    if known.gaps:
        yield "Known gaps:\n"
        yield from (f"- {gap}" for gap in known.gaps)
        yield ""
    yield f"<details>\n<summary>What an event's id is made of</summary>\n\n{source.event_id}\n\n</details>\n"


def _by_folders(folders: Mapping[str, Sequence[str]]) -> Mapping[tuple[str, ...], Sequence[str]]:
    systems: dict[tuple[str, ...], list[str]] = {}
    for system, found in folders.items():
        systems.setdefault(tuple(found), []).append(system)
    return systems


def _patterns(values: tuple[str, ...]) -> str:
    """Mark what is a pattern; some things that are left out are said in words."""
    return ", ".join(_cell(value) if " " in value else f"`{_cell(value)}`" for value in values) or "–"


def _list(values: tuple[str, ...]) -> str:
    return _cell(", ".join(values)) or "–"


# --- types of entries -------------------------------------------------------------------------------------------------


def types() -> Iterator[str]:
    """List the types of entries, by kind, and what each says of its fields."""
    found = read_types([Path(str(files("quoth") / "types"))])
    for kind in EntryKind:
        yield f"### {kind.value.capitalize()}\n"
        yield "| type | for | applies to | mode | fields |\n|---|---|---|---|---|"
        for each in found.of(kind):
            about = ", ".join(f"`{field.name}` ({field.rule})" for field in each.fields.values())
            yield f"| `{each.name}` | {_cell(each.description)} | {each.place} | {each.mode} | {about} |"
        yield ""


# --- pages ------------------------------------------------------------------------------------------------------------


def _codes(values: tuple[str, ...]) -> str:
    return ", ".join(f"`{_cell(value)}`" for value in values) or "–"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


_PARTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "commands": commands,
    "failures": failures,
    "fields": fields,
    "settings": settings,
    "sources": sources,
    "types": types,
    "unreadable": unreadable,
}
_REGISTRY, _REGISTRY_PAGE = "sources.json", "sources.md"


def fill(page: str) -> str:
    """Return a page with every generated part as it should be."""
    return _PART.sub(lambda part: f"{part[1]}\n{_written(part['name'])}\n\n{part[3]}", page)


def _written(name: str) -> str:
    return "\n".join(_PARTS[name]()).strip()


def main(folder: Path, *, check: bool) -> int:
    """Bring the pages up to date, or name the stale ones; return the exit status."""
    wanted = {page: fill(page.read_text("utf-8")) for page in sorted(folder.glob("*.md"))}
    if folder / _REGISTRY_PAGE in wanted:
        wanted[folder / _REGISTRY] = registry()
    stale = {file: text for file, text in wanted.items() if not file.exists() or file.read_text("utf-8") != text}
    for file, text in stale.items():
        print(f"{file.name} is stale; run scripts/docs." if check else f"wrote {file.name}")
        if not check:
            file.write_text(text, "utf-8", newline="\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parent, check="--check" in sys.argv[1:]))
