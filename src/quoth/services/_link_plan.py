"""Decide what a link or its removal makes of a file: pure, so that a preview is free.

A file is what the person has, and our entries spliced in one after the other. Taking all of them out in reverse order
gives back the person's bytes; where somebody wrote since so that this fails, the entry alone is cut out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from quoth.core.links import Link, Server, Splice
from quoth.core.ports import Linker

LINKED, PINNED_AGAIN, UNCHANGED, UNLINKED, ABSENT = "linked", "repinned", "unchanged", "unlinked", "absent"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a file holds before and after (None: there is no file), and what is remembered of it then."""

    status: str
    before: str | None
    after: str | None
    links: Sequence[Link]


def to_link(linker: Linker, before: str | None, server: Server, *, link: Link, links: Sequence[Link]) -> Plan:
    """Plan an entry for a server; `link` is how it will be remembered, `links` what is remembered of this file.

    Raises:
        ValueError: the text can't be read or changed, or another server has this name.
    """
    text = before or ""
    made, links = links, _still_there(linker, text, links)
    made = made if before is None else links
    link = replace(link, created=next((each.created for each in made if each.created), link.created))
    entry = linker.servers(text).get(server.name)
    if _has(linker, text, server.name) and not (entry and entry.is_ours):
        raise ValueError(f"it names another server {server.name}; pass another `--name`")
    if entry and entry.starts_like(server):
        known = any(each.name == server.name for each in links)
        return Plan(UNCHANGED, before, before, links if known else [*links, link])
    after, remembered = _linked(linker, text, server, link, links)
    _demand(linker, text, after, server.name)
    said = linker.servers(after).get(server.name)
    if not (said and said.starts_like(server)):
        raise ValueError(f"its entry {server.name} is written in a form that is not changed here; take it out by hand")
    return Plan(PINNED_AGAIN if entry else LINKED, before, after, remembered)


def to_unlink(linker: Linker, before: str | None, name: str, links: Sequence[Link]) -> Plan:
    """Plan to take an entry of ours out; a server of somebody else with this name is left alone.

    Raises:
        ValueError: the text can't be read or changed.
    """
    was_made = any(link.created for link in links)
    links = _still_there(linker, before or "", links)
    others = [link for link in links if link.name != name]
    entry = linker.servers(before).get(name) if before is not None else None
    if before is None or not (entry and entry.is_ours):
        return Plan(ABSENT, before, before, others)
    after, remembered = _unlinked(linker, before, name, links)
    _demand(linker, before, after, name)
    if _has(linker, after, name):
        raise ValueError(f"its entry {name} is written in a form that is not changed here; take it out by hand")
    return Plan(UNLINKED, before, None if was_made and linker.is_bare(after) else after, remembered)


def _still_there(linker: Linker, text: str, links: Sequence[Link]) -> Sequence[Link]:
    """Forget the entries that somebody else took out."""
    servers = linker.servers(text)
    return [link for link in links if link.name in servers]


def _linked(linker: Linker, text: str, server: Server, link: Link, links: Sequence[Link]) -> tuple[str, Sequence[Link]]:
    servers = {**linker.servers(text), server.name: server}
    known = any(each.name == server.name for each in links)
    is_there = _has(linker, text, server.name)
    wanted = links if known else [*links, link]
    spliced = [each for each in links if each.splice]
    base = _unwound(linker, text, spliced)
    if base is not None and (not is_there or server.name in {each.name for each in spliced}):
        return _replayed(linker, base, wanted, servers)
    after = linker.linked(text, server)
    splice = None if is_there else splice_of(text, after)
    return after, [replace(each, splice=splice) if each.name == server.name else each for each in wanted]


def _unlinked(linker: Linker, text: str, name: str, links: Sequence[Link]) -> tuple[str, Sequence[Link]]:
    others = [link for link in links if link.name != name]
    spliced = [link for link in links if link.splice]
    base = _unwound(linker, text, spliced) if name in {link.name for link in spliced} else None
    if base is None:
        return linker.unlinked(text, name), others
    return _replayed(linker, base, others, linker.servers(text))


def _unwound(linker: Linker, text: str, spliced: Sequence[Link]) -> str | None:
    """Take every splice out again, the last one first; None when one is not found as it was written."""
    for link in reversed(spliced):
        base = _unspliced(text, link.splice) if link.splice else None
        if base is None or not _is_without(linker, text, base, link.name):
            return None
        text = base
    return text


def _is_without(linker: Linker, text: str, base: str, name: str) -> bool:
    try:
        return not _has(linker, base, name) and linker.rest(base, name) == linker.rest(text, name)
    except ValueError:  # What somebody wrote since leans on our entry, as a comma does.
        return False


def _replayed(
    linker: Linker, base: str, links: Sequence[Link], servers: Mapping[str, Server]
) -> tuple[str, Sequence[Link]]:
    """Splice our entries into what the person has, and return the text with what is to be remembered."""
    remembered: list[Link] = []
    for link in links:
        if link.name in linker.servers(base):  # It was there before us.
            remembered.append(link)
            continue
        after = linker.linked(base, servers[link.name])
        remembered.append(replace(link, splice=splice_of(base, after)))
        base = after
    return base, remembered


def splice_of(before: str, after: str) -> Splice:
    """Return the one change that leads from one text to the other."""
    longest = min(len(before), len(after))
    start = next((at for at in range(longest) if before[at] != after[at]), longest)
    room = longest - start
    tail = next((at for at in range(room) if before[-1 - at] != after[-1 - at]), room)
    return Splice(before[start : len(before) - tail], after[start : len(after) - tail])


def _unspliced(text: str, splice: Splice) -> str | None:
    is_there_once = bool(splice.inserted) and text.count(splice.inserted) == 1
    return text.replace(splice.inserted, splice.removed) if is_there_once else None


def _has(linker: Linker, text: str, name: str) -> bool:
    return linker.rest(text, name) != linker.rest(text, None)


def _demand(linker: Linker, before: str, after: str, name: str) -> None:
    """Make sure that a change says nothing else than it should."""
    if linker.rest(before, name) != linker.rest(after, name):
        raise ValueError("the change would alter something else")
