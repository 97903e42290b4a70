"""Write invented sessions of Claude Code and Codex, or of many agents, below a folder: a seed gives the same sessions.

An event here is a message of person or model, a tool call, or a tool's result; bookkeeping, injected context, copies in
forks and instructions to subagents come on top, as in real logs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

import click

from bench import claude_code, codex, copilot_cli, cursor, gemini_cli, grok, parts, pi
from bench.logs import Plan
from bench.prose import LANGUAGES, Language, Prose

_DAY = 86_400_000
_START = 1_764_000_000_000  # late in 2025
_DAYS = 300
_PROJECTS = (
    "demo-app", "demo-api", "shop", "billing", "Atlas Notes", "парсер-логов", "订单服务", "infra", "docs.site",
    "search_index", "report-tool", "gateway", "ledger", "игра", "数据看板", "compiler", "plugins", "mobile",
    "old-tool", "webhooks",
)  # fmt: skip
_BRANCHES = ("main", "main", "main", "feature/cache", "fix/timeout", "feature/报表", "release/2.4")
_WRITERS: Mapping[str, Callable[[Path, Plan, Prose], None]] = {
    "claude": claude_code.write,
    "codex": codex.write,
    "gemini": gemini_cli.write,
    "grok": grok.write,
    "copilot": copilot_cli.write,
    "pi": pi.write,
    "share": parts.write_opencode,
    "zcode": parts.write_zcode,
    "config": cursor.write,
}

Shares = Mapping[str, float]  # of the sessions, by the folder that an agent's home is
TWO: Shares = {"claude": 2, "codex": 1}
MANY: Shares = {
    "claude": 8, "codex": 4, "gemini": 1, "grok": 1, "copilot": 1, "pi": 1, "share": 2, "zcode": 1, "config": 2,
}  # fmt: skip


def generate(folder: Path, *, events: int, files: int, seed: int = 1, shares: Shares = TWO) -> None:
    """Write `events` events in `files` sessions as agents' homes below a folder; agents with a database have one."""
    # A small corpus has a small vocabulary, as real ones do.
    prose = Prose(seed, vocabulary=min(60_000, 3 * events))
    for agent, plan in plans(events, files, prose.random, shares):
        _WRITERS[agent](folder / agent, plan, prose)


def generate_long_line(folder: Path, *, megabytes: int, seed: int = 1) -> None:
    """Write one session of Claude Code in which a tool's result is one line of so many megabytes."""
    prose = Prose(seed, vocabulary=20_000)
    piece = prose.code(20_000) + "\n"
    text = (piece * (megabytes * 1_000_000 // len(piece) + 1))[: megabytes * 1_000_000]
    claude_code.write_result(
        folder / "claude", Plan(3, Language.ENGLISH, _cwd(prose.random), "main", _START), prose, text
    )


def plans(events: int, files: int, random: Random, shares: Shares = TWO) -> Iterator[tuple[str, Plan]]:
    """Decide the sessions in the order of their time: mostly short, a few very long."""
    sizes = _sizes(events, files, random)
    start = _START
    while sizes:
        start += int(random.expovariate(1) * _DAYS * _DAY / files)
        agent = random.choices(tuple(shares), tuple(shares.values()))[0]
        plan = Plan(sizes.pop(), _language(random), _cwd(random), random.choice(_BRANCHES), start)
        while sizes and agent in TWO and random.random() < 0.08:
            plan.subagents.append(sizes.pop())
        if sizes and agent == "claude" and random.random() < 0.03:
            plan.fork = sizes.pop()
        yield agent, plan


def _sizes(events: int, files: int, random: Random) -> list[int]:
    """Divide the events among the files, at least one each, log-normally."""
    weights = [random.lognormvariate(0, 1.2) for _ in range(files)]
    total = sum(weights)
    sizes = [1 + int((events - files) * weight / total) for weight in weights]
    sizes[-1] += events - sum(sizes)
    return sizes


def _language(random: Random) -> Language:
    return random.choice(LANGUAGES)


def _cwd(random: Random) -> str:
    return f"/home/dev/{random.choice(_PROJECTS)}"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--events", default=100_000, show_default=True, type=click.IntRange(min=1))
@click.option(
    "--files", default=None, type=click.IntRange(min=1), help="Number of logs; one per 100 events by default."
)
@click.option("--seed", default=1, show_default=True)
@click.option("--many", is_flag=True, help="Sessions of nine agents instead of two.")
def main(folder: Path, events: int, files: int | None, seed: int, many: bool) -> None:
    """Write invented sessions of agents below FOLDER."""
    count = min(files or max(1, events // 100), events)
    generate(folder, events=events, files=count, seed=seed, shares=MANY if many else TWO)


if __name__ == "__main__":
    main()
