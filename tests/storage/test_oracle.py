"""Search against a reference that knows nothing of tokens: regular expressions over every text (INV-10)."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexing import filled, found, opened

CJK = "\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
WORD = f"[^\\W_{CJK}]"
SIMPLIFIED = str.maketrans("記憶體庫數據緩存ёЁ", "记忆体库数据缓存еЕ")


@cache
def plain(text: str) -> str:
    spelled = unicodedata.normalize("NFKC", text).translate(SIMPLIFIED)
    return "".join(c for c in spelled if unicodedata.category(c) != "Cf")


def split(text: str) -> str:
    """Put a space where a camelCase word parts, then forget about case."""
    out = ""
    for at, letter in enumerate(text):
        before, after = text[:at][-1:], text[at + 1 :][:1]
        plural = letter + after == letter + "s" and not re.match(WORD, text[at + 2 :])
        parts = letter.isupper() and (
            before.islower()
            or (before.isdigit() and (after.islower() or after.isupper()))
            or (before.isupper() and after.islower() and not plural)
        )
        out += f" {letter}" if parts else letter
    return out.casefold()


def pattern(term: str) -> str | None:
    """Say a term as an expression: its words stand side by side, a CJK part at an end may go on."""
    parts = re.findall(f"[{CJK}]+|{WORD}+", term)
    if not parts:
        return None
    out = ""
    for at, part in enumerate(parts):
        is_cjk = bool(re.match(f"[{CJK}]", part))
        if at:
            was_cjk = bool(re.match(f"[{CJK}]", parts[at - 1]))
            out += f"[^{CJK}\\w]*_*[^{CJK}\\w]*" if is_cjk != was_cjk else f"(?:[^{CJK}\\w]|_)+"
        out += re.escape(part) if is_cjk else f"(?<!{WORD}){re.escape(part)}(?!{WORD})"
    return out


@cache
def readings(text: str) -> list[str]:
    """Return a text by the parts of its words, and each chunk of it with its camelCase words whole."""
    chunks = re.split(r"[\s,;\"'`|、。「」（）！？，：；]+", text)
    return [split(text), *(chunk.casefold() for chunk in chunks)]


def contains(text: str, query: str) -> bool:
    """Tell whether a text holds every word of a query that has any."""
    read = readings(plain(text))
    terms = [{pattern(split(term)), pattern(term.casefold())} - {None} for term in plain(query).split()]
    said = [forms for forms in terms if forms]
    return bool(said) and all(any(re.search(form, r) for form in forms for r in read) for forms in said)


TEXTS = [
    "The retry loop in getUserName() never ends; see HTTPServer and parse_config.",
    "The user's name is in get_user_name, not in username.",
    "我们用SQLite数据库保存记忆，缓存失效了。",
    "我們用SQLite數據庫保存記憶。",
    "Ёлка горит, всё ещё горит. Настройки сервера в config.yaml",
    "елка еще не горит; й не и",
    "設定ファイルを読み込む。データベースの接続エラー",
    "데이터베이스 연결 오류가 발생했습니다",
    "src/app/main_view.py and quoth-core.search.QueryParser v2",
    "src/app/main.py: ImportError",
    "用React写的前端，用Vue写的后台；TypeScript项目",
    "ＦＵＬＬ　ｗｉｄｔｈ text, straße STRASSE",
    "utf8Decode Base64URL APIs 2D iPhone15 macOS",
    "สวัสดีชาวโลก ภาษาไทย",
    "caching 缓存 cache кэш キャッシュ 캐시",
    'a AND b OR NOT c NEAR(d) "quoted" star* col:umn ^caret -minus',
]
WORDS = (
    "getUserName getusername get_user_name username user HTTPServer httpserver server parse_config config config.yaml "
    "ConfigYaml main main_view main_view.py app/main src/app/main.py QueryParser queryparser search.queryparser apis "
    "api quoth-core core.search utf8 decode base64url url 2d iphone15 phone15 macos mac ｆｕｌｌ strasse straße cache "
    "cach SQLite typescript项目 script项目 用react react写 vue写的 用sqlite 用SQLite数据 sqlite数据库 库保存 "
    "记忆 記憶 憶 数 数据 数据库 缓存失效 存失 ёлка елка еще ещё й и кэш ファイル ァ データ キャッシュ 데이터 베이스 "
    '오류 캐 สวัสดี ชาว full AND NOT NEAR(d) "quoted" star* sta* col:umn ^caret -minus !!! ... 🙂 ( "'
)
SEVERAL = ["user name", "query parser", "写的 前端", "горит всё", "ベース 接続", "and b", "a b c d", "- cache"]
QUERIES = [*WORDS.split(), *SEVERAL]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory):
    index = opened(tmp_path_factory.mktemp("oracle"))
    filled(index, *TEXTS)
    yield index
    index.close()


@pytest.mark.req("INV-10")
@pytest.mark.parametrize("query", QUERIES)
def test_search_finds_exactly_the_texts_that_contain_every_word(corpus, query: str) -> None:
    assert sorted(found(corpus, query)) == sorted(text for text in TEXTS if contains(text, query))


@pytest.mark.req("INV-10")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("getusername", "The retry loop in getUserName() never ends; see HTTPServer and parse_config."),
        ("GetUserName", "The user's name is in get_user_name, not in username."),
        ("数据", "我們用SQLite數據庫保存記憶。"),
        ("忆", "我們用SQLite數據庫保存記憶。"),
        ("sqlite数据库", "我们用SQLite数据库保存记忆，缓存失效了。"),
        ("еще елка", "Ёлка горит, всё ещё горит. Настройки сервера в config.yaml"),
        ("ァイ", "設定ファイルを読み込む。データベースの接続エラー"),
        ("이터베", "데이터베이스 연결 오류가 발생했습니다"),
        ("main_view", "src/app/main_view.py and quoth-core.search.QueryParser v2"),
        ("full width", "ＦＵＬＬ　ｗｉｄｔｈ text, straße STRASSE"),
    ],
)
def test_a_word_is_found_however_it_is_spelled(corpus, query: str, text: str) -> None:
    assert text in found(corpus, query)


@pytest.mark.req("INV-10")
@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("и", "только й"),
        ("cach", "cache"),
        ("库据", "数据库"),
        ("script", "TypeScripts"),
        ("username", "get_user_name"),
        ("sta*", "start"),
        ("数据 库存", "数据库"),
        ("a OR b", "a"),
    ],
)
def test_a_text_that_lacks_a_word_is_not_found(tmp_path: Path, query: str, text: str) -> None:
    index = opened(tmp_path)
    filled(index, text)
    assert found(index, query) == []
    index.close()


MIXED = "get User name HTTP Server api APIs utf8 2D é Straße ёж Еж Мир данные 记忆 記憶 数据 库 緩存"
MORE = "データ の エラー 데이터 오류 ไทย"
MARKS = '_ - . / 。 ， ( ) " ,'
PIECES = [*MIXED.split(), *MORE.split(), *MARKS.split(), " ", " ", " "]
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join)


@st.composite
def questions(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Draw texts, and queries that are mostly cut out of them."""
    written = draw(st.lists(texts, min_size=2, max_size=8, unique=True))
    asked = [draw(texts)]
    for _ in range(4):
        text = draw(st.sampled_from(written))
        start = draw(st.integers(0, len(text) - 1))
        asked.append(text[start : start + draw(st.integers(1, 12))])
    return written, asked


@pytest.mark.req("INV-10")
@settings(max_examples=120, deadline=None)
@given(questions())
def test_search_agrees_with_the_reference_on_anything_mixed(question: tuple[list[str], list[str]]) -> None:
    written, asked = question
    with TemporaryDirectory() as folder:
        index = opened(Path(folder))
        filled(index, *written)
        for query in asked:
            expected = sorted(text for text in written if contains(text, query) and not text.isspace())
            assert sorted(found(index, query)) == expected, query
        index.close()


@pytest.mark.req("INV-10")
def test_search_agrees_with_the_reference_on_a_whole_corpus(tmp_path: Path) -> None:
    random = Random(7)
    written = ["".join(random.choices([*PIECES, " "], k=random.randint(3, 40))).strip() + f" {n}" for n in range(300)]
    index = opened(tmp_path)
    filled(index, *written)
    for _ in range(200):
        text = random.choice(written)
        start = random.randrange(len(text))
        query = text[start : start + random.randint(1, 10)]
        assert sorted(found(index, query)) == sorted(text for text in written if contains(text, query)), query
    index.close()
