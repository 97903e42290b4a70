"""What lines are without some words: as long, still JSON where they were, and nothing else is changed."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quoth.core.blanking import Wanted, blank, differing, filled, is_blank, without
from quoth.core.spelling import normal, spans

WORDS = "Zanzibar Quillwort"
PHRASE = Wanted(phrases=(WORDS,))
TEXT = 'Please remember this:\nthe vault opens with Zanzibar at dawn.\n\nThank you "very" much, C:\\new\\table'

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.sampled_from([WORDS, WORDS.upper(), TEXT]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcde"), inner, max_size=4),
    max_leaves=12,
)


def line(value: Any, **options: Any) -> bytes:
    return json.dumps(value, **options).encode()


@pytest.mark.req("INV-5")
@pytest.mark.parametrize(
    "said",
    [
        "zanzibar   QUILLWORT",
        "it is Zanzibar\nQuillwort, you know",
        "Zanzibar\t\r\n Quillwort",
        json.dumps({"q": "Zanzibar Quillwort"}),
        json.dumps({"deep": json.dumps({"er": json.dumps(["Zanzibar\nQuillwort"])})}),
        base64.b64encode(b"\x08\x01it is Zanzibar Quillwort\x00").decode(),
    ],
)
@pytest.mark.parametrize("ascii", [True, False])
def test_words_go_in_every_spelling_and_what_is_beside_them_stays(said: str, ascii: bool) -> None:  # noqa: A002
    was = line({"text": said, "other": "é stays", "n": 1}, ensure_ascii=ascii)
    assert PHRASE.may_be_in(was, is_packed=True)
    now = without(was, PHRASE)
    assert len(now) == len(was)
    assert not PHRASE.is_in(now.decode())
    assert {**json.loads(now), "text": ""} == {"text": "", "other": "é stays", "n": 1}


@pytest.mark.req("INV-5")
def test_escapes_of_unicode_are_the_characters_they_stand_for() -> None:
    for said in (
        rb'{"t":"\u0417\u0430\u043d \u0437\u0438\u0431\u0430\u0440","k":1}',
        '{"t":"ЗАН ЗИБАР","k":1}'.encode(),
    ):
        wanted = Wanted(phrases=("Занзибар",))
        assert wanted.may_be_in(said)
        assert json.loads(without(said, wanted)) == {"t": " " * len(json.loads(without(said, wanted))["t"]), "k": 1}
    for said in ({"t": "他说记\n忆库"}, {"t": "x", "u": json.dumps({"v": "记忆库"})}):
        for ascii_only in (True, False):
            was = line(said, ensure_ascii=ascii_only)
            wanted = Wanted(phrases=("记忆库",))
            assert wanted.may_be_in(was)
            assert not wanted.is_in(without(was, wanted).decode())
    packed = json.dumps({"t": "记忆😀库"}).encode()
    assert json.loads(without(packed, Wanted(phrases=("忆😀",))))["t"].strip() == ""


@pytest.mark.req("INV-5")
def test_inside_of_json_in_a_string_only_the_string_goes() -> None:
    inner = {"text": f"he said {WORDS}", "path": "/srv/shop/app.py", "n": 3}
    now = json.loads(without(line({"arguments": json.dumps(inner), "id": "c1"}), PHRASE))
    kept = json.loads(now["arguments"])
    assert (now["id"], kept["path"], kept["n"], kept["text"].strip()) == ("c1", "/srv/shop/app.py", 3, "")


@pytest.mark.req("INV-5")
@pytest.mark.parametrize(
    "was",
    [
        b"plain text that says Zanzibar Quillwort to all",
        line({WORDS: 1, "text": "beside it"}),
        b'{"torn": "Zanzibar Quillwort',
    ],
)
def test_where_strings_are_not_enough_the_whole_line_goes(was: bytes) -> None:
    assert without(was, PHRASE) == blank(was)
    assert is_blank(without(was, PHRASE))


@pytest.mark.req("INV-5")
@pytest.mark.parametrize(
    ("said", "goes"),
    [
        (TEXT, True),
        (f"<user>{TEXT}</user>", True),
        ("the vault opens with Zanzibar at dawn.", True),
        ("Please remember this: the vault op…", True),
        ("Thank you", False),
        ("C:\\new\\table", False),
        ("the vault opens with something else", False),
        ("user", False),
    ],
)
def test_a_text_takes_its_lines_and_titles_along_and_nothing_that_is_like_it_by_chance(said: str, goes: bool) -> None:
    now = json.loads(without(line({"said": said, "role": "user"}), Wanted(texts=(TEXT,))))
    assert (now["said"].strip() == "", now["role"]) == (goes, "user")


@pytest.mark.req("INV-5")
def test_a_short_text_goes_where_it_stands_alone_and_is_no_word_of_the_format() -> None:
    was = line({"type": "text", "text": "text", "more": "texture", "role": "user"})
    now = json.loads(without(was, Wanted(texts=("Text",))))
    assert (now["type"], now["text"].strip(), now["more"]) == ("text", "", "texture")


@pytest.mark.req("INV-5")
@given(JSON, st.booleans())
def test_any_line_stays_as_long_and_as_well_formed_and_loses_the_words(value: Any, ascii: bool) -> None:  # noqa: A002
    was = line(value, ensure_ascii=ascii)
    for wanted in (PHRASE, Wanted(texts=(TEXT,))):
        now = without(was, wanted)
        assert len(now) == len(was)
        assert not wanted.is_in(now.decode())
        assert is_blank(now) or _shape(json.loads(now)) == _shape(value)
        if not wanted.may_be_in(was):
            assert now == was or wanted.texts


def _shape(value: Any) -> Any:
    """Return a value without its strings."""
    match value:
        case dict():
            return {key: _shape(held) for key, held in value.items()}
        case list():
            return [_shape(held) for held in value]
        case str():
            return ""
    return value


@given(st.binary(max_size=400), st.binary(max_size=400))
def test_differing_ranges_are_all_that_differs(one: bytes, other: bytes) -> None:
    old, new = one[: len(other)], other[: len(one)]
    ranges = list(differing(old, new))
    inside = {place for start, stop in ranges for place in range(start, stop)}
    assert {place for place in range(len(old)) if old[place] != new[place]} <= inside
    assert filled(old, ranges) == bytes(0x20 if at in inside else byte for at, byte in enumerate(old))


@given(st.text(alphabet='aB "\\nß ', max_size=20), st.text(alphabet="aBß", min_size=1, max_size=3))
def test_a_span_has_the_normal_form_that_was_looked_for(text: str, wanted: str) -> None:
    found = list(spans(text, [normal(wanted)]))
    assert all(normal(text[start:stop]) == normal(wanted) for start, stop in found)
    assert bool(found) == (normal(wanted) in normal(text))


def test_a_piece_of_json_has_the_normal_form_of_what_it_says() -> None:
    assert normal(json.dumps(TEXT)) == normal(TEXT) == normal(json.dumps(json.dumps(TEXT)))
