"""The contract of HMG, correcting and governing: every action, every refusal, one active atom per chain."""

from __future__ import annotations

from typing import Any

import pytest
from atoms import POSTGRES, WHY, Client, entry_of, judged, memorized, recalled, replaced
from desk import Desk

OLD, NEW = "The oven takes twelve trays.", "The oven takes fourteen trays."
CORRECTIONS = ("negate", "confirm_actual", "confirm_necessary", "demote", "replace")
GOVERNANCE = ("quarantine", "seal", "tombstone", "derive_lesson")
WRITES = {"replace": "new_content", "derive_lesson": "lesson_content"}


def given(action: str, words: str = "Other words, said on purpose.") -> dict[str, str]:
    return {WRITES[action]: words} if action in WRITES else {}


def strength(desk: Desk, atom: str) -> str:
    return str(desk.client("quoth").call("get", id=entry_of(atom))["entry"]["epistemic"])


def active(client: Client, query: str = "oven trays ovens") -> list[str]:
    return [atom["atom_id"] for atom in client.call("memory_recall", query=query)["atoms"]]


@pytest.mark.req("HMG-16", "HMG-22")
@pytest.mark.parametrize("action", [*CORRECTIONS, *GOVERNANCE])
def test_what_was_done_is_answered_in_the_fields_of_the_contract(action: str, hmg: Client) -> None:
    atom = memorized(hmg, "It may be that the oven takes twelve trays.")
    done = judged(hmg, atom, action, **given(action))
    new = {"replace": {"new_atom_id"}, "derive_lesson": {"lesson_atom_id"}}.get(action, set())
    assert set(done) == {"effect", "target_atom"} | new
    assert (done["effect"], done["target_atom"]) == ("applied", atom)


@pytest.mark.req("HMG-16", "HMG-22")
@pytest.mark.parametrize("action", ["confirm-actual", "derive-lesson", " negate "])
def test_an_action_may_be_spelled_with_a_hyphen(action: str, hmg: Client) -> None:
    atom = memorized(hmg, "It may be that the oven takes twelve trays.")
    governs = action.startswith("derive")
    said = {"target_atom": atom, "action": action, "reason": WHY, "lesson_content": "Count trays."}
    assert hmg.call("memory_govern" if governs else "memory_correct", **said)["effect"] == "applied"


@pytest.mark.req("HMG-17")
def test_negating_leaves_the_text_and_only_replacing_goes_on_from_it(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, OLD)
    assert judged(hmg, atom, "negate")["effect"] == "applied"
    assert recalled(hmg, "oven trays") == []
    assert recalled(hmg, "oven trays", include_negated=True) == [OLD]
    assert desk.version(entry_of(atom)).version.statement.text == OLD
    assert "replace" in judged(hmg, atom, "negate")["reason"]
    assert judged(hmg, atom, "confirm_actual")["effect"] == "rejected"
    new = replaced(hmg, atom, NEW)
    assert active(hmg) == [new]


@pytest.mark.req("HMG-18")
def test_strength_rises_by_confirming_and_falls_all_the_way(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, "It may be that the oven takes twelve trays.")
    seen = [strength(desk, atom)]
    for action in ("confirm_actual", "confirm_necessary", "demote", "confirm_actual"):
        assert judged(hmg, atom, action)["effect"] == "applied"
        seen.append(strength(desk, atom))
    assert seen == ["possible", "actual", "necessary", "possible", "actual"]
    judged(hmg, atom, "confirm_necessary")
    done = judged(hmg, atom, "confirm_actual")
    assert (done["effect"], strength(desk, atom)) == ("rejected", "necessary")
    assert "demote" in done["reason"]


@pytest.mark.req("HMG-19")
@pytest.mark.parametrize("first", ["", "negate", "replace"])
def test_a_chain_has_one_active_atom_whatever_was_replaced(first: str, hmg: Client) -> None:
    atom = memorized(hmg, OLD)
    if first:
        judged(hmg, atom, first, **given(first, "The oven takes thirteen trays."))
    new = replaced(hmg, atom, NEW)
    assert active(hmg) == [new]
    again = replaced(hmg, atom, "The oven takes fifteen trays.")
    assert active(hmg) == [again]
    assert len(recalled(hmg, "oven trays", include_negated=True)) == 3 + (first == "replace")


