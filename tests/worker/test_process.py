"""The worker as a process: started when there is work, one for each home, and gone when it should be."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from quoth.core.candidates import Compared
from quoth.core.vectors import Vectors, key_of
from quoth.embedders.local import Local
from quoth.remotes._places import found
from quoth.storage._vectors import FileVectors
from quoth.wiring import Kernel
from running import Run
from worker.keeping import LONGEST, Place, is_gone, until

KILN = "The pottery kiln is fired every Tuesday evening."
BREAD = "The sourdough bread rests for twelve hours."
PATIENT = int(1000 * LONGEST)

pytestmark = [
    pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets that are files: there is no worker"),
    pytest.mark.skipif(not Local().is_installed(), reason="the weights are not installed"),
]


class Worked(Place):
    """A home whose workers end with the test."""

    def __init__(self, folder: Path, home: Path | None = None, **env: str) -> None:
        super().__init__(folder, home, **env)
        self.awake = Kernel({**self.env, "QUOTH_WORKER": "auto"})
        self.processes: set[int] = set()

    def works(self) -> int:
        """Return the process of the worker once it is ready."""
        process = int(until(self._ready, "a worker that is ready"))
        self.processes.add(process)
        return process

    def _ready(self) -> Any:
        said = self.awake.worker.ping() or {}
        return said.get("is_ready") and said["pid"]

    def embedded(self) -> None:
        """Wait until everything has a vector."""
        total = len({*self.kernel.index.texts()})
        until(lambda: (self.awake.worker.ping() or {}).get("embedded") == total, "that everything is embedded")

    def wakes(self) -> None:
        """Start a worker, also where one was just started."""
        (self.home / "locks" / "worker.tried").unlink(missing_ok=True)
        self.awake.worker.wake()

    def compared(self, text: str) -> Compared:
        found = self.awake.meaning.compare(text, nearest=5, wait_ms=PATIENT)
        assert found
        return found

    def close(self) -> None:
        self.awake.worker.stop()
        self.awake.close()
        super().close()
        for process in self.processes:
            until(lambda process=process: is_gone(process), "the end of a worker")  # type: ignore[misc]  # a default binds it


@pytest.fixture
def worked(tmp_path: Path) -> Iterator[Worked]:
    made = Worked(tmp_path)
    yield made
    made.close()


def test_what_is_remembered_starts_a_worker_that_finds_it_by_meaning_in_another_language(worked: Worked) -> None:
    assert worked.awake.worker.ping() is None
    worked.remembers(BREAD)
    worked.remembers(KILN, QUOTH_WORKER="auto")
    process = worked.works()
    worked.embedded()
    near = worked.compared("В какой день обжигают глину?")
    assert (near.model, near.near[0].key) == ("e5-small-q4-1", key_of(KILN))
    assert near.near[0].cosine > near.near[1].cosine
    assert [points[1] for points in near.scale] == sorted(points[1] for points in near.scale)
    some = worked.awake.meaning.compare("глина", nearest=1, also=[key_of(BREAD)], among=[key_of(KILN)], wait_ms=PATIENT)
    assert some is not None
    assert {each.key for each in some.near} == {key_of(BREAD), key_of(KILN)}
    worked.remembers("A third thing.")
    worked.wakes()
    worked.embedded()
    assert worked.works() == process, "one worker takes it all"
    assert (found(worked.home) or Path()).stat().st_mode & 0o077 == 0
    assert worked.awake.worker.stop()
    until(lambda: is_gone(process), "its end")
    assert found(worked.home) is None
    assert worked.awake.status.run()["worker"] == {"state": "none", "pid": None, "version": None}


def test_who_has_time_waits_for_a_worker_that_is_only_starting(worked: Worked) -> None:
    worked.remembers(KILN)
    assert worked.awake.meaning.compare("anything", nearest=1) is None, "a door does not wait"
    worked.compared("В какой день обжигают глину?")
    worked.works()


def test_a_worker_reads_logs_in_a_folder_that_is_named_from_where_it_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    worked = Worked(tmp_path / "person", tmp_path / "home", CLAUDE_CONFIG_DIR="logs", QUOTH_WATCH_INTERVAL_MS="100")
    worked.folder = tmp_path
    (tmp_path / "logs").mkdir()
    (tmp_path / "person").mkdir(exist_ok=True)
    (tmp_path / ".claude").symlink_to(tmp_path / "logs")
    try:
        worked.says(KILN)
        worked.wakes()
        worked.works()
        log = next((tmp_path / "logs").rglob("*.jsonl"))
        log.write_text(
            log.read_text("utf-8") + log.read_text("utf-8").replace("00000001-", "00000002-").replace(KILN, BREAD)
        )
        until(lambda: (worked.awake.worker.ping() or {}).get("embedded") == 2, "that the worker reads the log")
    finally:
        worked.close()


@pytest.mark.req("QUO-9")
def test_a_worker_is_told_of_and_takes_turns_with_the_command(worked: Worked, run: Run) -> None:
    env = {**worked.env, "QUOTH_WORKER": "auto"}
    worked.remembers(KILN, QUOTH_WORKER="auto")
    process = worked.works()
    worked.embedded()
    status = run("status", "--json", env=env).json()
    assert status["embedding"] == {
        "embedder": "local",
        "model": "e5-small-q4-1",
        "embedded": 1,
        "total": 1,
        "failed": None,
        "refused": 0,
    }
    assert (status["worker"]["state"], status["worker"]["pid"]) == ("running", process)
    assert "1 of 1 texts (local), the worker runs" in run("status", env=env).out
    checks = {check["id"]: check["status"] for check in run("doctor", "--json", env=env).json()["checks"]}
    assert {checks[name] for name in ("embedder", "vectors", "worker", "embedding")} == {"pass"}
    worked.remembers(BREAD)
    with closing(FileVectors(worked.home, model="older-1", dimensions=3)) as older:
        older.put([(key_of(KILN), Vectors(3, struct.pack("<3f", 1, 0, 0)))])
    done = run("work", "--once", "--json", env=env).json()
    assert (done["embedded"], done["total"], done["failed"]) == (2, 2, None)
    until(lambda: is_gone(process), "that the one in the background leaves")
    assert [path.name for path in worked.home.glob("vectors-*")] == ["vectors-e5-small-q4-1.bin"]
    assert run("work", "--stop", env=env, check=False).code == 3


@pytest.mark.req("INV-2")
def test_one_that_was_killed_is_replaced(worked: Worked) -> None:
    worked.remembers(KILN, QUOTH_WORKER="auto")
    killed = worked.works()
    os.kill(killed, signal.SIGKILL)
    until(lambda: is_gone(killed), "its end")
    assert worked.awake.meaning.compare("clay", nearest=1) is None
    worked.wakes()
    assert worked.works() != killed
    worked.embedded()
    assert worked.compared("clay").near[0].key == key_of(KILN)


WAKING = "from quoth.wiring import Kernel; k = Kernel.from_environment(); k.worker.wake(); print(flush=True); input()"


def test_many_who_find_work_at_once_start_one_worker_that_outlives_them(worked: Worked) -> None:
    worked.remembers(KILN)
    doors = [
        subprocess.Popen(
            [sys.executable, "-c", WAKING],
            env={**worked.env, "QUOTH_WORKER": "auto"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        for _ in range(5)
    ]
    for door in doors:
        assert door.stdout
        assert door.stdout.readline()
        os.killpg(door.pid, signal.SIGKILL)  # as a host ends an agent with all that it started
        door.communicate()
    process = worked.works()
    worked.embedded()
    assert worked.works() == process
    assert worked.awake.worker.stop()
    assert worked.awake.worker.ping() is None


def test_one_with_other_settings_leaves(worked: Worked) -> None:
    worked.remembers(KILN, QUOTH_WORKER="auto")
    process = worked.works()
    other = Kernel({**worked.env, "QUOTH_EMBEDDER": "local"})
    assert other.meaning.compare("clay", nearest=1) is None
    until(lambda: is_gone(process), "its end")
    other.close()


def ended_by_signal(worked: Worked, process: int) -> None:
    os.kill(process, signal.SIGTERM)


def ended_by_its_home(worked: Worked, process: int) -> None:
    worked.kernel.close()
    worked.home.rename(worked.home.with_name("elsewhere"))


def ended_by_leaving(worked: Worked, process: int) -> None:
    worked.kernel.close()
    worked.kernel.leaving.run()
    assert not worked.home.exists()
    assert is_gone(process) or worked.awake.worker.ping() is None


@pytest.mark.parametrize("end", [ended_by_signal, ended_by_its_home, ended_by_leaving])
def test_it_ends_and_leaves_nothing(worked: Worked, end: Callable[[Worked, int], None]) -> None:
    worked.remembers(KILN, QUOTH_WORKER="auto")
    process = worked.works()
    end(worked, process)
    until(lambda: is_gone(process), "its end")
    assert found(worked.home) is None
    assert worked.home.exists() == (end is ended_by_signal), "it makes no home again"


def test_it_leaves_when_nobody_needs_it(tmp_path: Path) -> None:
    worked = Worked(tmp_path, QUOTH_WORKER_IDLE_S="1")
    worked.remembers(KILN, QUOTH_WORKER="auto")
    process = worked.works()
    until(lambda: is_gone(process), "that it leaves")
    worked.close()


HOSTILE = [
    b"",
    b"\n",
    b"{",
    b"[]\n",
    b"\xff\x00\n",
    b"[" * 100_000 + b"\n",
    b'{"ask": "compare"}\n',
    b'{"ask": "delete everything"}\n',
    b"x" * 5_000_000,
]


def test_hostile_requests_do_not_end_it(worked: Worked) -> None:
    worked.remembers(KILN, QUOTH_WORKER="auto")
    process = worked.works()
    identity = worked.awake.worker_identity
    compares = [
        {"text": 1, "use": "query", "nearest": 1, "also": ""},
        {"text": "x", "use": "other", "nearest": 1, "also": ""},
        {"text": "x", "use": "query", "nearest": 1, "also": "AAAA"},
        {"text": "x", "use": "query", "nearest": 10**30, "also": "", "among": "!"},
        {"text": "\ud800\x00\ufdfa" * 1000, "use": "query", "nearest": -1, "also": ""},
    ]
    sent = [*HOSTILE, *(json.dumps({"ask": "compare", "for": identity, **each}).encode() + b"\n" for each in compares)]
    silent = [_connected(worked.home) for _ in range(30)]
    for data in sent:
        with _connected(worked.home) as line, suppress(OSError):
            line.sendall(data)
    for line in silent:
        line.close()
    until(lambda: worked.awake.meaning.compare("clay", nearest=1, wait_ms=PATIENT), "an answer")
    assert worked.works() == process


def _connected(home: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    line.connect(str(found(home)))
    return line


def test_a_home_with_a_long_path_has_its_socket_elsewhere(tmp_path: Path) -> None:
    home = tmp_path / ("long" * 20) / ("path" * 20)
    home.parent.mkdir()
    worked = Worked(tmp_path, home)
    worked.remembers(KILN, QUOTH_WORKER="auto")
    worked.works()
    worked.embedded()
    place = found(home)
    assert place is not None
    assert home not in place.parents
    assert place.parent.stat().st_mode & 0o077 == 0
    assert worked.compared("clay").near[0].key == key_of(KILN)
    worked.close()
    assert not place.parent.exists()


def test_doors_load_no_model(worked: Worked) -> None:
    worked.remembers(KILN)
    asked = (
        "import sys; from quoth.wiring import Kernel; k = Kernel.from_environment();"
        "k.meaning.compare('clay', nearest=1); k.status.run(); k.worker.wake();"
        "print({'numpy', 'subprocess', 'asyncio', 'multiprocessing'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], env=worked.env, capture_output=True, text=True, check=True, timeout=LONGEST
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.req("INV-9")
def test_a_worker_connects_to_nobody(tmp_path: Path) -> None:
    hooks, refused = tmp_path / "hooks", tmp_path / "refused"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(
        "import os, sys\n"
        "def refuse(event, args):\n"
        "    is_file = event in ('socket.connect', 'socket.bind') and isinstance(args[1], (str, bytes))\n"
        "    if event in EVENTS and not is_file:\n"
        "        open(os.environ['REFUSED'], 'a').write(f'{event} {args!r}\\n')\n"
        "        raise PermissionError(event)\n"
        "EVENTS = ('socket.connect', 'socket.bind', 'socket.getaddrinfo', 'socket.gethostbyname', 'socket.sendto')\n"
        "sys.addaudithook(refuse)\n"
    )
    worked = Worked(tmp_path, PYTHONPATH=str(hooks), REFUSED=str(refused))
    worked.remembers(KILN, QUOTH_WORKER="auto")
    worked.works()
    worked.embedded()
    assert worked.compared("clay").near
    worked.close()
    assert not refused.exists(), refused.read_text()


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a service that takes what it is sent, and never answers."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1/embeddings"


@pytest.mark.req("INV-6")
def test_a_worker_whose_service_never_answers_leaves_when_it_is_told_to(tmp_path: Path, silent: str) -> None:
    worked = Worked(tmp_path, QUOTH_EMBEDDER="openai", QUOTH_EMBEDDER_URL=silent)
    worked.remembers(KILN, QUOTH_WORKER="auto")
    process = int(until(lambda: (worked.awake.worker.ping() or {}).get("pid"), "a worker"))
    assert worked.awake.worker.stop()
    until(lambda: is_gone(process), "its end")
    assert found(worked.home) is None
    worked.close()


@pytest.mark.parametrize("signals", [[signal.SIGINT, signal.SIGINT], [signal.SIGTERM, signal.SIGTERM]])
def test_who_waits_for_a_service_that_never_answers_can_end_it(
    tmp_path: Path, silent: str, signals: list[signal.Signals]
) -> None:
    worked = Worked(tmp_path, QUOTH_EMBEDDER="openai", QUOTH_EMBEDDER_URL=silent)
    worked.remembers(KILN)
    command = subprocess.Popen(
        [sys.executable, "-m", "quoth", "work", "--once"],
        env=worked.env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: (worked.awake.worker.ping() or {}).get("pid"), "the command at work")
    for each in signals:
        command.send_signal(each)
        with suppress(subprocess.TimeoutExpired):
            command.wait(0.5)
    assert command.wait(10) != 0
    worked.close()


@pytest.mark.req("INV-6", "SEC-3")
def test_an_embedder_that_fails_is_told_by_command_status_and_doctor(worked: Worked, run: Run) -> None:
    key = "sk-nobody-may-see-this"
    env = {
        **worked.env,
        "QUOTH_EMBEDDER": "openai",
        "QUOTH_EMBEDDER_URL": "http://127.0.0.1:9/v1/embeddings",
        "QUOTH_EMBEDDER_KEY": key,
    }
    worked.remembers(KILN)
    told = [
        run("work", "--once", env=env, check=False),
        run("status", "--json", env=env),
        run("doctor", "--json", env=env, check=False),
        run("config", "list", env=env),
        run("search", "kiln", env=env),
    ]
    assert [each.code for each in told] == [1, 0, 1, 0, 0]
    assert "openai can't be used" in told[0].err
    assert told[1].json()["embedding"]["failed"].startswith("The embedder openai can't be used")
    checks = {check["id"]: check["status"] for check in told[2].json()["checks"]}
    assert checks["embedder"] == "fail"
    assert "is fired every Tuesday evening" in told[4].out
    assert all(key not in each.out + each.err for each in told)
    files = [path for path in worked.home.rglob("*") if path.is_file()]
    assert all(key.encode() not in path.read_bytes() for path in files)
