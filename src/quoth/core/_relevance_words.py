"""Words of a question that say nothing about what is asked for: they are not looked for.

English, Russian and Chinese; in the folded spelling of `core.text` (lower case, е for ё, simplified characters).
"""

from __future__ import annotations

import re

_ENGLISH = """
    a about across after again all also am an and any are aren as ask asked aspects at be because been before being
    between both bring brought but by can cannot could couldn d did didn different discuss discussed discussing do does
    doesn doing don done during ever every few for from get give had hadn has hasn have haven having he her here hers
    him his how i if in into is isn it its just let like ll lot m many may me mention mentioned mentions might more
    most much my no nor not now of off on once only or other our ours out over please re recall related remember remind
    s said same say several shall she should shouldn since so some such t talk talked talking tell than that the their
    them then there these they thing things this those through throughout to told too until up us various ve very was
    wasn we were weren what whatever when where whether which while who whom whose why will with won would wouldn you
    your yours
"""
_RUSSIAN = """
    а без бы был была были было быть в вам вас ваш ведь во вот все всех вы где говорил говорила говорили да даже для до
    друг другая другие других другое другой его ее если есть еще же за зачем и из или им именно их к каждая каждый как
    какая какие каким какими каких каков какова каково каковы какого какое какой каком какому какую кем ко когда кого
    кому которая которого которое которой котором которому которую которые который которыми которых кто куда ли либо
    мне мог могла могли могут может можно мой моя мы на над надо нам напомни нас наш не него нее нет ни них но ну нужно
    о об обо обычно один одна одним одно он она они оно от откуда очень по под почему при про расскажи с свое своего
    своей свои своим своими своих свой свою своя себе себя скажи сколько со собой так также там те тем то того тоже той
    только том ты у уже чего чей чем что чтобы чье чьи чьим чья эта эти это этого этой этом этот я является являлся
    являются
"""
_CHINESE = """
    在哪里 在哪儿 在哪 为什么 什么 怎么样 怎么 怎样 如何 为何 哪个 哪些 哪里 哪儿 多少 是不是 有没有 能不能 是否 请问 请
    我们 你们 他们 咱们
    它们 这个 那个 这些 那些 这里 那里 可以 应该 因为 所以 但是 以及 或者 还是 关于 一个 一下
"""
# Single characters are words of their own only where they do not belong to a longer one.
_CHINESE_SINGLE = r"(?<!目)的(?!确)|了(?!解)|[吗呢吧啊嘛我你他她它这那]|(?<![总饱缓])和(?![平谐解])|(?<![但于总])是"

# "throughout our conversations" says where to look: everywhere.
_EVERYWHERE = (
    r"\b(?:across|during|from|in|throughout) (?:(?:all|of|our|my|past|previous|these) )+"
    r"(?:chat|conversation|session)s?\b"
)

STOP = frozenset((*_ENGLISH.split(), *_RUSSIAN.split()))
FILLING = re.compile("|".join((*sorted(_CHINESE.split(), key=len, reverse=True), _CHINESE_SINGLE, _EVERYWHERE)))
