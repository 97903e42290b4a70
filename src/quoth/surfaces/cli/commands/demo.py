"""`quoth demo`: the whole of Quoth in a few seconds, on invented sessions."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quoth.core.errors import BackupRefused
from quoth.surfaces.cli.terminal import is_tty
from quoth.surfaces.cli.verb import Call, verb
from quoth.wiring import Kernel

if TYPE_CHECKING:
    from rich.console import Console


@verb(section="Begin", examples=["quoth demo", "quoth demo --keep crumb-demo", "quoth demo --svg demo.svg"])
@click.option("--keep", type=click.Path(path_type=Path), metavar="FOLDER", help="Play in a new FOLDER and keep it.")
@click.option(
    "--svg", type=click.Path(path_type=Path), metavar="FILE", help="Write what is shown as a picture instead."
)
def demo(call: Call, *, keep: Path | None, svg: Path | None) -> None:
    """See Quoth at work on invented sessions.

    It plays in a throw-away folder: your own logs are neither read nor changed.
    """
    from quoth.surfaces.cli.demo.picture import recording
    from quoth.surfaces.cli.demo.picture import svg as picture

    is_hidden = svg is not None or call.terminal.as_json
    console = recording() if is_hidden else call.terminal.out
    with _folder(keep) as person, closing(_kernel(person, call.kernel.env)) as kernel:
        answers = _play(call, kernel, console, person, is_live=not is_hidden and is_tty(console.file))
    if svg is not None:
        svg.write_text(picture(console, "quoth demo"), "utf-8")
        call.terminal.note(f"{svg} shows the demo.")
    if call.terminal.as_json:
        call.terminal.answer(answers)
    if keep is not None:
        call.terminal.note(
            f"It is kept in {keep}. To go on with it: HOME={keep} QUOTH_HOME={keep}/.quoth quoth timeline"
        )


def _play(call: Call, kernel: Kernel, console: Console, person: Path, *, is_live: bool) -> object:
    from quoth.surfaces.cli.demo import agent, logs, talks
    from quoth.surfaces.cli.demo.stage import Stage

    now = datetime.fromtimestamp(call.kernel.clock.now() / 1000, UTC)
    logs.write(talks.bundled(), person, now)
    stage = Stage(kernel, console, person, agent.environment(call.kernel.env, kernel.env), is_live)
    stage.play()
    return stage.answers


def _kernel(person: Path, machine: Mapping[str, str]) -> Kernel:
    """Return services that see nothing of the machine but the folder of the demo.

    The model is loaded by the demo itself, for a moment, unless the person uses none; no service is asked.
    """
    places = {"HOME": person, "QUOTH_HOME": person / ".quoth"}
    agents = {"CLAUDE_CONFIG_DIR": person / ".claude", "CODEX_HOME": person / ".codex"}
    uses_none = (machine.get("QUOTH_EMBEDDER_USE") or machine.get("QUOTH_EMBEDDER")) == "none"
    asked = {"QUOTH_WORKER": "off", "QUOTH_EMBEDDER": "none" if uses_none else "auto"}
    return Kernel({name: str(path) for name, path in {**places, **agents}.items()} | asked)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="quoth-demo-", ignore_cleanup_errors=True) as made:
            yield Path(made).resolve()
        return
    if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        raise BackupRefused(str(keep), "it is not an empty folder")
    keep.mkdir(parents=True, exist_ok=True)
    yield keep.resolve()


COMMAND = demo
