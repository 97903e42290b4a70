"""Link: tell the agents of this machine to start our server, take that out again, and look whether it works.

Only our own entry changes (ENG-36); what exactly was changed is remembered, so that unlinking gives the bytes back.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from quoth.core.errors import InvalidArgument, LinkRefused, UnknownHost
from quoth.core.links import HOME, Level, Link, Refusal, Server, Target, is_server_name
from quoth.core.names import printable_path
from quoth.core.ports import Linker, State
from quoth.readers import edits_file
from quoth.services import _link_plan
from quoth.services._link_plan import ABSENT, UNCHANGED, Plan
from quoth.services._link_shapes import BY_HAND, REFUSED, Outcome, diff, line

_DIALECT = "quoth"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Linking:
    """`program` starts this installation; `variables` say where store and logs are, if not where they usually are.

    `broken` are hosts whose module can't be loaded, each with the reason; the others are linked all the same.
    """

    linkers: Mapping[str, Linker]
    broken: Mapping[str, str]
    env: Mapping[str, str]
    user_home: Path
    workspace: Path
    program: Sequence[str]
    variables: Mapping[str, str]
    state: Callable[[], State]
    remembered: Callable[[], Sequence[Link]]
    which: Callable[[str], str | None]

    def link(
        self,
        hosts: Sequence[str] = (),
        *,
        level: Level = Level.WORKSPACE,
        dialect: str = _DIALECT,
        name: str | None = None,
        dry_run: bool = False,
    ) -> Sequence[Outcome]:
        """Tell hosts, or all that are here, to start our server. What one host refuses does not stop the others.

        Raises:
            UnknownHost: there is no such host, or none was named and none is here.
            InvalidArgument: the name is none that every host takes.
        """
        chosen = self._chosen(hosts)
        name = _name(name, dialect)
        linked = [self._link(host, level, self._server(host, name, dialect), dry_run=dry_run) for host in chosen]
        return [*linked, *self._refused(hosts, level, name)]

    def unlink(
        self,
        hosts: Sequence[str] = (),
        *,
        level: Level = Level.WORKSPACE,
        name: str | None = None,
        dry_run: bool = False,
    ) -> Sequence[Outcome]:
        """Take our entries out of the files of hosts, or of all hosts: the one of that name, or every one.

        Raises:
            UnknownHost: there is no such host.
        """
        places = [(host, level, self._target(host, level)) for host in self._named(hosts)]
        return [*self._unlinked(places, name, dry_run=dry_run), *self._refused(hosts, level, name or "")]

    def unlink_all(self, *, dry_run: bool = False) -> Sequence[Outcome]:
        """Take every entry of ours out of every file: global, of this workspace, and of all we ever linked."""
        refused = (each for level in Level for each in self._refused((), level, ""))
        return [*self._unlinked(self.places(), None, dry_run=dry_run), *refused]

    def places(self) -> Sequence[tuple[str, Level, Target]]:
        """Return every file that may name our server."""
        usual = [(host, level, self._target(host, level)) for level in Level for host in self.linkers]
        known = [(link.host, link.level, Target(link.path)) for link in self.remembered() if link.host in self.linkers]
        found = [(host, level, target) for host, level, target in (*usual, *known) if isinstance(target, Target)]
        return list({target.path: (host, level, target) for host, level, target in reversed(found)}.values())[::-1]

    def servers(self, host: str, target: Target) -> Mapping[str, Server]:
        """Return our entries in a file.

        Raises:
            LinkRefused: the file can't be read.
        """
        text = edits_file.read(target.path)
        servers = _read(target, lambda: self.linkers[host].servers(text or ""))
        return {name: server for name, server in servers.items() if server.is_ours}

    # --- linking ---

    def _link(self, host: str, level: Level, server: Server, *, dry_run: bool) -> Outcome:
        target = self._target(host, level)
        if isinstance(target, Refusal):
            return Outcome(host, level, server.name, REFUSED, f"{self.linkers[host].agent}: {target.reason}.")
        try:
            if target.by_hand:
                return self._link_by_hand(host, level, target, server)
            plan = self._plan_link(host, level, target, server)
            if not dry_run:
                self._write(target, plan)
        except LinkRefused as error:
            return Outcome(host, level, server.name, REFUSED, str(error), target.path)
        return self._said(host, level, target, server, plan)

    def _plan_link(self, host: str, level: Level, target: Target, server: Server) -> Plan:
        links = self._links(target)
        before = edits_file.read(target.path)
        link = Link(host, level, target.path, server.name, None, edits_file.missing(target.path))
        return _read(target, lambda: _link_plan.to_link(self.linkers[host], before, server, link=link, links=links))

    def _write(self, target: Target, plan: Plan) -> None:
        """Remember, then write: a killed process leaves a memory of nothing, never an entry without memory."""
        known = self._links(target)
        if list(plan.links) != list(known):
            self.state().set_links(target.path, plan.links)
        if plan.after is None or plan.after == plan.before:
            return
        try:
            edits_file.write(target.path, plan.before, plan.after, private=target.private)
        except LinkRefused:
            self.state().set_links(target.path, known)
            raise

    def _said(self, host: str, level: Level, target: Target, server: Server, plan: Plan) -> Outcome:
        linker, path = self.linkers[host], printable_path(str(target.path))
        how = "already starts" if plan.status == UNCHANGED else "starts"
        message = f"{linker.agent} {how} `{shlex.join(server.command)}` as {server.name}: {path}."
        return Outcome(
            host,
            level,
            server.name,
            plan.status,
            message,
            target.path,
            server.command,
            confirm=linker.confirm(level),
            diff=diff(path, plan),
        )

    def _link_by_hand(self, host: str, level: Level, target: Target, server: Server) -> Outcome:
        linker, path = self.linkers[host], printable_path(str(target.path))
        entry = self.servers(host, target).get(server.name)
        if entry and entry.starts_like(server):
            return self._said(host, level, target, server, Plan(UNCHANGED, None, None, ()))
        add, remove = linker.commands(server)
        run = [*remove, "&&", *add] if entry else add
        message = f"{linker.agent}: run `{line(run)}`. {path} is not edited: {target.by_hand}."
        confirm = linker.confirm(level)
        return Outcome(host, level, server.name, BY_HAND, message, target.path, server.command, run, confirm)

    def _server(self, host: str, name: str, dialect: str) -> Server:
        passed = self.linkers[host].environment(self.env)
        env = {key: value for key, value in self.variables.items() if key == HOME or key not in passed}
        words = ("mcp",) if dialect == _DIALECT else ("mcp", "--dialect", dialect)
        return Server(name, (*self.program, *words), env)

    # --- unlinking ---

    def _unlinked(
        self, places: Sequence[tuple[str, Level, Target | Refusal]], name: str | None, *, dry_run: bool
    ) -> Iterator[Outcome]:
        for host, level, target in places:
            if isinstance(target, Refusal):
                continue
            try:
                yield from self._unlink(host, level, target, name, dry_run=dry_run)
            except LinkRefused as error:
                yield Outcome(host, level, name or "", REFUSED, str(error), target.path)

    def _unlink(self, host: str, level: Level, target: Target, name: str | None, *, dry_run: bool) -> Iterator[Outcome]:
        """Take the entries out one by one, the last one first, so that a preview shows what each change is."""
        there = list(self.servers(host, target))
        known = [link.name for link in self._links(target)]
        names = [each for each in dict.fromkeys([*there, *known]) if name in (None, each)]
        if target.by_hand:
            yield from (self._unlink_by_hand(host, level, target, each) for each in names)
            return
        text, links = edits_file.read(target.path), self._links(target)
        for each in reversed(names):
            plan = self._plan_unlink(host, target, text, each, links)
            if not dry_run:
                self._erase(target, plan, links)
            text, links = plan.after, plan.links
            if plan.status != ABSENT:
                yield self._told(host, level, target, each, plan)

    def _plan_unlink(self, host: str, target: Target, text: str | None, name: str, links: Sequence[Link]) -> Plan:
        return _read(target, lambda: _link_plan.to_unlink(self.linkers[host], text, name, links))

    def _erase(self, target: Target, plan: Plan, links: Sequence[Link]) -> None:
        """Write, then forget: a killed process leaves a memory of nothing."""
        made = next((link.created for link in links if link.created), ())
        if plan.before is None:
            edits_file.remove_folders(made)
        elif plan.after is None:
            edits_file.remove(target.path, plan.before, made)
        elif plan.after != plan.before:
            edits_file.write(target.path, plan.before, plan.after, private=target.private)
        if list(plan.links) != list(links):
            self.state().set_links(target.path, plan.links)

    def _told(self, host: str, level: Level, target: Target, name: str, plan: Plan) -> Outcome:
        path = printable_path(str(target.path))
        gone = " The file was ours and is gone." if plan.after is None else ""
        message = f"{self.linkers[host].agent} no longer starts {name}: {path}.{gone}"
        return Outcome(host, level, name, plan.status, message, target.path, diff=diff(path, plan))

    def _unlink_by_hand(self, host: str, level: Level, target: Target, name: str) -> Outcome:
        _, remove = self.linkers[host].commands(Server(name, ()))
        path = printable_path(str(target.path))
        message = f"{self.linkers[host].agent}: run `{line(remove)}`. {path} is not edited: {target.by_hand}."
        return Outcome(host, level, name, BY_HAND, message, target.path, run=remove)

    # --- what is where ---

    def _chosen(self, hosts: Sequence[str]) -> Sequence[str]:
        chosen = self._named(hosts) if hosts else [host for host in self.linkers if self.is_here(host)]
        if not chosen and not self.broken:
            raise UnknownHost(None, [*self.linkers])
        return chosen

    def _named(self, hosts: Sequence[str]) -> Sequence[str]:
        for host in hosts:
            if host not in self.linkers and host not in self.broken:
                raise UnknownHost(host, [*self.linkers])
        return [host for host in dict.fromkeys(hosts or self.linkers) if host in self.linkers]

    def _refused(self, hosts: Sequence[str], level: Level, name: str) -> Iterator[Outcome]:
        """Say of which hosts nothing can be told."""
        for host in self.broken:
            if not hosts or host in hosts:
                yield Outcome(host, level, name, REFUSED, self.why_broken(host))

    def why_broken(self, host: str) -> str:
        return f"The module that links {host} can't be loaded ({self.broken[host]}). Mend or remove it."

    def is_here(self, host: str) -> bool:
        """Tell whether a host is on this machine: its settings or its program."""
        linker = self.linkers[host]
        return linker.folder(self.env, self.user_home).is_dir() or self.which(linker.program) is not None

    def _target(self, host: str, level: Level) -> Target | Refusal:
        if level is Level.WORKSPACE and self.workspace == self.user_home:
            return Refusal("your home folder is no workspace; go to one, or pass `--global`")
        return self.linkers[host].target(level, workspace=self.workspace, env=self.env, home=self.user_home)

    @property
    def usual_home(self) -> Path:
        """The store of a server to which no variable says where it is."""
        return self.user_home / ".quoth"

    def _links(self, target: Target) -> Sequence[Link]:
        return [link for link in self.remembered() if link.path == target.path]


def _name(name: str | None, dialect: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9-]*", dialect):
        raise InvalidArgument("dialect", "the name of a dialect, such as quoth or origin")
    if not is_server_name(name or dialect):
        raise InvalidArgument("name", "1 to 64 letters, digits, `-` and `_`")
    return name or dialect


def _read(target: Target, use: Callable[[], T]) -> T:
    """Say what a text has wrong, with the file's name."""
    try:
        return use()
    except ValueError as error:
        raise LinkRefused(printable_path(str(target.path)), str(error)) from error
