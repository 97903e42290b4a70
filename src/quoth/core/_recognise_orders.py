"""Orders to an agent's instructions: a verb, and near behind it what it is done to. What is near is judged by words."""

# ruff: noqa: E501 - a form stands on one line, so that it can be read and searched

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from quoth.core import _recognise_agents as agents
from quoth.core import _recognise_roles as roles
from quoth.core import _recognise_words as words
from quoth.core._forms import Form

# What may stand before a verb that the reader of the text is to do.
_NOT_BEFORE: Final = Form(
    r"(?:\bnever|\bnot|n't|\bwithout|\bcannot|\bnor|\bто не|\bне|\bнельзя|不要|不能|不得|别|勿|禁止|不可|不应|不许|绝不|从不|不会|不准|严禁|避免|防止|拒绝)"
    r"(?:[\s,]+(?:ever|blindly|silently|just|simply|be|to|to be|let|anyone|случайно|просто))?\s*$"
)
_ADDRESSED: Final = Form(
    r"(?:^|[.!?:;,\"'\n(>*#\[\])/|–—-]|[\u3400-\u9fff。]|\b(?:please|can you|could you|would you|will you|now|and|then|just|simply|first|instead|next|also|immediately|always"
    r"|kindly|but|or|so|completely|totally|entirely|hereby|silently|secretly|must also|henceforth|let's|lets"
    r"|(?:you|agents?|assistants?|ai|models?|llms?|claude|codex|gemini|bot|chatbot|copilot|everyone|system)\s+(?:\w+\s+)?"
    r"(?:must|should|shall|will|have to|need to|can|may|are to|would|could|ought to|now|are allowed to|are free to|are instructed to"
    r"|are ordered to|are required to|are able to|are going to|to)"
    r"|(?:want|need|order|instruct|command|tell|ask|like|urge|require|allow|authorize|authorise|supposed|expected)(?:s|ed)? (?:you |the agent |the assistant )?to"
    r"|(?:task|job|goal|duty|role|order|instruction|mission) (?:now )?is to|(?:important|necessary|essential|crucial|required|time|imperative|okay|ok|safe) to"
    r"|^must|^should|^to))\s*$"
)
_SENTENCE: Final = Form(r"[.!?]\s|[。！？]")
_THIRD_HAN: Final = Form(r"(?:(?<!你)可以|能够|会|允许|如何|是否|时|已|已经|被|了)$")
_BEFORE: Final = 48
_DENIED: Final = Form(
    r"(?:\b(?:never|not|avoid|cannot|nor|refuses?|forbidden|prohibited|rejects?)\b|n't\b|(?<![а-я])(?:не|нельзя|запрещено|избегай|отказывается)(?![а-я])|不要|不得|不能|禁止|别|勿|不可|不应|不许|绝不|切勿|严禁|避免|防止|拒绝)"
    r"[^,.;:!?\n，。]{0,24}$"
)

_PLACE: Final = Form(
    r"['\"*_)\s]{0,4}(?:in|on|inside|within|at|of (?:the|a|this)|for (?:the|a|files)(?! (?:rest|remainder|duration|sake))|from (?:the|a)|under|when|while|if|by|with|size|length|hash|tokens?|file|template|path"
    r"|version|cache|builder|loader|tests?|budget|name|id|ids|table|field|column|queue|page|pages|set|setting|parameter|flag|buffer|counter|pointer)\b(?! (?:the )?(?:system|user|developer|above|order|full))"
    r"|['\"]{0,2}\s?(?:в|из|для|при|на|внутри|если|когда|по)\s(?!(?:системн|разработчик|твое|полн))"
    r"|(?:文件|模板|长度|大小|缓存|版本|路径|表|字段|队列|时|行数|条数|日志)"
)
_PART: Final = Form(
    r"['\"*_)\s]{0,4}(?:size|length|hash|tokens?|file|template|path|version|cache|builder|loader|tests?|budget|name|id|table|field|column"
    r"|(?:in|to) (?:the )?(?:debug|verbose|trace|test|tests|ci))\b|(?:文件|模板|的?长度|的?大小|缓存|的?版本|的?路径|表|字段)"
)


@dataclass(frozen=True, slots=True)
class Order:
    """A rule: words one behind the other, each within some characters of the one before."""

    rule: str
    parts: Sequence[words.Words]
    within: Sequence[int]
    unless_behind: Form | None = None
    unless_denied: int | None = None  # the part that must not be forbidden; None: the first is said to the reader
    is_in_a_sentence: bool = True


