"""What HMG's contract does to memory as the other contracts show it, and the reverse (DESIGN §11)."""

from __future__ import annotations

from typing import Any

import pytest
from atoms import POSTGRES, WHY, Client, atom_of, entry_of, judged, memorized, recalled, replaced
from desk import CHOICE, ENTRY, Desk, ids, quoted, stated

OLD, NEW = "The oven takes twelve trays.", "The oven takes fourteen trays."


def found(client: Client, query: str = "oven") -> list[str]:
    target = {"origin": "scope", "quoth": "target"}
    name = "origin" if "Origin" in client.greet()["instructions"] else "quoth"
    return ids(client.call("search", query=query, **{target[name]: "entries"})["entries"])


def both(desk: Desk) -> list[Client]:
    return [desk.client("origin"), desk.client("quoth")]


# --- what HMG does ---


@pytest.mark.req("HMG-9", "ORI-21")
def test_what_is_memorized_is_an_entry_everywhere(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg)
    for client in both(desk):
        assert found(client, "PostgreSQL") == [entry_of(atom)]
        got = client.call("get", id=atom)["entry"]
        assert set(got) >= ENTRY
        assert (got["id"], got["text"], got["status"]) == (entry_of(atom), POSTGRES, "active")
        assert client.call("sources", id=atom) == []


@pytest.mark.req("HMG-17", "HMG-12")
def test_what_is_negated_has_ended_for_the_others(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, OLD)
    judged(hmg, atom, "negate")
    for client in both(desk):
        assert found(client) == []
        got = client.call("get", id=atom)["entry"]
        assert (got["text"], got["valid_to"]) == (OLD, got["created"])
    assert desk.client("quoth").call("get", id=atom)["entry"]["state"] == "negated"


@pytest.mark.req("HMG-13", "HMG-23", "HMG-25", "ORI-44")
@pytest.mark.parametrize("action", ["quarantine", "seal", "tombstone", "derive_lesson"])
def test_what_is_held_back_or_destroyed_is_forgotten_for_the_others(action: str, hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, OLD)
    new = replaced(hmg, atom, NEW)
    more = {"lesson_content": "Count before baking."} if action == "derive_lesson" else {}
    judged(hmg, new, action, **more)
    for client in both(desk):
        assert found(client) == []
        for spelled in (atom, new, entry_of(new)):
            assert client.refusal("get", id=spelled).endswith("has been forgotten.")
        assert client.refusal("correct", id=new, text="Something else.")
    assert "twelve trays" not in desk.everything("oven", "trays")
    assert "fourteen trays" not in desk.everything("oven", "trays")


@pytest.mark.req("HMG-19", "ORI-53", "ORI-54")
def test_what_is_replaced_is_corrected_for_the_others(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, OLD)
    new = replaced(hmg, atom, NEW)
    for client in both(desk):
        assert found(client) == [entry_of(new)]
        got = client.call("get", id=atom)["entry"]
        assert (got["status"], got["superseded_by"]) == ("superseded", entry_of(new))
        assert ids(client.call("get", id=new)["history"]) == [entry_of(atom), entry_of(new)]
        refused = client.refusal("correct", id=atom, text="The oven takes sixteen trays.")
        assert f"its current version is {entry_of(new)}" in refused


@pytest.mark.req("HMG-18", "QUO-4")
def test_strength_is_kept_for_all(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, OLD)
    judged(hmg, atom, "confirm_necessary")
    got = desk.client("quoth").call("get", id=atom)["entry"]
    assert (got["epistemic"], got["confidence"], got["state"]) == ("necessary", 0.8, "current")


@pytest.mark.req("HMG-23", "INV-5")
def test_a_tombstone_can_not_be_restored(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, OLD)
    judged(hmg, atom, "tombstone")
    assert desk.logs.ask(lambda kernel: kernel.forget.tombstones()) == []
    assert desk.client("quoth").call("forget", id=atom, reason=WHY)["tombstone"] is None
    desk.logs.rebuild()
    assert judged(desk.other("hmg"), atom, "seal")["reason"].endswith("is already tombstoned.")
    assert desk.other("hmg").call("memory_memorize", content=OLD)["effect"] == "rejected"