@pytest.mark.req("HMG-19", "HMG-20", "ORI-53")
def test_the_old_atom_stays_in_the_chain_with_who_when_and_why(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, OLD)
    new = replaced(hmg, atom, NEW)
    judged(hmg, new, "negate", reason="it was counted wrongly")
    told = desk.logs.ask(lambda kernel: kernel.history.run(entry_of(new)))["versions"]
    assert [version["text"] for version in told] == [OLD, NEW]
    assert told[1]["reason"] == WHY
    operations = desk.logs.ask(lambda kernel: kernel.ledger.since(0))
    reasons = [(each.operation.header.reason, each.operation.header.actor) for each in operations]
    assert ("it was counted wrongly", told[1]["author"]) in reasons
    assert desk.logs.ask(lambda kernel: kernel.verify.run())["ok"]


@pytest.mark.req("HMG-21", "HMG-22")
@pytest.mark.parametrize(
    ("tool", "said", "reason"),
    [
        ("memory_correct", {"target_atom": "01J9ZK8V3QX7N2M4R6T8W0YB1C"}, "Unknown atom 01J9ZK8V3QX7N2M4R6T8W0YB1C."),
        ("memory_govern", {"target_atom": "nothing", "action": "seal"}, "Unknown atom nothing."),
        ("memory_correct", {"target_atom": ""}, "`target_atom` must be the id"),
        ("memory_correct", {"target_atom": "claude-code:5eed"}, "Unknown atom claude-code:5eed."),
        ("memory_correct", {"reason": ""}, "`reason` must be "),
        ("memory_correct", {"reason": " \n"}, "`reason` must be "),
        ("memory_govern", {"reason": "", "action": "tombstone"}, "`reason` must be "),
        ("memory_correct", {"reason": "x" * 9000}, "`reason` must be "),
        ("memory_correct", {"action": "erase"}, "`action` must be one of negate, confirm_actual, "),
        ("memory_correct", {"action": "seal"}, "`action` must be one of negate, confirm_actual, "),
        ("memory_correct", {"action": ""}, "`action` must be one of negate, confirm_actual, "),
        ("memory_govern", {"action": "release"}, "`action` must be one of quarantine, seal, "),
        ("memory_govern", {"action": "negate"}, "`action` must be one of quarantine, seal, "),
        ("memory_correct", {"action": "replace"}, "`new_content` must be "),
        ("memory_correct", {"action": "replace", "new_content": " "}, "`new_content` must be "),
        ("memory_correct", {"action": "replace", "new_content": "x" * 9000}, "`new_content` must be "),
        ("memory_correct", {"action": "replace", "new_content": "password=hunter2-and-more"}, "`new_content` must be "),
        ("memory_correct", {"action": "replace", "new_content": POSTGRES}, "Atom "),
        ("memory_correct", {"action": "replace", "new_content": f" {POSTGRES}\n"}, "Atom "),
        ("memory_govern", {"action": "derive_lesson"}, "`lesson_content` must be "),
        ("memory_govern", {"action": "derive_lesson", "lesson_content": ""}, "`lesson_content` must be "),
        ("memory_govern", {"action": "derive_lesson", "lesson_content": POSTGRES}, "Atom "),
    ],
)
def test_what_can_not_be_judged_is_rejected_with_a_reason(
    tool: str, said: dict[str, str], reason: str, hmg: Client
) -> None:
    atom = memorized(hmg)
    before = hmg.call("memory_stats")
    done = hmg.call(tool, **{"target_atom": atom, "action": "negate", "reason": WHY, **said})
    assert set(done) == {"effect", "target_atom", "reason"}
    assert (done["effect"], done["target_atom"]) == ("rejected", said.get("target_atom", atom))
    assert done["reason"].startswith(reason)
    assert "ent_" not in done["reason"]
    assert hmg.call("memory_stats") == before
    assert recalled(hmg, "PostgreSQL") == [POSTGRES]


@pytest.mark.req("HMG-21", "HMG-25")
@pytest.mark.parametrize("state", ["seal", "tombstone", "derive_lesson"])
@pytest.mark.parametrize("action", [*CORRECTIONS, *GOVERNANCE])
def test_what_is_over_can_not_be_judged_again(state: str, action: str, hmg: Client) -> None:
    atom = memorized(hmg, OLD)
    judged(hmg, atom, state, **given(state, "Count the trays of ovens."))
    done = judged(hmg, atom, action, **given(action))
    if (state, action) in {("seal", "tombstone"), ("derive_lesson", "tombstone")}:
        assert done["effect"] == "applied"
    else:
        assert done["effect"] == "rejected"
        assert ("already tombstoned" if state == "tombstone" else "already sealed") in done["reason"]


