"""The words by which duplicates are told: what adds nothing, what says the same as another word, what denies.

Everything is folded, as `core.text.fold` does it.
"""

from __future__ import annotations

import re
from typing import Final

_ENGLISH_FILLING = (
    "a an the is are was were be been being am do does did get gets got has have had having will would shall should"
    " must can could may might now currently already still just also so then there it its this that these those they"
    " them he she we our ours you your i my in on at of to for by with from as and or both via through into per each"
    " every all any such called named set use uses used using because since thus always version v which who whom"
    " whose when if while"
)
_RUSSIAN_FILLING = (
    "и а но или же ли то это эта этот эти тот та те мы наш наша наше наши нас я он она оно они их его ее ему ей им нем"
    " в во на с со к ко у о об от для из за по при между как что чтобы когда если пока уже еще теперь сейчас просто"
    " также тоже там тут бы быть есть был была было были будет будут является являются свой своя свое должен должна"
    " должно должны надо нужно можно так потому поскольку например каждый каждая каждое каждые каждую все весь вся"
    " всегда иметь имеет имеют версия версии версией версию"
)
FILLING: Final = frozenset(f"{_ENGLISH_FILLING} {_RUSSIAN_FILLING}".split())
"""What adds nothing, unless it is part of a name."""

_PREPOSITIONS = "in on at of to for by with from into к ко в во на с со из от за по при через у о"
PLACES: Final = frozenset(_PREPOSITIONS.split())
"""Words that give the next one its part in the sentence."""

PHRASES: Final = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"(?<=\d)[,\u00a0 '_](?=\d{3}(?!\d))", ""),  # 10,000
        (r"['’]s\b|\b(?:e\.g\.|i\.e\.|for (?:example|instance)|such as|in order to|as well as)", " "),
        (r"\b(?:instead of|rather than|no longer|any ?more|вместо|больше не|никогда не|а не)\b", " not "),
        (r"\b(?:так как|потому что|то есть|в том числе)\b", " "),
        (r"\benv(?:ironment)?[ -]var(?:iable)?(s?)\b", r" env variable\1 "),
        (r"\bdislik(?=e)", "not lik"),
        (r"\bk8s\b", " kubernetes "),
        (r"\bi18n\b", " internationalization "),
        (r"\bnode\.js\b", " node "),
        (r"\bбаз[аеуы] данных\b|\bбд\b", " база "),
        (r"\bначиная с\b", " с "),
        (r"%|\bpercent\b|\bпроцент[а-я]{0,3}\b", " percent "),
        (r"百分之([零〇一二两三四五六七八九十百\d.]+)", r"\1 percent "),
        (r"(?<=[a-z]{4})is(?=e[ds]?\b|ing\b|ations?\b)", "iz"),  # -ise and -ize
        (r"(?<=[a-z]{3})our(?=s?\b)", "or"),  # colour and color
        (r"кеш", "кэш"),
        (r"хэш", "хеш"),
        (r"бекап", "бэкап"),
        (r"бекенд", "бэкенд"),
    )
)
"""Spellings, and phrases of several words; what says what is not so says it with `not`."""

SAME: Final = tuple(
    group.split()
    for group in (
        "db database",
        "repo repository",
        "config configuration",
        "env environment",
        "prod production",
        "dev development",
        "auth authentication",
        "folder directory dir",
        "doc documentation",
        "app application",
        "postgres postgresql",
        "js javascript",
        "ts typescript",
        "node nodejs",
        "id identifier",
        "delete remove",
        "large big",
        "over above",
        "under below",
        "конфиг конфигурация",
        "прод продакшен продакшн",
        "репозиторий репа",
        "писать пишет пишут пишем записывать записывает",
        "write wrote written",
        "run ran",
        "build built",
        "keep kept",
        "send sent",
        "make made",
        "break broke broken",
        "choose chose chosen",
        "find found",
        "take took taken",
        "give gave given",
        "throw threw thrown",
        "begin began begun",
        "go went gone",
        "know knew known",
        "hold held",
        "lose lost",
        "mean meant",
        "grow grew grown",
        "show shown",
        "freeze froze frozen",
        "hide hid hidden",
        "say said",
        "tell told",
        "bring brought",
        "buy bought",
        "fall fell fallen",
        "forget forgot forgotten",
        "pay paid",
        "see saw seen",
    )
)
"""Words that say the same where programs are made, and forms that no stem joins; the first stands for all."""

