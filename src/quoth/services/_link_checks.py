"""Look whether the links of this machine work: found, linked, pinned, starting, and their sessions kept.

A server is started only when its entry is what we would write ourselves: a workspace's file may come from a stranger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from quoth.core.errors import LinkRefused, QuothError
from quoth.core.ids import SourceId
from quoth.core.links import HOME, Answer, Server
from quoth.core.names import printable_path
from quoth.core.times import local_iso
from quoth.services._findings import FAIL, PASS, WARN, Check
from quoth.services.link import Linking


@dataclass(frozen=True, slots=True)
class LinkChecks:
    """`ask` starts a command in an environment, on an empty store; `newest` tells when the last kept session ended."""

    linking: Linking
    home: Path
    ask: Callable[[Sequence[str], Mapping[str, str]], Answer]
    newest: Callable[[SourceId], int | None]

    def checks(self) -> list[Check]:
        """Return one finding for each host and question."""
        broken = [Check(f"host:{host}", FAIL, self.linking.why_broken(host)) for host in self.linking.broken]
        return _one_each([*broken, *(check for host in self.linking.linkers for check in self._host(host))])

    def _host(self, host: str) -> Iterator[Check]:
        linker = self.linking.linkers[host]
        folder = printable_path(str(linker.folder(self.linking.env, self.linking.user_home)))
        if not self.linking.is_here(host):
            yield Check(f"host:{host}", PASS, f"{linker.agent} is not on this machine; looked for {folder}.")
            return
        yield Check(f"host:{host}", PASS, f"{linker.agent} is on this machine ({folder}).")
        found: dict[Path, Mapping[str, Server]] = {}
        yield from self._read(host, found)
        yield from self._linked(host, found)
        entries = [(path, server) for path, servers in found.items() for server in servers.values()]
        if entries:
            yield from self._pinned(host, entries)
            yield from self._starting(host, [server for _, server in entries if not self._strange(server)])
            yield from self._session(host)

    def _read(self, host: str, found: dict[Path, Mapping[str, Server]]) -> Iterator[Check]:
        """Collect our entries; a file that can't be read is a finding."""
        for each, _, target in self.linking.places():
            if each == host:
                try:
                    found[target.path] = self.linking.servers(host, target)
                except LinkRefused as error:
                    yield Check(f"link:{host}", FAIL, str(error), "Mend the file; the agent can't read it either.")

    def _linked(self, host: str, found: Mapping[Path, Mapping[str, Server]]) -> Iterator[Check]:
        agent = self.linking.linkers[host].agent
        places = [printable_path(str(path)) for path, servers in found.items() if servers]
        if places:
            yield Check(f"link:{host}", PASS, f"{agent} is linked in {', '.join(places)}.")
        elif found:
            yield Check(f"link:{host}", PASS, f"{agent} is not linked here; `quoth link {host}` lets it ask.")
        for link in self.linking.remembered():
            if link.host == host and link.path in found and link.name not in found[link.path]:
                path = printable_path(str(link.path))
                message = f"{agent} was linked as {link.name} in {path}; the entry is gone."
                yield Check(f"link:{host}", WARN, message, f"Run `quoth link {host}` there, or `quoth unlink --all`.")

    def _pinned(self, host: str, entries: Sequence[tuple[Path, Server]]) -> Iterator[Check]:
        strange = [(path, why) for path, server in entries if (why := self._strange(server))]
        for path, why in strange:
            message = f"{printable_path(str(path))} {why}."
            yield Check(f"pinned:{host}", WARN, message, f"Run `quoth link {host}` there again.")
        if not strange:
            yield Check(f"pinned:{host}", PASS, f"{self.linking.linkers[host].agent} starts this installation.")

    def _strange(self, server: Server) -> str | None:
        """Say why an entry is not ours as we would write it now."""
        program = self.linking.which(server.command[0])
        if program is None:
            return f"starts {server.command[0]}, which is not there"
        mine = self.linking.which(self.linking.program[0])
        if mine is None or Path(program).resolve() != Path(mine).resolve():
            return f"starts another installation: {program}"
        if Path(server.env.get(HOME) or self.linking.usual_home) != self.home:
            return "opens another store"
        return None

    def _starting(self, host: str, servers: Sequence[Server]) -> Iterator[Check]:
        linker = self.linking.linkers[host]
        for command in dict.fromkeys(server.command for server in servers):
            answer = self.ask(command, linker.environment(self.linking.env))
            if answer.failure:
                message = f"The server that {linker.agent} starts does not work: {answer.failure}."
                yield Check(f"server:{host}", FAIL, message, f"Try `{' '.join(command)}` in a terminal.")
            else:
                message = f"The server that {linker.agent} starts answers with {answer.tools} tools."
                yield Check(f"server:{host}", PASS, message)

    def _session(self, host: str) -> Iterator[Check]:
        linker = self.linking.linkers[host]
        try:
            ended = self.newest(linker.source)
        except QuothError:
            return  # The checks of the index say what is wrong with it.
        if ended is None:
            message = f"No session of {linker.agent} is kept yet."
            yield Check(f"session:{host}", WARN, message, "Run `quoth sync`.")
        else:
            when = local_iso(ended)[:16].replace("T", " ")
            yield Check(f"session:{host}", PASS, f"The last session of {linker.agent} that is kept ended {when}.")


def _one_each(checks: Sequence[Check]) -> list[Check]:
    """Join the findings of one id; where something is wrong, what is well is left out."""
    by_id: dict[str, list[Check]] = {}
    for check in checks:
        by_id.setdefault(check.id, []).append(check)
    return [_joined(same) for same in by_id.values()]


def _joined(same: Sequence[Check]) -> Check:
    worst = max((check.status for check in same), key=(PASS, WARN, FAIL).index)
    told = [check for check in same if check.status != PASS] or same
    remedies = dict.fromkeys(check.remedy for check in told if check.remedy)
    return Check(same[0].id, worst, " ".join(check.message for check in told), " ".join(remedies) or None)
