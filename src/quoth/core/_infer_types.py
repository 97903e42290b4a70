"""Which built-in type a statement is of, by the words of it; the type tells the kind."""

# ruff: noqa: E501 - a form stands on one line, so that it can be read and searched

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from quoth.core._forms import Form
from quoth.core._infer_words import words
from quoth.core.ledger.values import EntryKind

KINDS: Final[Mapping[str, EntryKind]] = {
    **dict.fromkeys(("decision", "event", "handoff", "case", "trajectory", "note"), EntryKind.MEMORY),
    **dict.fromkeys(("fact", "constraint", "entity", "tool", "lesson", "experience"), EntryKind.KNOWLEDGE),
    **dict.fromkeys(("preference", "rule", "skill", "profile", "identity", "soul"), EntryKind.COGNITION),
}

# The first that is found tells the type.
EXPLICIT: Final[Sequence[tuple[str, Form]]] = (
    (
        "handoff",
        words(
            r"""^hand-?over|^handoff|^hand-off|next steps?:|next up:|remaining:|left to do|still to do|still open:|to be continued|where we stopped|stopped at|done so far|status:|in progress:|^todo|wip:|next session|continue with|pick up from""",
            r"""^передача|следующие шаги|следующий шаг|осталось|дальше:|что дальше|остановились на|остановился на|сделано:|не доделано|незакончен~|в следующей сессии|продолжить с""",
            "^交接|下一步|后续步骤|剩余|待办|还剩|停在|目前完成|进度:|尚未完成|下次继续|下个会话|接下来要",
        ),
    ),
    (
        "lesson",
        words(
            r"""lesson|lessons|next time|in hindsight|learned that|learnt that|takeaway|we should have|the hard way|pitfall|gotcha""",
            r"""урок|в следующий раз|вывод:|на будущее|задним числом|надо было|стоило бы|грабли|извлекли|извлекл~""",
            "教训|下次|经验是|吸取|事后看|踩坑|踩过坑|坑点|踩过的坑",
        ),
    ),
    (
        "preference",
        words(
            r"""prefers?|preferred|preference|likes|(?:i|we|they|users?) (?:really |also )?like|(?:do not|don't|doesn't|does not|didn't|did not) (?:really )?(?:like|want|enjoy|care)|would like|dislikes?|hates?|enjoys?|loves?|favou?rs|(?:user|she|he|i|they)(?: [a-z]+ly| does not| doesn't| do not| don't| also| always)? wants?|would rather|i'd rather|fond of|(?:user|he|she|i) finds?|doesn't like|does not like|(?:style|format|tone|language) of (?:the )?(?:answers|replies|commits|reviews)|(?:answer|reply|response) (?:style|format|language|tone)|favou?rite|is happy with|can't stand|(?:is not|isn't|not|never been|am not) (?:(?:a|much of a|a big) )?(?:fan|keen)|(?:big )?fan of|to (?:like|dislike|prefer|hate|enjoy)|would (?:(?:[a-z]+ly|also) )?(?:rather|prefer|like)|appreciates?|asked for (?:short|brief|concise|answers)|wants (?:answers|replies|short|commit|explanations|the|to|code|diffs|tests|no|a)|cares (?:about|more)""",
            r"""предпочита~|(?:стиль|язык|тон|формат) (?:ответов|общения|кода)|предпочтени~|нравится|нравятся|любит|люблю|любим|не любит|не люблю|хочет|хочу|терпеть не может|ненавидит|по душе|удобнее|ценит|раздражает|раздражают|больше нравится|просит|пользователя (?:не )?(?:волну|интересу|раздража|устраива)~|пользователю (?:не )?(?:нужн|важн|удобн|достаточно)~|привык~|предпочт[а-я]{2,4}|предпочел[а-я]?|захочет|захотят|захочу|не любител[а-я]{1,2}|(?:не )?сторонни[а-я]{1,3}|поклонни[а-я]{1,3}|не в восторге|предпочтительн~|любим[а-я]{2} """,
            "(?:回复|回答)(?:风格|语言|格式)|偏好|喜欢|不喜欢|不想|想先|想看|多半想|不希望|不愿|讨厌|更愿意|希望|倾向于|习惯|爱用|偏爱|想要|宁愿|更喜欢|青睐|反感|中意|不爱|看重|在意|注重",
        ),
    ),
    (
        "identity",
        words(
            r"""(?:the |your |this )?(?:agent|assistant|bot) is (?:called|named|there|known)|your name is|you are called|call yourself|my name for you|the (?:agent|assistant)'s name|(?:the )?(?:agent|assistant) (?:acts as|serves as|plays)|you are (?:a|an|the|my) (?:reviewer|assistant|pair|coding|careful|senior|release|research)""",
            r"""тебя зовут|(?:агента|ассистента|помощника) зовут|твое имя|имя (?:агента|ассистента|помощника)|(?:агент|ассистент|помощник) (?:[-—–] это|называется|отвечает за)|ты (?:[-—–] )?(?:ревьюер|помощник|ассистент|напарник)""",
            "你叫|助手叫|助手的名字|代理的名字|你的名字|智能体叫|你是(?:我的|一个|一名|本)|助手的(?:职责|角色)|给助手(?:起|取)",
        ),
    ),
    (
        "profile",
        words(
            r"""^(?:works|explains|speaks|knows|lives|answers|thinks|cares|studies|expects|types|values|reads|maintains|comes) (?:mostly|things|best|in|at|from|with|german|english|french|spanish|rust|python|correctness|speed|clarity|about|that|fluent|every|only|remotely|well|how)|(?:the )?(?:goal|aim|objective|ambition|mission|priority)s? (?:of|for|this) (?:(?:this|the|our|next|coming) )?(?:quarter|year|month|sprint|team|half|week)|our (?:goal|aim|objective|ambition|top priority)|(?:user|he|she) (?:isn't|is not|was never|has never|does not know|doesn't know|can't|cannot)|(?:he|she|the user|the lead|the team lead) (?:[a-z]+ly )?(?:plans|intends|aims|hopes) to|(?:the )?user is (?:a|an|based|from|new|fluent|learning|the|responsible|located|in|on|colou?r|vegetarian|blind|left|working)|i am (?:a|an|the|new|based|learning)|i'm (?:a|an|the|new|based|learning)|(?:user|i) (?:works? (?:as|at|on|from|in|with)|lives? in|speaks?|studies|study|knows?|leads?|maintains?|has (?:built|worked|used|written|led|taught|\d+|ten|five|two|three|many|a|little|no|been)|have (?:\d+|ten|a|little|no|been)|teaches|manages?|owns|aims?|is learning|comes from|reads?|types?)|user's (?:name|job|role|team|background|goal|time zone|timezone|native|main|editor|keyboard|company|title|employer|native)|my (?:name is|job|role|background|time zone|timezone|native|goal|team|title)|goal of the user|years of experience|native speaker""",
            r"""^(?:работает|отвечает|живет|читает|говорит|думает|пишет|общается) (?:в основном|по|из|ночью|удаленно|с \d|утром|вечером|обычно|на русском|кратко)|^я [а-я-]{0,20}(?:ер|ист|чик|ор|тель|ник|ик|лог|дент|аналитик|тимлид|девопс)(?![а-я])|пользователь (?:[-—–] |работает|живет|говорит|знает|изучает|учит|отвечает|ведет|руководит|владеет|новичок|родом|плохо знает|хорошо знает|пишет|преподает|занимается|возглавляет|учится)|я (?:[-—–] |работаю|живу|говорю|изучаю|учу|отвечаю|веду|руковожу|новичок|знаю|пишу|преподаю|занимаюсь)|меня зовут|пользователя зовут|имя пользователя|часовой пояс пользователя|цел[ьи] (?:года|квартала|команды|месяца|спринта|полугодия|на (?:год|квартал|месяц|эт|следующ)[а-я]{0,3})|наш[аи] (?:цел[ьи]|приоритет[а-я]?)|пользователь не (?:знаком|разбирается|владеет|умеет|знает|работал|пишет)|(?:он|она|пользователь|тимлид) (?:[а-я, ]{0,20} )?(?:собирается|намерен|планирует)|цель пользователя|родной язык|лет опыта|опыт пользователя|роль пользователя|моя (?:роль|цель)|мой (?:часовой|родной|опыт)|у пользователя (?:\w+ )?(?:лет|опыт|дальтонизм|мало|много|нет опыта)""",
            "用户(?:一般|通常|平时|经常)|用户(?:是(?!否)|住在|来自|精通|熟悉|擅长|在.{1,12}工作|从事|负责|会说|正在学|有.{1,4}年|的(?:职业|时区|目标|母语|角色|姓名|名字|背景|团队|主要|工作))|我(?:是一|住在|来自|在.{1,16}(?:工作|做|当|任)|从事|负责|精通|熟悉|擅长)|我的(?:职业|时区|目标|母语|角色|名字|背景)|(?:我们|团队|今年|本季度|这个季度|本月|年度)[^,。]{0,8}的?(?:目标|愿景)(?:是|:)|(?:他|她|用户|组长|负责人)[^,。]{0,6}打算|用户(?:不太|并不|不)(?:懂|会(?=写|用)|了解|擅长)|年经验|不熟悉|初学者|刚入门",
        ),
    ),
    (
        "soul",
        words(
            r"""be (?:honest|kind|humble|concise|direct|friendly|polite|candid|modest|patient|curious|helpful|truthful|calm|respectful)|admit (?:when|what|mistakes|uncertainty)|never (?:lie|pretend|flatter|invent|make up|fabricate)|tone (?:is|of)|say (?:so )?when you (?:do not|don't) know|stay (?:calm|neutral|polite|honest)|value (?:honesty|correctness|clarity)|values? honesty""",
            r"""будь (?:честн~|вежлив~|краток|кратк~|добр~|дружелюбн~|скромн~|прям~|терпелив~|точн~)|никогда не (?:ври|лги|выдумывай|льсти|придумывай)|не (?:выдумывай|льсти|ври|придумывай)|признавай|тон (?:общения|ответов)|сохраняй спокойстви~|честность""",
            "(?:要|保持|做到)(?:诚实|友善|谦逊|礼貌|坦率|耐心|真诚|中立|冷静)|不要(?:编造|撒谎|奉承|捏造|敷衍)|绝不(?:编造|撒谎|捏造)|承认(?:错误|不知道|不确定)|语气|诚实",
        ),
    ),
    (
        "decision",
        words(
            r"""decided|decide to|decision:|decision was|made the decision|chose|chosen (?:over|because|for)|we picked|picked|opted|went with|settled on|agreed|voted|ruled out|rejected (?:the|using|it)|adopted|gave up on|resolved to|we are going with|going with|ruled that|it was ruled|outcome of the (?:meeting|discussion|retro)|consensus was|concluded|(?:was|were) selected|selected .{1,40} over""",
            r"""решил~|решено|решение:|выбрал~|остановили~ на|договорил~|согласовал~|отказали~ от|отказался от|проголосовал~|приняли решение|предпочли|принято решение|утвердил~|условил~|постановил~|порешили|сошлись на|(?:итог|итоги|результат) (?:[а-я]+ )?(?:встречи|обсуждения|совещания|собрания|ретро)""",
            "决定|选择了|选用了|选定|敲定|商定|达成一致|拍板|放弃了|采纳了|否决了|一致同意|定下来|改用了|最终选|最终采用|确定采用|议定|约定|说好了|说定了|结论是|我们规定|达成共识|商量好",
        ),
    ),
)
CASE: Final = words(
    r"""fixed|solved|resolved|the fix|root cause|turned out|worked around|workaround was|repaired|was caused by|patched|helped|the cause was|traced|bisected|cured|debugged""",
    r"""исправил~|исправлен~|починил~|решилось|причина оказал~|оказалось|причиной|устранил~|помогл[оаи]|из-за|вылечил~|обошли|причина была""",
    "修复了|解决了|已修复|已解决|原因是|根因|最后发现|修好|排查|定位到|导致|才恢复|修正了",
)
TRAJECTORY: Final = words(
    r"first (?:we |i )?tried.{1,200}then|tried .{1,120}(?:then|after that|finally|before)|attempts?:|step 1 .{1,80}step 2",
    r"сначала (?:попробовал~|пробовал~).{1,200}(?:потом|затем)|сперва .{1,120}затем",
    "先(?:尝试|试)了.{1,80}(?:然后|再|接着|后来|最后)|起初.{1,60}后来",
)
SKILL: Final = words(
    r"""how to|to (?:release|deploy|debug|reproduce|add|build|run|create|set up|test|upgrade|migrate|publish|review|roll back|reset|profile|rotate|onboard|regenerate|update|cut|bisect|write|fix|restore|diagnose|investigate|refactor)[^.:;]{0,60}(?:,|:)|steps:|step by step|first .{1,80}(?:then|and then|after that|finally)|workflow:|recipe:|procedure:|approach:|method:|start by|begin by|before .{1,60}, first""",
    r"""как (?:выпустить|собрать|добавить|отладить|развернуть|обновить|откатить|настроить|запустить|воспроизвести)|чтобы (?:выпустить|собрать|добавить|отладить|развернуть|обновить|откатить|настроить|запустить|воспроизвести|проверить|создать|перегенерировать|сбросить|восстановить|найти|перенести|опубликовать|сменить|исправить)|сначала .{1,100}(?:потом|затем|после)|шаги:|порядок:|пошагово|инструкция:|метод:|способ:""",
    "步骤|如何|先.{1,40}(?:再|然后|接着|最后)|流程(?:是|:)|方法(?:是|:)|做法(?:是|:)|首先.{1,60}(?:然后|其次|再|最后)|第一步",
)
TOOL: Final = words(
    r"""the (?:command|flag|option|script|cli|tool|linter|compiler)|`[^`]{1,60}` (?:prints|runs|returns|needs|fails|accepts|writes|reads|takes|builds|starts|lists|formats|hangs|exits|expects)|(?:make|npm|cargo|docker|git|pytest|kubectl|terraform|pnpm|uv) [a-z-]{2,20} (?:prints|runs|returns|needs|fails|accepts|writes|reads|takes|builds|starts|lists|formats|hangs|exits|expects)""",
    r"команда|утилита|скрипт|флаг|опция|`[^`]{1,60}` (?:запускает|печатает|выводит|собирает|требует|принимает|падает|читает|пишет)",
    "命令|脚本|选项|参数|`[^`]{1,60}`",
)
EXPERIENCE: Final = words(
    r"usually (?:works|helps|means|fails|is)|tends? to|in our experience|in most cases|works best|pays off|often (?:means|helps|is)|as a rule of thumb|rule of thumb",
    r"обычно (?:помогает|работает|значит|означает)|по опыту|по нашему опыту|как правило|чаще всего|лучше всего работает|часто (?:помогает|означает)",
    "通常(?:意味|有效|可以|能)|经验(?:上|表明)|往往|一般(?:来说|情况)|多数情况|效果最好|根据经验",
)
ENTITY: Final = words(
    r"is (?:the|a|an|our) (?:owner|maintainer|service|team|person|project|repository|library|customer|vendor|product|company|lead|manager|designer|microservice|contact|tool|package|module|internal)",
    r"[-—–] (?:это )?(?:сервис|команда|проект|библиотека|владелец|репозиторий|заказчик|руководитель|дизайнер|микросервис|пакет|модуль|поставщик|контакт)",
    "是(?:一个|我们的|该|本)?(?:[^，。,]{0,8})(?:服务|团队|项目|库|负责人|仓库|客户|供应商|产品|公司|维护者|模块|组件)$",
)
# A person as the subject: what is left when nothing else tells what a sentence is.
PERSON: Final = Form(
    r"(?:the user (?:[a-z]+ly )?[a-z]{2,14}s\b|пользователь (?:[а-я]+ ){0,3}[а-я]{2,14}(?:ет|ит|ется|ится)\b"
    r"|用户(?!数据|名|信息|密码|表|界面|编号|会话|可以|必须|不能|登录|点击|输入|打开|上传|提交|注册|退出|注销|选择|反馈|访问|下单))"
)
# Who has to keep a "must": an agent or a person, by what there is to do; otherwise it is a limit of the thing.
ACTOR: Final = words(
    r"""you|agents?(?! (?:process|service|container|binary|memory|log|config|tool))|assistants?|we|i|everyone|everybody|developers?|reviewers?|contributors?|the team|anyone|nobody|no one|people|authors?|engineers?|claude|codex
    users?(?! (?:data|names?|ids?|passwords?|records?|sessions?|input|interface|accounts?|e-?mails?|uploads?|files?|table|tokens?|content|agents?))|maintainers?|members|colleagues|who""",
    r"""ты|вы|мы|я|агент|агенты|агентам|ассистент[а-я]{0,3}|разработчик[а-я]{0,3}|ревьюер[а-я]{0,3}|никто|команда|участник[а-я]{0,3}|автор[а-я]{0,3}|инженер[а-я]{0,3}|все(?= (?:должны|обязаны))|сотрудник[а-я]{0,3}""",
    "你|您|我们|大家|所有人|开发者|代理(?!服务器|进程|服务|程序)|助手|任何人|团队|每个人|评审|作者|工程师|智能体|用户(?!数据|名|信息|密码|表|界面|编号|会话|画像|的数据)|成员|谁|人人",
)
# What is done by whoever works here.
WORK: Final = words(
    r"""commits?|commit messages?|committed|pull requests?|prs?|merge[sd]?|branch(?:es)?|review(?:s|ed)?|migrations?|tests?|changelog|tickets?|docs|documentation|documented|code|functions?|imports?|deploy(?:s|ed|ments?)?|releases?|dependenc(?:y|ies)|comments?|hotfix(?:es)?|schema changes?|credentials|bug ?fix(?:es)?|refactor(?:ing|ings)?|variables?|lint(?:er)?|repositor(?:y|ies)|by hand|manually|folders?|(?:every|all|each) new|new (?:tables?|endpoints?|modules?|files?|features?)|names?|named|class(?:es)?|changes|issues?|scripts?|secrets? (?:must|should|never)|asking|approval|sign-off""",
    r"""коммит[а-я]{0,3}|ветк[а-я]{1,3}|ветвь|ревью|миграци[а-я]{1,3}|тест[а-я]{0,3}|релиз[а-я]{0,3}|задач[а-я]{0,3}|документаци[а-я]{1,2}|код[а-я]{0,2}|функци[а-я]{1,2}|зависимост[а-я]{1,3}|депло[а-я]{1,3}|слияни[а-я]{1,2}|комментари[а-я]{1,3}|выкат[а-я]{1,4}|изменени[а-я]{1,3}|переменн[а-я]{2,3}|запрос[а-я]{0,2} на слияние|пулл?-?реквест[а-я]{0,3}|мерж[а-я]{0,4}|пуш[а-я]{0,4}|правк[а-я]{1,3}|согласов[а-я]{2,8}|секрет[а-я]{0,2}|линтер[а-я]{0,2}|репозитори[а-я]{1,2}|вручную|руками|папк[а-я]{1,2}|нов[а-я]{2,3}|скрипт[а-я]{0,2}|моки|моков""",
    "回答[里中]|回复[里中]|答复[里中]|提交|合并|分支|评审|迁移|测试|发布|部署|文档|代码|函数|(?:添加|新增|升级|安装|引入|更新)[^,。]{0,6}依赖|依赖(?:版本|包|项)|工单|注释|命名|变量|脚本|重命名|重构|推送|审查|改动|修改|询问|批准|仓库|手工|手动|目录|新(?:表|接口|模块|文件|功能|字段)|每[张个]新|写进|写入文档|变基|回滚",
)
# What only a thing does: a "must" before it is a limit of the thing, whatever it is about.
OF_THINGS: Final = Form(
    r"(?:must|should|shall|may|can)(?: not| never|not)? (?:lock|block|exceed|fit|survive|overwhelm|outlive|take (?:longer|more)|be (?:idempotent|unique|atomic|monotonic|immutable))\b"
    r"|(?:обязан[аоы]?|долж[а-я]{2,3}|не должн?[а-я]{1,2}) (?:[а-я]+ )?(?:поддерживать|совпадать|выполняться|помещаться|умещаться|храниться|содержать|укладываться|завершаться|выдерживать|занимать|превышать|блокировать|пересекаться|повторяться|возвращать|отвечать за|быть (?:уникальн|идемпотентн|атомарн)[а-я]{1,3})"
    r"|(?:必须|都得|一定要|应该|不得|不能)(?:有|是(?!否)|带|支持|唯一|幂等|锁|阻塞|超过|保持一致|能)"
)
# Said to somebody, whatever the sentence is about.
TO_SOMEBODY: Final = words(
    "do not|don't|dont|make sure|be sure to|avoid",
    "надо|нужно|следует|никогда не|избегай~|не вздумай",
    "不要|别|勿|请勿|切勿|(?<!服)务必|一律|都要先|就要|就得|都得|记得|先",
)
