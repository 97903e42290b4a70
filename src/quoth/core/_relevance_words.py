"""Words of a question that say nothing about what is asked for: they are not looked for.

English, Russian and Chinese; in the folded spelling of `core.text` (lower case, е for ё, simplified characters).
"""

from __future__ import annotations

import re

_ENGLISH = """
    a about after again all also am an and any are as at be because been before being both but by can could did do does
    doing done for from get give had has have having he her here hers him his how i if in into is it its just let like
    may me might more most much my no nor not now of off on once only or other our ours out over please same say said
    shall she should so some such tell than that the their them then there these they thing things this those through to
    too us very was we were what whatever when where whether which while who whom whose why will with would you your
    yours
"""
_RUSSIAN = """
    а без бы был была были было быть в вам вас ваш ведь во вот все всех вы где да даже для до его ее если есть еще же за
    и из или им их к как какая какие какой какое ко когда кто ли либо мне мой моя мы на над надо нам нас наш не него нее
    нет ни них но ну о об обо он она они оно от очень по под при про расскажи с скажи со так также там те тем то того
    тоже той только том ты у уже чего чем что чтобы эта эти это этого этой этом этот я
"""
_CHINESE = """
    在哪里 在哪儿 在哪 为什么 什么 怎么样 怎么 怎样 如何 为何 哪个 哪些 哪里 哪儿 多少 是不是 有没有 能不能 是否 请问 请
    我们 你们 他们 咱们
    它们 这个 那个 这些 那些 这里 那里 可以 应该 因为 所以 但是 以及 或者 还是 关于 一个 一下
"""
# Single characters are words of their own only where they do not belong to a longer one.
_CHINESE_SINGLE = r"(?<!目)的(?!确)|了(?!解)|[吗呢吧啊嘛我你他她它这那]|(?<![总饱缓])和(?![平谐解])|(?<![但于总])是"

STOP = frozenset((*_ENGLISH.split(), *_RUSSIAN.split()))
FILLING = re.compile(f"{'|'.join(sorted(_CHINESE.split(), key=len, reverse=True))}|{_CHINESE_SINGLE}")