_ABOUT_THIS: Final = Form(
    r"(?: know)?(?: (?:about|of) (?:this|it\b|these|what you|that you|your|any(?:thing| of (?:this|it))|the (?:change|instruction|transfer|upload|memory|backdoor|real))"
    r"| (?:that|what|why|how|where|who) (?:you|this|we|i|it|these)\b| anything| (?:and|or|but|just|because|until)\b"
    r"|,? (?:об этом|про это|о своих|об эт|о данн|что ты|про эт|ни слова|ничего)|,? о том,? что ты|, (?:откуда|как|почему|зачем|кто) (?:ты|эт|мы)|, (?:and|just|but|or|simply|и|а|но|просто) )"
    r"|(?:提及|提起|透露|说明|泄露|报告|提到|解释|说|讲|知道)?(?:这|此|你|该|本|任何)"
)
_END: Final = Form(r"(?: know|知道|知晓|察觉|提起|提及|发现)?[\s\"')]*(?:[.!\n;。!?]|$|(?<=[\u3400-\u9fff]),)")
_KNOW: Final = Form(" know|知道|知晓|察觉|发现")
_MILD: Final = Form(
    r"(?:notify|alert|warn|show|explain|say|report|expose|reveal|show|mention|уведом|предупре|показ|раскр|докл|提醒|通知|说明|报告|让)"
)
_THIS_TO: Final = Form(
    r"\s*(?:this|it|these|anything|that you|what you|your)\b|\s*(?:об этом|про это|это|эт|что ты|о том)|\s*(?:这|此|你|该|本)"
)

ORDERS: Final = (
    Order("override", (words.DISCARD, words.WHOSE, words.INSTRUCTIONS), (40, 30), unless_behind=_PLACE),
    Order("override", (words.DISCARD, words.INSTRUCTIONS, words.WHOSE), (30, 24)),
    Order("override", (words.DISCARD, words.ALL, words.INSTRUCTIONS), (24, 24), unless_behind=_PLACE),
    Order("override", (words.DISCARD, words.ALL, words.WHOSE, words.RULES), (24, 24, 24), unless_behind=_PLACE),
    Order("override", (words.DISCARD, words.WHOSE, words.ALL, words.RULES), (24, 24, 24), unless_behind=_PLACE),
    Order("override", (words.DISCARD, words.ALL, words.RULES, words.WHOSE), (24, 24, 24), unless_behind=_PLACE),
    Order("override", (words.DISCARD, words.EVERYTHING), (12,)),
    Order("reveal", (words.SHOW, words.PROMPT), (40,), unless_behind=_PART),
    Order("reveal", (words.OBJECT, words.PROMPT, words.SHOW), (12, 16)),
    Order("exfiltration", (words.SEND, words.OWN, words.SECRET, words.WHERE), (40, 40, 60)),
    Order("exfiltration", (words.SEND, words.SENSITIVE, words.WHERE), (40, 60)),
    Order("exfiltration", (words.TAKE, words.SENSITIVE, words.SEND, words.WHERE), (30, 40, 40)),
    Order("exfiltration", (words.OBJECT, words.SENSITIVE, words.SEND, words.WHERE), (20, 30, 40)),
    Order("exfiltration", (words.OBJECT, words.OWN, words.SECRET, words.SEND, words.WHERE), (16, 16, 30, 40)),
    Order("exfiltration", (words.TAKE, words.KEPT, words.PASTE, words.SHOWN), (30, 40, 30)),
    Order("override", (words.OBJECT, words.WHOSE, words.INSTRUCTIONS, words.DISCARD), (12, 12, 12)),
    Order("override", (roles.ASIDE, roles.TOLD_YOU), (24,)),
    Order("override", (roles.ASIDE, roles.OWN_RULES), (16,)),
    Order("reveal", (words.SHOW, roles.YOU_WERE_TOLD, roles.AT_FIRST), (40, 40)),
    Order("reveal", (words.SHOW, roles.AT_FIRST, roles.YOU_WERE_TOLD), (40, 40)),
    Order("reveal", (words.SHOW, roles.TEXT, roles.OUR_TALK), (24, 30)),
    Order("persona", (roles.PLAY, roles.SOMEONE, roles.UNBOUND), (60, 60)),
    Order("persona", (roles.PLAY, roles.WHO_UNBOUND), (60,)),
    Order("persona", (roles.PLAY_HAN, roles.UNBOUND, roles.SOMEONE), (16, 16)),
    Order("override", (agents.MAKERS, agents.LIFT, agents.LIMITS), (30, 30), unless_denied=1),
    Order("reveal", (roles.TEXT, roles.OUR_TALK, roles.HAN_SHOW), (1, 16), unless_denied=2),
    Order(
        "reveal",
        (roles.AT_FIRST, roles.YOU_WERE_TOLD, roles.AT_FIRST),
        (40, 60),
        unless_denied=1,
        is_in_a_sentence=False,
    ),
    Order(
        "reveal", (roles.YOU_WERE_TOLD, roles.AT_FIRST, words.SHOW), (40, 16), unless_denied=2, is_in_a_sentence=False
    ),
    Order("reveal", (roles.AT_FIRST, words.SHOW, roles.YOU_WERE_TOLD), (16, 40), unless_denied=1),
    Order(
        "reveal", (roles.AT_FIRST, roles.YOU_WERE_TOLD, words.SHOW), (16, 16), unless_denied=2, is_in_a_sentence=False
    ),
    Order("new instructions", (agents.YOUR_RULES, agents.VOID), (40,), unless_denied=1),
    Order("new instructions", (agents.YOUR_RULES, roles.UPDATED, roles.NO_MORE), (28, 40), unless_denied=1),
    Order("new instructions", (agents.UNLIMITED, agents.FREE), (90,), unless_denied=1, is_in_a_sentence=False),
    Order("new instructions", (agents.AGREED, agents.BYPASS), (110,), unless_denied=1, is_in_a_sentence=False),
    Order("new instructions", (agents.TRUSTED, agents.NEVER_ASK), (80,), unless_denied=1),
    Order("new instructions", (agents.AGENTS, agents.AGAINST), (140,), unless_denied=1, is_in_a_sentence=False),
)


