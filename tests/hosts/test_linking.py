"""Links on a real disk: modes, links of the file system, folders, other programs, and what is refused."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import apsw
import pytest

from quoth import _plugins
from quoth.core.errors import AdapterBroken, InvalidArgument, LinkRefused, UnknownHost
from quoth.core.ids import SourceId
from quoth.core.links import Level, Link, Splice
from quoth.core.ports import Linker
from quoth.services._link_shapes import Outcome
from quoth.services.link import Linking
from quoth.storage._state import StateFile, migrations
from quoth.wiring import Kernel, Unseen

WORKSPACE, GLOBAL = Level.WORKSPACE, Level.GLOBAL


@dataclass(frozen=True)
class Machine:
    """A person's home with agents, a workspace, and a fresh kernel for each question."""

    person: Path
    workspace: Path
    env: dict[str, str]

    def ask(self, use: Callable[[Linking], Any], **env: str) -> Any:
        kernel = Kernel({**self.env, **env})
        try:
            return use(kernel.link)
        finally:
            kernel.close()

    def link(self, host: str, level: Level = WORKSPACE, **more: Any) -> Outcome:
        (outcome,) = self.ask(lambda linking: linking.link([host], level=level, **more))
        assert isinstance(outcome, Outcome)
        return outcome

    def unlink(self, host: str, level: Level = WORKSPACE, **more: Any) -> list[Outcome]:
        return list(self.ask(lambda linking: linking.unlink([host], level=level, **more)))

    def unlink_all(self) -> list[Outcome]:
        return list(self.ask(lambda linking: linking.unlink_all()))

    @property
    def mcp_json(self) -> Path:
        return self.workspace / ".mcp.json"

    @property
    def config(self) -> Path:
        return self.person / ".codex/config.toml"

    def tree(self) -> dict[str, bytes | None]:
        """Return everything below the person's folder but the store."""
        store = self.person / ".quoth"
        paths = [path for path in sorted(self.person.rglob("*")) if store not in (path, *path.parents)]
        return {str(path): path.read_bytes() if path.is_file() else None for path in paths}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    workspace = tmp_path / "person" / "work" / "bakery"
    (workspace / "src").mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", str(workspace)], check=True)
    monkeypatch.chdir(workspace / "src")
    return Machine(tmp_path / "person", workspace, {"HOME": str(tmp_path / "person"), "PATH": os.environ["PATH"]})


MINE = b'\xef\xbb\xbf{\r\n\t"mcpServers": { "a": {"url": "http://x"} } }'
CONFIG = b'# mine\nmodel = "x"   # why\n\n[mcp_servers.a]\ncommand = "npx"'


