"""`quoth recall` as a person and a script use it."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from cli.conftest import Screen
from quoth.core.counting import CHARACTERS, TOKENS, compact
from quoth.core.model import Json
from quoth.embedders.local import Local
from quoth.remotes._server import Server
from quoth.wiring import Kernel
from running import Run
from worker.keeping import until

NOTHING = "Nothing relevant is remembered. Searched: 2 entries, 0 sessions.\n"
STAGING = "Staging runs PostgreSQL 16."
ORDERS = "Сервис заказов слушает порт 8081."


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a way to run `quoth` on a home that holds two statements; nobody changes them."""
    folder = tmp_path_factory.mktemp("kept")
    run = Run(folder, folder / "quoth")
    run("remember", STAGING, "--uncited", "a test", "--type", "decision", "--name", "staging-database")
    run("remember", ORDERS, "--uncited", "a test", "--type", "fact")
    return run


@pytest.mark.req("QUO-3", "QUO-10")
def test_the_answer_is_the_block_and_as_json_with_its_parts(kept: Run) -> None:
    done = kept("recall", "which", "PostgreSQL", "is", "staging")
    assert done.err == ""
    assert done.out.startswith("<quoth-recall>\n")
    assert done.out.endswith(f"{STAGING}\n</quoth-recall>\n")
    answer = kept("recall", "which PostgreSQL is staging", "--json").json()
    assert list(answer) == ["text", "entries", "dropped", "tokens"]
    assert answer["text"] + "\n" == done.out
    [item] = answer["entries"]
    assert list(item) == ["id", "name", "type", "relevance", "mode"]
    assert (item["name"], item["type"], item["mode"]) == ("staging-database", "decision", "full")
    assert (answer["dropped"], answer["tokens"]) == (0, TOKENS.count(answer["text"]))
    assert kept("get", item["id"], "--json").json()["entry"]["text"] == STAGING


@pytest.mark.req("QUO-3", "QUO-10")
def test_nothing_relevant_ends_with_3_and_is_said_apart_from_the_data(kept: Run) -> None:
    done = kept("recall", "capital of France", check=False)
    assert (done.code, done.out, done.err) == (3, "", NOTHING)
    as_json = kept("recall", "capital of France", "--json", check=False)
    assert (as_json.code, as_json.err) == (3, "")
    text = NOTHING.rstrip()
    assert json.loads(as_json.out) == {"text": text, "entries": [], "dropped": 0, "tokens": TOKENS.count(text)}
    assert kept("recall", "capital of France", "--budget", "0", check=False).err == "Nothing relevant is remembered.\n"


@pytest.mark.req("QUO-3", "QUO-10")
def test_an_empty_store_tells_how_to_begin(run: Run) -> None:
    done = run("recall", "anything", check=False)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Nothing is kept yet. ")


@pytest.mark.req("INV-7", "QUO-3")
@pytest.mark.parametrize(("budget", "unit"), [(0, "chars"), (50, "tokens"), (200, "chars"), (300, "tokens")])
def test_a_block_keeps_to_its_budget(budget: int, unit: str, kept: Run) -> None:
    count = {"chars": CHARACTERS, "tokens": TOKENS}[unit].count
    asked = ("recall", "postgres порт", "--budget", str(budget), "--unit", unit, "--no-sync", "--json")
    answer = kept(*asked).json()
    assert count(answer["text"]) <= budget
    assert len(answer["entries"]) + answer["dropped"] == 2
    assert count(compact(kept(*asked, "--explain").json())) <= max(budget, 50)


@pytest.mark.req("QUO-3", "QUO-10")
def test_what_is_found_and_has_no_room_is_no_silence(kept: Run) -> None:
    done = kept("recall", "postgres порт", "--budget", "50")
    assert (done.out, done.err) == ("", "Of 2 found, nothing has room: try --budget 1000\n")
    done = kept("recall", "postgres", "--quota", "decision=0")
    assert (done.out, done.err) == ("", "All that was found is left out by --quota.\n")


@pytest.mark.req("QUO-3", "QUO-10")
def test_explained_each_item_says_why_it_is_there(kept: Run) -> None:
    table = kept("recall", "postgres порт", "--explain").out.partition("</quoth-recall>\n\n")[2].splitlines()
    assert len(table) == 4
    answer = kept("recall", "postgres порт", "--explain", "--json").json()
    for line, reason, item in zip(table[::2], table[1::2], answer["entries"], strict=True):
        assert line == f"{item['relevance']:.2f}  full       {item['id']}"
        assert f"words {item['because']['words']:.2f}, person ×1.05" in reason
        assert "meaning" not in reason


@pytest.mark.req("QUO-3", "INV-7")
@pytest.mark.parametrize("budget", [230, 300, 6_500])
def test_what_explains_a_block_takes_no_room_from_it(budget: int, kept: Run) -> None:
    asked = ("recall", "postgres порт", "--budget", str(budget))
    plain = kept(*asked).out
    assert "ent_" in plain
    assert kept(*asked, "--explain").out.startswith(plain)


@pytest.mark.req("QUO-3", "ENG-31")
def test_types_quotas_and_languages(kept: Run) -> None:
    assert STAGING not in kept("recall", "postgres порт", "--type", "fact").out
    assert ORDERS not in kept("recall", "postgres порт", "--quota", "fact=0").out
    assert ORDERS in kept("recall", "портами заказа").out