@dataclass(slots=True)
class _Places:
    """Where the words of each class are in a text; each text is read once for each class."""

    text: str
    scripts: frozenset[str]
    known: dict[words.Words, Sequence[tuple[int, int]]] = field(default_factory=dict)
    ends: dict[tuple[int, int, int], int | None] = field(default_factory=dict)
    breaks: Sequence[tuple[int, int]] = ()

    def __post_init__(self) -> None:
        self.breaks = [found.span() for found in _SENTENCE.finditer(self.text)]

    def of(self, given: words.Words) -> Sequence[tuple[int, int]]:
        if given not in self.known:
            self.known[given] = given.places(self.text, self.scripts)
        return self.known[given]

    def between(
        self, given: words.Words, start: int, limit: int, *, is_near: bool = False
    ) -> Iterator[tuple[int, int]]:
        """Yield the places that begin within some characters, in the same sentence unless near is enough."""
        places = self.of(given)
        for at in range(bisect_left(places, (start, 0)), len(places)):
            if places[at][0] > limit or not (is_near or not self._is_parted(start, places[at][0])):
                return
            yield places[at]

    def _is_parted(self, start: int, end: int) -> bool:
        at = bisect_left(self.breaks, (start, 0))
        return at < len(self.breaks) and self.breaks[at][1] <= end

    def end(self, rule: int, part: int, start: int) -> int | None:
        """Return where an order ends whose words before `part` were found; None when the rest does not follow."""
        known = (rule, part, start)
        if known not in self.ends:
            self.ends[known] = self._end(rule, part, start)
        return self.ends[known]

    def _end(self, rule: int, part: int, start: int) -> int | None:
        order = ORDERS[rule]
        if part == len(order.parts):
            return start if not (order.unless_behind and order.unless_behind.match(self.text, start)) else None
        limit = start + order.within[part - 1]
        following = self.between(order.parts[part], start, limit, is_near=not order.is_in_a_sentence)
        said = (behind for at, behind in following if part != order.unless_denied or not _is_denied(self.text, at))
        return next((end for behind in said if (end := self.end(rule, part + 1, behind)) is not None), None)


def orders(text: str, scripts: frozenset[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the rule and the place of each order."""
    places = _Places(text, scripts)
    for rule, order in enumerate(ORDERS):
        for start, behind in places.of(order.parts[0]):
            end = places.end(rule, 1, behind)
            if end is not None and (order.unless_denied is not None or _is_order(text, start)):
                yield order.rule, start, end
    yield from _kept(places)


def _is_order(text: str, start: int) -> bool:
    """Say whether a verb is said to the reader, by what stands before it."""
    before = text[max(0, start - _BEFORE) : start]
    if _NOT_BEFORE.search(before):
        return False
    if text[start].isascii():
        return _ADDRESSED.search(before) is not None
    return not ("\u3400" <= text[start] <= "\u9fff" and _THIRD_HAN.search(before))


def _is_denied(text: str, start: int) -> bool:
    """Say whether something is forbidden, or told of somebody, by what stands before it in its clause."""
    before = text[max(0, start - _BEFORE) : start]
    return _DENIED.search(before) is not None or (
        "\u3400" <= text[start] <= "\u9fff" and bool(_THIRD_HAN.search(before))
    )


def _kept(places: _Places) -> Iterator[tuple[str, int, int]]:
    """Find "do not tell the user" where what is not to be told is nothing, or this; "… raw traces" is a rule."""
    for start, behind in places.of(words.NOT):
        told = next(places.between(words.TELL, behind, behind + 16), None)
        person = told and next(places.between(words.PERSON, told[1], told[1] + 40), None)
        if told and person and _is_kept(places.text, told, person):
            yield "secrecy", start, person[1]


def _is_kept(text: str, told: tuple[int, int], person: tuple[int, int]) -> bool:
    between = text[told[1] : person[0]]
    if _THIS_TO.match(between):
        return True
    if between.strip(" \"'*") not in {"", "to", "при"}:
        return False
    is_mild = _MILD.match(text, told[0]) and not _KNOW.match(text, person[1])
    return bool(_ABOUT_THIS.match(text, person[1]) or (_END.match(text, person[1]) and not is_mild))