@pytest.mark.req("HMG-25", "HMG-13")
@pytest.mark.parametrize("action", ["seal", "tombstone", "derive_lesson"])
def test_what_is_quarantined_may_be_ended_but_not_released_or_corrected(action: str, hmg: Client) -> None:
    atom = memorized(hmg, OLD)
    judged(hmg, atom, "quarantine")
    assert "already quarantined" in judged(hmg, atom, "quarantine")["reason"]
    for correction in CORRECTIONS:
        done = judged(hmg, atom, correction, **given(correction))
        assert done["effect"] == "rejected"
        assert "quarantined" in done["reason"]
    assert judged(hmg, atom, action, **given(action))["effect"] == "applied"


@pytest.mark.req("HMG-13", "HMG-25")
def test_the_person_releases_what_was_quarantined(hmg: Client, desk: Desk) -> None:
    from quoth.core.speaker import Speaker

    atom = memorized(hmg, OLD)
    judged(hmg, atom, "quarantine")
    desk.logs.ask(lambda kernel: kernel.judge.run(atom, "release", WHY, by=Speaker()))
    assert recalled(hmg, "oven trays") == [OLD]


@pytest.mark.req("HMG-24")
def test_a_lesson_is_recalled_and_its_original_is_sealed(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, OLD)
    done = judged(hmg, atom, "derive_lesson", lesson_content="Count the trays of ovens.")
    assert active(hmg) == [done["lesson_atom_id"]]
    assert desk.version(entry_of(atom)).state.value == "sealed"
    [edge] = desk.version(entry_of(done["lesson_atom_id"])).relations
    assert (edge.relation, edge.entry, edge.other) == (
        "derived_lesson_from",
        entry_of(done["lesson_atom_id"]),
        entry_of(atom),
    )
    assert desk.client("quoth").call("get", id=done["lesson_atom_id"])["entry"]["type"] == "lesson"


@pytest.mark.req("HMG-23", "INV-5")
def test_a_tombstone_destroys_the_content_and_keeps_the_rest(hmg: Client, desk: Desk) -> None:
    words = "Zanzibar-7731 is the name of the secret oven."
    atom = memorized(hmg, words)
    new = replaced(hmg, atom, f"{words} It is blue.")
    assert judged(hmg, new, "tombstone", reason="it should not be known")["effect"] == "applied"
    files = [path for path in desk.logs.home.rglob("*") if path.is_file()]
    assert not [path.name for path in files if b"zanzibar" in path.read_bytes().lower()]
    row = desk.version(entry_of(new))
    assert (row.state.value, row.version.statement, row.version.created_at > 0) == ("destroyed", None, True)
    assert any(
        each.operation.header.reason == "it should not be known"
        for each in desk.logs.ask(lambda kernel: kernel.ledger.since(0))
    )
    assert desk.logs.ask(lambda kernel: kernel.verify.run())["ok"]


@pytest.mark.req("HMG-16")
@pytest.mark.parametrize("spelling", ["ulid", "lower", "entry", "tail"])
def test_a_target_is_named_in_any_spelling(spelling: str, hmg: Client) -> None:
    atom = memorized(hmg)
    spelled: dict[str, Any] = {
        "ulid": atom,
        "lower": atom.lower(),
        "entry": entry_of(atom),
        "tail": entry_of(atom)[-10:],
    }
    done = judged(hmg, spelled[spelling], "negate")
    assert (done["effect"], done["target_atom"]) == ("applied", atom)


@pytest.mark.req("HMG-3", "HMG-16")
def test_an_atom_keeps_its_place_whatever_scope_is_passed(hmg: Client, desk: Desk) -> None:
    atom = memorized(hmg, OLD)
    before = desk.version(entry_of(atom)).scope
    scope = {"repository": "elsewhere", "branch": "dev"}
    new = judged(hmg, atom, "replace", new_content=NEW, scope=scope)["new_atom_id"]
    lesson = judged(hmg, new, "derive_lesson", lesson_content="Count trays.", scope=scope)["lesson_atom_id"]
    assert desk.version(entry_of(new)).scope == desk.version(entry_of(lesson)).scope == before


@pytest.mark.req("SEC-8", "HMG-22")
def test_an_agent_that_destroys_too_much_is_rejected(hmg: Client) -> None:
    atoms = [memorized(hmg, f"Shelf {n} holds bread.") for n in range(21)]
    done = [judged(hmg, atom, "tombstone") for atom in atoms]
    assert [each["effect"] for each in done] == ["applied"] * 20 + ["rejected"]
    assert "20" in done[-1]["reason"]