# --- what the others do ---


@pytest.mark.req("HMG-11", "HMG-33")
def test_what_the_others_remember_is_recalled(hmg: Client, desk: Desk) -> None:
    entry = stated(desk.client("origin"), sources=quoted(CHOICE))
    [atom] = hmg.call("memory_recall", query="staging PostgreSQL")["atoms"]
    assert (atom["atom_id"], atom["content"], atom["source"]) == (atom_of(entry["id"]), entry["text"], "agent")
    again = hmg.call("memory_memorize", content=entry["text"])
    assert (again["effect"], again["deduped_with"]) == ("no_op", atom["atom_id"])


@pytest.mark.req("HMG-19", "ORI-53")
def test_a_correction_of_origin_is_a_replacement(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, OLD)
    entry = desk.client("origin").call("correct", id=atom, text=NEW)["entry"]
    [active] = hmg.call("memory_recall", query="oven trays")["atoms"]
    assert (active["atom_id"], active["content"]) == (atom_of(entry["id"]), NEW)
    assert set(recalled(hmg, "oven trays", include_negated=True)) == {OLD, NEW}
    assert judged(hmg, atom, "negate")["effect"] == "rejected"
    assert replaced(hmg, atom, "The oven takes sixteen trays.")


@pytest.mark.req("HMG-21", "HMG-12", "ORI-57")
def test_what_origin_forgets_is_gone_and_comes_back_with_it(hmg: Client, desk: Desk) -> None:
    origin = desk.client("origin")
    entry = stated(origin, OLD, sources=quoted("for staging"))
    other = stated(origin, "Staging has another oven.", sources=quoted("for staging"))
    atom = atom_of(entry["id"])
    tombstone = origin.call("forget", id=entry["id"], reason=WHY)["tombstone"]
    for asked in ({}, {"include_negated": True}):
        assert recalled(hmg, "oven trays", **asked) == [other["text"]]
    for action in ("negate", "replace", "quarantine", "seal"):
        done = judged(hmg, atom, action, **({"new_content": NEW} if action == "replace" else {}))
        assert done["effect"] == "rejected"
        assert "forgotten" in done["reason"]
    done = hmg.call("memory_memorize", content=OLD)
    assert done["effect"] == "rejected"
    assert "forgotten" in done["reason"]
    desk.logs.ask(lambda kernel: kernel.undo.run(tombstone, by=_person(), how="terminal"))
    assert recalled(hmg, "oven trays")[0] == OLD
    assert judged(hmg, atom, "negate")["effect"] == "applied"


@pytest.mark.req("HMG-21", "QUO-6")
def test_what_quoth_forgets_leaves_the_events_and_no_atom(hmg: Client, desk: Desk) -> None:
    entry = desk.client("quoth").call("remember", text=OLD, sources=quoted("for staging"))["entry"]
    desk.client("quoth").call("forget", id=entry["id"], reason=WHY)
    assert recalled(hmg, "oven trays", include_negated=True) == []
    assert desk.client("quoth").call("search", query="staging", target="events")["events"]


@pytest.mark.req("INV-1", "HMG-20")
def test_a_new_index_answers_as_the_old_one_did(hmg: Client, desk: Desk) -> None:
    atoms = [memorized(hmg, f"The oven {number} takes trays.") for number in range(6)]
    replaced(hmg, atoms[0], NEW)
    judged(hmg, atoms[1], "negate")
    judged(hmg, atoms[2], "quarantine")
    judged(hmg, atoms[3], "seal")
    judged(hmg, atoms[4], "tombstone")

    def answers(client: Client) -> Any:
        asked: tuple[dict[str, Any], ...] = ({}, {"include_negated": True})
        return [client.call("memory_recall", query="oven trays", **each) for each in asked], client.call("memory_stats")

    before = answers(hmg)
    desk.logs.rebuild()
    assert answers(desk.other("hmg")) == before


def _person() -> Any:
    from quoth.core.speaker import Speaker

    return Speaker()