DERIVED: Final = re.compile(
    r"(?<=[а-я]{5})ь?ск$|(?<=[а-я]{3})[ое](?=к$)|(?<=[а-я]{3})(?:ут|ют|ят|ет|ит)$|(?<=[а-я]{5})(?:нет|нут|л)$"
)
"""What is between stems of Russian words that say the same: Франкфурт, франкфуртский; ветка, веток; берём, берут."""

PHRASES_CJK: Final = (
    ("帐", "账"),
    ("星期", "周"),
    ("礼拜", "周"),
    ("邮政编码", "邮编"),
    ("数据库", "库"),
    ("资料库", "库"),
    ("快取", "缓存"),
    ("资料", "数据"),
    ("栏位", "字段"),
    ("比如", "例如"),
    ("之后", "后"),
    ("以后", "后"),
    ("之前", "前"),
    ("以前", "前"),
    ("服务器端", "服务端"),
    ("删掉", "删除"),
    ("移除", "删除"),
    ("按照", "按"),
    ("就算", "即使"),
    ("的话", ""),
    ("时候", "时"),
    ("版本", "版"),
    ("开始", "起"),
    ("使用者", "用户"),
    ("使用", "用"),
    ("采用", "用"),
    ("然后", "再"),
    ("存在", "有"),
)

FILLING_CJK: Final = re.compile(
    r"因为|因此|所以|由于|并且|而且|或者|但是|例如|现在|目前|如今|今后|当前|仍然|还是|我们|他们|统一|总是|其中|即可|进行|方式"
    r"|每一|来自|应该|应当|需要|必须|如果|假如|已经|[若应需已来按以仍都全也会将把被请就才的地得了着在于是为和与及或要其它时当这那个每用并还从自到向对]"
    r"|[里中上](?=$|[\W的a-z0-9零〇一二两三四五六七八九十百])"
)

DENIALS: Final = re.compile(
    r"\b(?:do|does|did|is|are|was|were|will|would|should|must|can|could|has|have)n['’]?t\b|\bcannot\b|\bnot\b"
    r"|\bnever\b|\bno\b|\bwithout\b|\bне\b|\bнет\b|\bнельзя\b|\bникогда\b|\bбез\b|\bни\b"
    r"|不再|不要|不能|不可|不得|不许|不准|没有|禁止|不|没|别|勿|无需|无须|未"
)

_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_RUSSIAN = (
    "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать"
    " пятнадцать шестнадцать семнадцать восемнадцать девятнадцать"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS_RU = "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто"

NUMBER_WORDS: Final = {
    **{word: number for words in (_ENGLISH, _RUSSIAN) for number, word in enumerate(words.split())},
    **{word: 10 * ten for words in (_TENS, _TENS_RU) for ten, word in enumerate(words.split(), 2)},
    **dict.fromkeys(("одна", "одно", "одну", "одного", "одной"), 1),
    **dict.fromkeys(("две", "двух", "двум", "twice", "дважды"), 2),
    **dict.fromkeys(("трех", "трем", "трижды"), 3),
    **dict.fromkeys(("четырех",), 4),
    **dict.fromkeys(("hundred", "сто"), 100),
    **dict.fromkeys(("thousand", "тысяча"), 1000),
    "once": 1,
    "однажды": 1,
}

NUMBER_WORD: Final = re.compile(
    rf"\b(?:{'|'.join(f'{_TENS} {_TENS_RU}'.split())})(?:[ -](?:{'|'.join(f'{_ENGLISH} {_RUSSIAN}'.split()[1:])}))?\b"
    rf"|\b(?:{'|'.join(NUMBER_WORDS)})\b"
)

DIGITS_CJK: Final = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
NUMBER_CJK: Final = re.compile("[零〇一二两三四五六七八九十百]{1,9}")
