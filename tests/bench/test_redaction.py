"""The labelled lists meet the bars of SEC-5: all of it, and each kind of secret for itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from bench.redaction import Labelled

from bench import redaction

ROOT = Path(__file__).parents[2]
SECRETS, LOOK_ALIKES = redaction.secrets(), redaction.look_alikes()


def _wrong(rows: Sequence[Labelled]) -> list[str]:
    return [row.text for row in rows if not row.is_right]


@pytest.mark.req("SEC-5")
@pytest.mark.parametrize(("rows", "least"), [(SECRETS, redaction.RECALL), (LOOK_ALIKES, 1 - redaction.TOUCHED)])
def test_both_lists_meet_their_bar_and_are_as_long_as_promised(rows: Sequence[Labelled], least: float) -> None:
    assert len(rows) >= 300
    assert 3 * len([row for row in rows if row.is_blind]) >= len(rows)
    assert redaction.share_right(rows) >= least, _wrong(rows)


@pytest.mark.req("SEC-5", "HMG-6")
@pytest.mark.parametrize("kind", sorted({row.kind for row in SECRETS}))
def test_no_kind_of_secret_lags_behind(kind: str) -> None:
    rows = [row for row in SECRETS if row.kind == kind]
    assert redaction.share_right(rows) >= 0.92, _wrong(rows)


@pytest.mark.req("SEC-5")
def test_the_list_that_came_after_the_rules_meets_the_bars_too() -> None:
    for rows, least in ((SECRETS, redaction.RECALL), (LOOK_ALIKES, 1 - redaction.TOUCHED)):
        unseen = [row for row in rows if row.is_unseen]
        assert redaction.share_right(unseen) >= least, _wrong(unseen)


def test_a_text_is_counted_once() -> None:
    for rows in (SECRETS, LOOK_ALIKES):
        assert len({row.text for row in rows}) == len(rows)


def test_a_piece_of_a_secret_that_stays_counts_as_missed() -> None:
    text = "key Zb4Kq9Xw2Lm7Tr5Vn8"
    assert not Labelled("x", "vendor key", text, ["Zb4Kq9Xw2Lm7Tr5Vn8"]).is_right


def test_what_stands_beside_a_secret_too_is_no_piece_of_it() -> None:
    row = Labelled("x", "vendor key", ":rubygems_api_key: password=rubygems_9d6e94b2", ["rubygems_9d6e94b2"])
    assert row.is_right


@pytest.mark.req("SEC-5")
def test_the_command_prints_both_figures_with_their_bars() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "redaction"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    judged = [line for line in done.stdout.splitlines() if line.startswith("SEC-5") and ">=" in line]
    assert ["secrets found, all" in judged[0], "look-alikes left, all" in judged[1]] == [True, True]
    assert all(line.endswith("ok") for line in judged)
