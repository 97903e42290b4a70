"""The words by which statements are compared: denials, opposites, fillers, numbers and what makes a number a name."""

from __future__ import annotations

import re
from typing import Final

DENIALS: Final = re.compile(
    r"\b(?:do|does|did|is|are|was|were|will|would|should|must|can|could|has|have)n['’]?t\b|\bcannot\b|\bnot\b"
    r"|\bno longer\b|\bnever\b|\bno\b|\bwithout\b"
    r"|\bне\b|\bнет\b|\bнельзя\b|\bникогда\b|\bбез\b|\bбольше не\b"
    r"|不再|不要|不能|不可|不得|不许|不准|没有|禁止|不|没|别|勿|无需|未"
)
OPPOSITES: Final = {
    "disabled": "enabled",
    "disallowed": "allowed",
    "forbidden": "allowed",
    "prohibited": "allowed",
    "off": "on",
    "false": "true",
    "broken": "working",
    "unsupported": "supported",
    "unavailable": "available",
    "optional": "required",
    "private": "public",
    "closed": "open",
    "выключен": "включен",
    "выключена": "включена",
    "выключено": "включено",
    "отключен": "включен",
    "отключена": "включена",
    "запрещено": "разрешено",
    "запрещен": "разрешен",
    "запрещена": "разрешена",
}
OPPOSITES_CJK: Final = {"关闭": "开启", "停用": "启用", "禁用": "启用", "失败": "成功", "不支持": "支持"}
FILLERS: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "do",
        "does",
        "did",
        "now",
        "currently",
        "today",
        "already",
        "still",
        "just",
        "on",
        "in",
        "at",
        "of",
        "to",
        "and",
        "we",
        "our",
        "it",
        "its",
        "this",
        "that",
        "uses",
        "use",
        "will",
        "would",
        "should",
        "must",
        "can",
        "could",
        "has",
        "have",
        "had",
        "has",
        "теперь",
        "сейчас",
        "уже",
        "еще",
        "пока",
        "мы",
        "наш",
        "наша",
        "наше",
        "это",
        "на",
        "в",
        "во",
        "с",
        "и",
        "для",
        "у",
    ]
)
FILLERS_CJK: Final = re.compile(r"现在|目前|已经|如今|今后|当前|仍然|还是|我们|的|了")
NAMING: Final = frozenset(
    [
        "ticket",
        "issue",
        "pr",
        "bug",
        "case",
        "task",
        "step",
        "chapter",
        "section",
        "phase",
        "page",
        "room",
        "line",
        "user",
        "customer",
        "order",
        "invoice",
        "item",
        "rule",
        "no",
        "version-of",
        "part",
        "test",
        "example",
        "option",
        "sprint",
        "milestone",
        "quarter",
        "q",
        "задача",
        "тикет",
        "шаг",
        "этап",
        "глава",
        "раздел",
        "страница",
        "строка",
        "заказ",
        "пункт",
        "пример",
        "номер",
        "квартал",
    ]
)
NUMBER: Final = re.compile(r"(?:(?<![^\W\d_])([^\W\d_]{1,40})[\s_:=.-]{1,3})?([#№]?\d+(?:[.,:]\d+)*)")
NAMED_CJK: Final = re.compile(r"第\s{0,3}\d{1,9}|(?<!\d)\d{1,9}\s{0,3}号")
NUMBER_WORDS: Final = {
    word: str(number)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать",
    )
    for number, word in enumerate(words.split())
}
WORD: Final = re.compile(r"[^\W\d_]+")