@pytest.mark.req("QUO-3")
def test_a_place_is_first_and_alone_where_that_is_asked(run: Run) -> None:
    folders = [run.person / "work" / name for name in ("bakery", "forge")]
    for folder in folders:
        folder.mkdir(parents=True)
        run("remember", f"The oven of {folder.name} is hot.", "--uncited", "a test", cwd=folder)
    bakery, forge = folders
    shown = run("recall", "hot oven", cwd=bakery).out
    assert shown.index("of bakery is") < shown.index("of forge is")
    shown = run("recall", "hot oven", "--project", str(forge), cwd=bakery).out
    assert shown.index("of forge is") < shown.index("of bakery is")
    alone = run("recall", "hot oven", "--scope", "repository", "--project", str(forge)).out
    assert "of forge is" in alone
    assert "of bakery is" not in alone


@pytest.mark.req("QUO-3")
def test_what_was_replaced_and_what_was_not_there_yet(run: Run) -> None:
    entry = run("remember", STAGING, "--uncited", "a test", "--json").json()["entry"]["id"]
    run("correct", entry, "Staging runs MySQL 9.")
    assert STAGING not in run("recall", "staging").out
    assert STAGING in run("recall", "staging", "--outdated").out
    assert run("recall", "staging", "--as-of", "2026-01-01", check=False).code == 3


@pytest.mark.req("QUO-3", "QUO-10")
@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ([], 2, "WORDS"),
        ([" "], 2, "`query` must be a question, or words to look for."),
        (["x", "--quota", "decision"], 2, "`--quota` must be a type and a number, such as decision=5."),
        (["x", "--as-of", "soon"], 2, "`--as-of` must be"),
        (["x", "--quota", "=5"], 2, "`--quota` must be a type and a number, such as decision=5."),
        (["x", "--type", "decisions"], 3, "Unknown type decisions. Known types: "),
        (["x", "--type", "saying"], 3, ", tool, trajectory, said."),
        (["x", "--project", "nowhere"], 3, "Unknown project nowhere."),
    ],
)
def test_what_can_not_be_used_is_told(args: list[str], code: int, words: str, run: Run) -> None:
    done = run("recall", *args, check=False)
    assert (done.code, done.out) == (code, "")
    assert words in done.err


@pytest.mark.req("QUO-3", "QUO-10")
def test_on_a_terminal_it_says_what_goes_on(run: Run, on_terminal: Callable[..., Screen]) -> None:
    for text in (STAGING, ORDERS):
        run("remember", text, "--uncited", "a test")
    narrow = on_terminal("recall", "postgres", "порт", "--explain", columns=40)
    assert narrow.has_color
    assert "full       ent_" in narrow.text
    plain = on_terminal("recall", "postgres", "порт", "--budget", "230", env={"NO_COLOR": "1"})
    assert not plain.has_color
    assert "1 more had no room: try --budget 1000" in plain.text
    nothing = on_terminal("recall", "zebras")
    assert (nothing.code, NOTHING.strip() in nothing.text) == (3, True)


@pytest.mark.req("QUO-3")
def test_new_lines_of_the_logs_are_read_first(run: Run, logged: Path) -> None:
    assert logged == run.person
    assert "Nothing is kept yet." in run("recall", "terminal secret", check=False).err
    run("sync")
    shown = run("recall", "terminal secret").out
    assert "# Said in sessions\n- codex:" in shown
    assert "CRUMB_TERMINAL_SECRET" in shown


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets that are files: there is no worker")
@pytest.mark.skipif(not Local().is_installed(), reason="the weights are not installed")
@pytest.mark.req("QUO-3", "ENG-31")
def test_a_question_in_another_language_is_answered_by_the_worker(run: Run) -> None:
    question, awake = ("recall", "Через сколько минут истекает сессия пользователя?"), {"QUOTH_WORKER": "auto"}
    run("remember", "User sessions expire after thirty minutes.", "--uncited", "a test")
    run("work", "--once")
    assert run(*question, check=False).code == 3
    try:
        # The command waits three seconds for a worker that starts; a busy machine may need longer.
        until(lambda: run(*question, env=awake, check=False).code == 0, "an answer by meaning")
        assert "thirty minutes" in run(*question, env=awake).out
        assert run("recall", "What is the capital of Mongolia?", env=awake, check=False).code == 3
    finally:
        run("work", "--stop", check=False)


class Loading:
    """A worker whose model does not come; it counts how often it is asked."""

    asked = 0

    def meaning(self) -> None:
        self.asked += 1

    def about(self) -> Mapping[str, Json]:
        return {}

    def poke(self) -> None:
        """Have nothing to do."""

    def leave(self) -> None:
        """Stay."""


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets that are files: there is no worker")
@pytest.mark.req("QUO-3", "INV-6")
def test_a_model_that_failed_is_not_waited_for(run: Run) -> None:
    run("remember", STAGING, "--uncited", "a test")
    (run.home / "locks").mkdir(mode=0o700, exist_ok=True)
    env = {"QUOTH_WORKER": "auto", "QUOTH_EMBEDDER": "openai", "QUOTH_EMBEDDER_URL": "http://127.0.0.1:9/v1"}
    kernel, waited_for, failed = Kernel(run.environment(env)), Loading(), Loading()
    with closing(Server(run.home, kernel.worker_identity, waited_for)):
        assert STAGING in run("recall", "postgresql", env=env).out
    kernel.embedding_notes.fail("It does not answer.")
    with closing(Server(run.home, kernel.worker_identity, failed)):
        assert STAGING in run("recall", "postgresql", env=env).out
    assert failed.asked <= 2 < waited_for.asked