@pytest.mark.req("INV-6")
@pytest.mark.parametrize("source", _plugins.names("quoth.sources"))
def test_an_adapter_that_does_not_load_keeps_no_agent_from_being_linked(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """What moves the folders of the other sources is passed on; reading says which source is broken."""
    moved = {"claude-code": ("CLAUDE_CONFIG_DIR", "/srv/claude"), "codex": ("CODEX_HOME", "/srv/codex")}
    monkeypatch.delattr(f"quoth.sources.{source.replace('-', '_')}.ADAPTER")
    env = dict(moved.values())
    for host in _plugins.names("quoth.hosts"):
        done = machine.ask(lambda linking, host=host: linking.link([host]), **env)
        assert [outcome.status for outcome in done] == ["linked"]
    passed = machine.ask(lambda linking: linking.variables, **env)
    assert passed == {name: path for of, (name, path) in moved.items() if of != source}
    kernel = Kernel({**machine.env, **env})
    with closing(kernel):
        with pytest.raises(AdapterBroken, match=rf"adapter of {source} can't be loaded \(AttributeError\)"):
            kernel.adapters[SourceId(source)]
        (failed,) = (report for report in kernel.ingest.run(Unseen()).sources if report.failed)
    assert failed.source == source


@pytest.mark.req("INV-6")
@pytest.mark.parametrize("broken", _plugins.names("quoth.hosts"))
def test_a_host_whose_module_does_not_load_keeps_no_other_from_being_linked(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    for name in (".claude", ".codex"):
        (machine.person / name).mkdir()
    monkeypatch.delattr(f"quoth.hosts.{broken.replace('-', '_')}.LINKER")
    others = [host for host in _plugins.names("quoth.hosts") if host != broken]
    for hosts in ((), (*others, broken)):
        done = machine.ask(lambda linking, hosts=hosts: linking.link(hosts))
        assert {each.host for each in done if each.is_done} == set(others)
        (refused,) = (each for each in done if not each.is_done)
        assert (refused.host, refused.status) == (broken, "refused")
        assert f"links {broken} can't be loaded (AttributeError)" in refused.message
    (refused,) = machine.ask(lambda linking: linking.link([broken]))
    assert refused.host == broken
    kernel = Kernel(machine.env)
    with closing(kernel):
        (check,) = (check for check in kernel.link_checks.checks() if check.id == f"host:{broken}")
    assert (check.status, check.message) == ("fail", refused.message)
    gone = [(each.host, each.status) for each in machine.unlink_all()]
    assert set(gone) == {(broken, "refused"), *((host, "unlinked") for host in others)}


@pytest.mark.req("ENG-25", "ENG-36")
def test_a_workspace_file_goes_into_the_repository_around_the_folder_and_out_again(machine: Machine) -> None:
    machine.mcp_json.write_bytes(MINE)
    before = machine.tree()
    done = machine.link("claude-code")
    assert (done.status, done.path) == ("linked", machine.mcp_json)
    entry = json.loads(machine.mcp_json.read_bytes().decode("utf-8-sig"))["mcpServers"]["quoth"]
    assert [entry["command"], *entry["args"]] == list(done.command)
    assert machine.tree().keys() == before.keys()
    assert [outcome.status for outcome in machine.unlink("claude-code")] == ["unlinked"]
    assert machine.tree() == before


@pytest.mark.req("ENG-25", "ENG-36")
def test_codex_is_linked_in_the_persons_settings_and_in_a_workspace(machine: Machine) -> None:
    machine.config.parent.mkdir()
    machine.config.write_bytes(CONFIG)
    before = machine.tree()
    assert machine.link("codex", GLOBAL).path == machine.config
    assert machine.config.read_bytes().startswith(CONFIG)
    assert machine.link("codex").path == machine.workspace / ".codex/config.toml"
    machine.unlink("codex", GLOBAL)
    machine.unlink("codex")
    assert machine.tree() == before


@pytest.mark.req("ENG-25")
def test_what_every_session_of_the_host_rewrites_is_never_written_but_the_command_is_said(machine: Machine) -> None:
    settings = machine.person / ".claude.json"
    settings.write_text('{"mcpServers": {}}')
    done = machine.link("claude-code", GLOBAL, dialect="origin")
    assert done.status == "by_hand"
    assert list(done.run) == ["claude", "mcp", "add", "--scope", "user", "origin", "--", *done.command]
    assert done.command[-3:] == ("mcp", "--dialect", "origin")
    assert settings.read_text() == '{"mcpServers": {}}'
    entry = {"command": done.command[0], "args": list(done.command[1:])}
    settings.write_text(json.dumps({"mcpServers": {"origin": entry}}))
    assert machine.link("claude-code", GLOBAL, dialect="origin").status == "unchanged"
    (left,) = machine.unlink_all()
    assert (left.status, list(left.run)) == ("by_hand", ["claude", "mcp", "remove", "--scope", "user", "origin"])


@pytest.mark.req("ENG-26")
def test_the_entry_has_the_dialects_name_or_the_one_that_is_said(machine: Machine) -> None:
    assert [machine.link("codex", **said).name for said in ({}, {"dialect": "origin"}, {"name": "my-memory"})] == [
        "quoth",
        "origin",
        "my-memory",
    ]
    for wrong in ("", "a b", "é", "x" * 65, "a.b"):
        with pytest.raises(InvalidArgument):
            machine.link("codex", name=wrong or "/")


@pytest.mark.req("ENG-26")
def test_the_command_is_the_name_when_every_shell_finds_this_installation_else_its_path(
    machine: Machine, tmp_path: Path
) -> None:
    script = Path(machine.link("codex", dry_run=True).command[0])
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "quoth").symlink_to(script if script.is_absolute() else Path(sys.executable).parent / "quoth")

    def command(**env: str) -> str:
        (outcome,) = machine.ask(lambda linking: linking.link(["codex"], dry_run=True), **env)
        return str(outcome.command[0])

    assert command(PATH=str(bin_)) == "quoth"
    path = command(PATH=str(tmp_path / "nothing"))
    assert Path(path).is_absolute()
    assert command(PATH=str(Path(path).parent), VIRTUAL_ENV=str(Path(path).parent.parent)) == path
    other = tmp_path / "other"
    other.mkdir()
    (other / "quoth").write_text("#!/bin/sh\n")
    (other / "quoth").chmod(0o755)
    assert command(PATH=str(other)) == path


@pytest.mark.req("ENG-26")
def test_another_store_and_what_codex_keeps_from_a_server_are_in_its_entry(machine: Machine, tmp_path: Path) -> None:
    said = {"QUOTH_HOME": str(tmp_path / "store"), "CODEX_HOME": str(tmp_path / "codex"), "CLAUDE_CONFIG_DIR": " "}
    done = machine.ask(lambda linking: linking.link(["claude-code", "codex"]), **said)
    for outcome, names in zip(done, ({"QUOTH_HOME"}, {"QUOTH_HOME", "CODEX_HOME"}), strict=True):
        linker = cast("Linker", _plugins.load("quoth.hosts", outcome.host, "LINKER"))
        assert linker.servers(outcome.path.read_text())["quoth"].env == {name: said[name] for name in names}
    moved = machine.link("codex")
    assert moved.status == "repinned"
    assert "QUOTH_HOME" not in (machine.workspace / ".codex/config.toml").read_text()


@pytest.mark.req("ENG-26", "ENG-36")
def test_linking_again_pins_again_and_keeps_what_the_person_added_to_the_entry(machine: Machine) -> None:
    machine.mcp_json.write_text(
        '{"mcpServers": {"quoth": {"timeout": 9.50, "command": "/old/quoth", "args": ["mcp"], "env": {"A": "b"}}}}'
    )
    assert machine.link("claude-code").status == "repinned"
    assert '"timeout": 9.50' in machine.mcp_json.read_text()
    entry = json.loads(machine.mcp_json.read_text())["mcpServers"]["quoth"]
    assert entry["env"] == {"A": "b"}
    assert entry["command"] != "/old/quoth"
    machine.unlink("claude-code")
    assert machine.mcp_json.read_text() == '{"mcpServers": {}}'


@pytest.mark.req("ENG-26", "ENG-36")
def test_a_codex_table_keeps_its_other_keys_and_its_neighbours(machine: Machine) -> None:
    text = (
        '[mcp_servers.quoth] # mine\n  command = "/old/quoth" # old\nargs = [\n  "mcp", # two\n]\n'
        "startup_timeout_sec = 20\n\n"
        '# about tools\n[mcp_servers.quoth.tools.search]\napproval_mode = "prompt"\n\n# next\n[other]\na = 1'
    )
    machine.config.parent.mkdir()
    machine.config.write_text(text)
    done = machine.link("codex", GLOBAL)
    assert done.status == "repinned"
    expected = text.replace('"/old/quoth" # old', json.dumps(done.command[0]))
    assert machine.config.read_text() == expected
    machine.unlink("codex", GLOBAL)
    assert machine.config.read_text() == "# about tools\n\n# next\n[other]\na = 1"


@pytest.mark.req("ENG-36")
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"mcpServers": {}', "delimiter"),
        (b'// note\n{"mcpServers": {}}', "Expecting value"),
        (b'{"mcpServers": {"a": NaN}}', "NaN"),
        (b'{"mcpServers": null}', '"mcpServers" holds no object'),
        (b"[]", "it holds no object"),
        (b'{"mcpServers": {"quoth": {"command": "other"}}}', "pass another `--name`"),
        (b'{"mcpServers": {"quoth": {"url": "http://x"}}}', "pass another `--name`"),
        (b"\xff\xfe{}", "UTF-8"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
def test_a_file_that_cannot_be_read_or_names_another_server_is_refused_unchanged(
    machine: Machine, content: bytes, why: str
) -> None:
    machine.mcp_json.write_bytes(content)
    refused = machine.link("claude-code")
    assert refused.status == "refused"
    assert refused.message.startswith(f"{machine.mcp_json} was left as it is: ")
    assert why in refused.message
    assert machine.mcp_json.read_bytes() == content


@pytest.mark.req("ENG-36")
@pytest.mark.parametrize(
    "content",
    [b"[mcp_servers", b"a = 1\na = 2", b'mcp_servers = { a = { command = "x" } }', b"mcp_servers = 3", b"\xff"],
)
def test_a_toml_file_that_cannot_be_read_or_extended_is_refused_unchanged(machine: Machine, content: bytes) -> None:
    machine.config.parent.mkdir()
    machine.config.write_bytes(content)
    assert machine.link("codex", GLOBAL).status == "refused"
    assert machine.config.read_bytes() == content
    assert not machine.ask(lambda linking: linking.remembered())


@pytest.mark.req("ENG-36")
def test_an_entry_in_a_form_that_is_not_ours_is_left_to_the_person(machine: Machine) -> None:
    content = b'mcp_servers.quoth = { command = "/old/quoth", args = ["mcp"] }\n'
    machine.config.parent.mkdir()
    machine.config.write_bytes(content)
    (left,) = machine.unlink("codex", GLOBAL)
    assert left.status == "refused"
    assert "by hand" in left.message
    assert "by hand" in machine.link("codex", GLOBAL).message
    assert machine.config.read_bytes() == content


def test_a_link_is_followed_and_kept_and_so_is_the_mode(machine: Machine, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_bytes(CONFIG)
    real.chmod(0o640)
    machine.config.parent.mkdir()
    machine.config.symlink_to(real)
    machine.link("codex", GLOBAL)
    assert machine.config.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert b"mcp_servers.quoth" in real.read_bytes()
    machine.unlink("codex", GLOBAL)
    assert machine.config.is_symlink()
    assert real.read_bytes() == CONFIG
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dotfiles.toml", "person"]


def test_a_link_to_nothing_yet_makes_the_file_where_it_points_and_takes_that_away(
    machine: Machine, tmp_path: Path
) -> None:
    machine.mcp_json.symlink_to(tmp_path / "shared/mcp.json")
    machine.link("claude-code")
    assert (tmp_path / "shared/mcp.json").is_file()
    machine.unlink("claude-code")
    assert machine.mcp_json.is_symlink()
    assert not (tmp_path / "shared").exists()


def test_new_files_of_the_person_are_private_and_those_of_a_workspace_are_shared(machine: Machine) -> None:
    old = os.umask(0o022)
    try:
        modes = [machine.link("codex", level).path for level in Level]
        assert [oct(stat.S_IMODE(path.stat().st_mode)) for path in modes if path] == ["0o644", "0o600"]
    finally:
        os.umask(old)


@pytest.mark.parametrize("kind", ["folder", "loop", "pipe"])
def test_what_is_no_file_is_refused(machine: Machine, kind: str) -> None:
    {
        "folder": machine.mcp_json.mkdir,
        "loop": lambda: machine.mcp_json.symlink_to(machine.mcp_json),
        "pipe": lambda: os.mkfifo(machine.mcp_json),
    }[kind]()
    assert machine.link("claude-code").status == "refused"
    assert [outcome.status for outcome in machine.unlink("claude-code")] == ["refused"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a person who may not write everything")
def test_what_may_not_be_written_is_refused(machine: Machine) -> None:
    machine.mcp_json.write_bytes(MINE)
    machine.mcp_json.chmod(0o444)
    assert machine.link("claude-code").status == "refused"
    machine.mcp_json.chmod(0o644)
    machine.workspace.chmod(0o555)
    assert machine.link("claude-code").status == "refused"
    machine.workspace.chmod(0o755)
    assert machine.mcp_json.read_bytes() == MINE


def test_a_file_that_another_program_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    from quoth.readers import edits_file

    path = tmp_path / "config.toml"
    path.write_text("a = 1\n")
    with pytest.raises(LinkRefused, match="meanwhile"):
        edits_file.write(path, "a = 0\n", "a = 2\n")
    with pytest.raises(LinkRefused, match="meanwhile"):
        edits_file.write(path, None, "a = 2\n")
    with pytest.raises(LinkRefused, match="meanwhile"):
        edits_file.remove(path, "a = 0\n", [])
    assert {entry.name: entry.read_text() for entry in tmp_path.iterdir()} == {"config.toml": "a = 1\n"}


def test_a_dry_run_shows_the_change_and_makes_not_even_a_store(machine: Machine) -> None:
    machine.mcp_json.write_bytes(b'{"mcpServers": {}}')
    before = machine.tree()
    shown = machine.link("claude-code", dry_run=True)
    assert shown.diff.startswith(f"--- {machine.mcp_json}\n+++ {machine.mcp_json}\n@@ ")
    assert "\\ No newline at end of file" in shown.diff
    new = machine.link("codex", dry_run=True)
    assert new.diff.startswith("--- /dev/null\n+++ ")
    assert machine.tree() == before
    assert not (machine.person / ".quoth").exists()
    machine.link("codex")
    (gone,) = machine.unlink("codex", dry_run=True)
    assert "\n+++ /dev/null\n" in gone.diff
    assert (machine.workspace / ".codex/config.toml").is_file()


@pytest.mark.req("QUO-12")
def test_unlinking_all_leaves_nothing_behind_in_any_workspace(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = machine.person / "work/other"
    elsewhere.mkdir()
    before = machine.tree()
    for folder in (machine.workspace, elsewhere):
        monkeypatch.chdir(folder)
        for host in _plugins.names("quoth.hosts"):
            machine.link(host)
            machine.link(host, dialect="origin")
    machine.link("codex", GLOBAL, name="mine")
    monkeypatch.chdir(machine.person)
    assert {outcome.status for outcome in machine.unlink_all()} == {"unlinked"}
    assert machine.tree() == before
    assert machine.ask(lambda linking: linking.remembered()) == []
    assert machine.unlink_all() == []


@pytest.mark.req("QUO-12")
def test_unlinking_all_forgets_what_is_gone_and_goes_on_after_a_refusal(machine: Machine) -> None:
    machine.link("claude-code")
    machine.link("codex")
    machine.link("codex", GLOBAL)
    (machine.workspace / ".codex/config.toml").unlink()
    machine.mcp_json.write_text("{")
    assert sorted(outcome.status for outcome in machine.unlink_all()) == ["refused", "unlinked"]
    assert not (machine.workspace / ".codex").exists()
    assert [link.path for link in machine.ask(lambda linking: linking.remembered())] == [machine.mcp_json]


@pytest.mark.req("ENG-36")
def test_a_file_that_the_person_made_in_place_of_ours_stays(machine: Machine) -> None:
    for entry in ("quoth", "origin"):
        machine.link("claude-code", name=entry)
    machine.mcp_json.write_text("{ }")
    assert machine.link("claude-code").status == "linked"
    assert [outcome.status for outcome in machine.unlink("claude-code")] == ["unlinked"]
    assert machine.mcp_json.read_text() == "{ }"
    assert not machine.ask(lambda linking: linking.remembered())


@pytest.mark.req("ENG-26")
def test_an_entry_that_was_there_before_us_may_vanish(machine: Machine) -> None:
    machine.mcp_json.write_text('{"mcpServers": {"origin": {"command": "quoth", "args": ["mcp"]}}}')
    machine.link("claude-code", name="origin")
    machine.link("claude-code")
    text = machine.mcp_json.read_text()
    machine.mcp_json.write_text(text.replace('"origin"', '"renamed"'))
    machine.unlink("claude-code", name="quoth")
    assert list(json.loads(machine.mcp_json.read_text())["mcpServers"]) == ["renamed"]
    assert machine.unlink("claude-code", name="origin") == []


def test_a_folder_that_we_made_goes_even_if_the_file_was_deleted_in_between(machine: Machine) -> None:
    for _ in range(2):
        machine.link("codex")
        (machine.workspace / ".codex/config.toml").unlink()
    machine.link("codex")
    machine.unlink("codex")
    assert not (machine.workspace / ".codex").exists()


@pytest.mark.req("ENG-26")
def test_a_server_of_somebody_else_is_never_taken_out(machine: Machine) -> None:
    machine.mcp_json.write_bytes(b'{"mcpServers": {"quoth": {"command": "other"}, "a": {"url": "x"}}}')
    before = machine.tree()
    assert machine.unlink("claude-code", name="quoth") == []
    assert machine.unlink("claude-code", name="a") == []
    assert machine.unlink_all() == []
    assert machine.tree() == before


def test_the_home_folder_is_no_workspace(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(machine.person)
    for host in _plugins.names("quoth.hosts"):
        refused = machine.link(host)
        assert refused.status == "refused"
        assert "--global" in refused.message
    assert not list(machine.person.glob(".mcp.json"))


def test_without_a_name_every_host_that_is_here_is_linked(machine: Machine) -> None:
    with pytest.raises(UnknownHost, match="claude-code, codex"):
        machine.ask(lambda linking: linking.link([]), PATH="")
    (machine.person / ".codex").mkdir()
    linked = machine.ask(lambda linking: linking.link([]), PATH="")
    assert [outcome.host for outcome in linked] == ["codex"]
    with pytest.raises(UnknownHost, match="emacs"):
        machine.link("emacs")


def test_paths_that_are_no_text_are_remembered_and_undone(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = machine.person / os.fsdecode(b"caf\xe9")
    try:
        odd.mkdir()
    except OSError:
        pytest.skip("this file system takes only names that are text")
    monkeypatch.chdir(odd)
    done = machine.link("codex")
    assert done.message.isprintable()
    json.dumps(done.shape()).encode()
    monkeypatch.chdir(machine.person)
    assert [outcome.status for outcome in machine.unlink_all()] == ["unlinked"]
    assert list(odd.iterdir()) == []


def test_a_state_from_before_links_is_migrated_and_keeps_what_was_decided(tmp_path: Path) -> None:
    with closing(apsw.Connection(str(tmp_path / "state.db"))) as old:
        old.execute(migrations()[0])
        old.execute("PRAGMA user_version = 1")
        old.execute("INSERT INTO exclusions VALUES ('source', 'codex')")
    state = StateFile(tmp_path / "state.db")
    assert (list(state.links()), [each.value for each in state.exclusions()]) == ([], ["codex"])
    path = tmp_path / "config.toml"
    links = [
        Link("codex", WORKSPACE, path, "b", Splice("", "x"), (tmp_path, path)),
        Link("codex", GLOBAL, path, "a", None),
    ]
    state.set_links(path, links)
    assert list(state.links()) == links
    state.set_links(path, [])
    assert list(state.links()) == []
    state.close()
