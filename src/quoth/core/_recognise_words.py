"""The words of the rules of recognition, by what they do in an order; English, Russian, Chinese."""

# ruff: noqa: E501 - a form stands on one line, so that it can be read and searched

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from quoth.core._forms import Form

SCRIPTS: Final = {"latin": "[a-z.\\d]", "cyrillic": "[а-я]", "han": "[\u3400-\u9fff]"}
# A space or a tilde outside of a class of characters.
_SIGN: Final = re.compile(r"(\[(?:\\.|[^\]\\])*\])| \?| |~")
_SIGNS: Final = {" ": r"[\W_]{1,8}", " ?": r"[\W_]{0,8}", "~": "[а-яa-z]{0,8}"}
_BRANCHES: Final = {
    "latin": "(?<![a-z0-9_])(?=[!-~])(?:{})(?![a-z0-9_])",
    "cyrillic": "(?<![а-я])(?=[!-~а-я])(?:{})(?![а-я])",
    "han": "(?=[!-~\u3400-\u9fff])(?:{})",
}


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """A class of words: alternatives by script, in which a space stands for whatever is between two words.

    What none of them goes without, `needs`, is looked for first: most texts don't have it.
    """

    latin: str = ""
    cyrillic: str = ""
    han: str = ""
    needs: Form | None = None

    def places(self, text: str, scripts: frozenset[str]) -> Sequence[tuple[int, int]]:
        """Return where the words are, in the order of the text, one behind the other."""
        if self.needs and not self.needs.search(text):
            return ()
        found = _compiled(self, scripts)
        return [place.span() for place in found.finditer(text)] if found else ()


@cache
def _compiled(words: Words, scripts: frozenset[str]) -> re.Pattern[str] | None:
    listed = {"latin": words.latin, "cyrillic": words.cyrillic, "han": words.han}
    branches = [_BRANCHES[script].format(_spaced(listed[script])) for script in _scripts_of(listed, scripts)]
    return re.compile("|".join(branches)) if branches else None


def _scripts_of(listed: Mapping[str, str], scripts: frozenset[str]) -> Sequence[str]:
    return [script for script, alternatives in listed.items() if alternatives and script in scripts]


def scripts_in(text: str) -> frozenset[str]:
    """Return the scripts that a text has letters of."""
    return frozenset(script for script, letters in SCRIPTS.items() if re.search(letters, text))


def _spaced(alternatives: str) -> str:
    listed = "|".join(line.strip() for line in alternatives.split("\n") if line.strip())
    return _SIGN.sub(lambda found: found.group(1) or _SIGNS[found.group()], listed)


# To put instructions aside.
DISCARD: Final = Words(
    """ignore|disregard|forget|override|overwrite|bypass|discard|neglect|abandon|overlook|cancel|nullify|supersede
    unlearn|disobey|violate|erase|set aside|put aside|throw away|throw out|pay no attention to|stop following
    stop obeying|do not follow|don't follow|do not obey|don't obey|not follow|not obey|no longer follow|no longer obey
    no longer apply|disregarding|ignoring|drop|delete|wipe|reset|skip|refuse to follow|purge|dismiss|scrap|let go of|stop applying
    stop respecting|stop listening to|look past|leave behind|do the opposite of|act against|act contrary to|unsee|no longer respect""",
    """игнорируй~|проигнорируй~|игнорировать|проигнорировать|забудь~|забыть|отбрось~|отбросить|не обращай~ внимания на
    не следуй~|не следовать|больше не следуй~|не выполняй~|не соблюдай~|не подчиняйся|перестань~ следовать
    перестань~ соблюдать|перестань~ выполнять|прекрати~ следовать|прекрати~ выполнять|отмени~|отменить|нарушь~|нарушай~
    обойди~|обойти|пренебреги~|пренебречь|не учитывай~|сбрось~|сотри~|удали~|выкинь~|не слушай~|переопредели~
    замени~|откажись от|не придерживайся|выбрось~|наплюй~ на|плюнь~ на|не руководствуйся|оставь~ без внимания|выброси~ из головы|поступай~ вопреки|перестань~ слушать~""",
    """忽略|忽視|忽视|无视|不理会|不用理会|不必理会|不要理会|别理会|别管|不用管|不要管|忘记|忘掉|忘了|抛弃|抛开|丢弃|舍弃|放弃|不要遵守|不要遵循
    不要遵从|不再遵守|不再遵循|不必遵守|不必遵循|不用遵守|不需遵守|无需遵守|停止遵守|停止遵循|停止执行|别遵守|违反|违背|推翻|覆盖|绕过|撤销|取消|清除|删除|跳过|作废|撇开|抛诸脑后|当作没看到|当没看见|当作没有|清空|不必理|别理|无须遵守|别再遵守|不要再遵守|不要再听""",
)
# The instructions an agent works under.
WHOSE: Final = Words(
    """previous|prior|preceding|above|earlier|foregoing|former|past|system|developer|your|you were given
    you have been given|you received|you were told|original instructions|initial instructions|existing instructions""",
    """предыдущ~|прежни~|прошлы~|раннее|ранее|выше~|вышеуказанн~|вышестоящ~|системн~|системы|разработчик~|сво[а-я]{1,3}
    тво[а-я]{1,3}|ваш~|исходн~|первоначальн~|изначальн~|данные тебе|данных тебе|предшествующ~|полученн~""",
    "之前|以前|先前|上面|以上|上述|前面|此前|早先|原先|原有|原来|最初|初始|系统|开发者|你的|您的|你收到|你被|给你|先头",
)
INSTRUCTIONS: Final = Words(
    r"""instruction|instructions|prompt|prompts|directive|directives|guideline|guidelines|guidance|directions|programming|training
    (?<=system\s)messages?|(?<=developer\s)messages?""",
    "инструкци~|указани~|промпт~|промт~|подсказ~|директив~|наставлени~|предписани~|установ[а-я]{1,4}|приказ~",
    "指令|指示|提示词|提示语|(?<=系统)提示(?!音|框|文案|信息|符|栏|窗)|(?<=系统)消息(?!日志|队列|表|格式)|设定|准则|指引|命令|吩咐|嘱咐",
)
# What is ignored every day; only all of it together is what an agent works under.
RULES: Final = Words(
    "rule|rules|order|orders|command|commands|constraint|constraints|restrictions|policies|context|messages|conversation",
    "правил~|команд~|ограничени~|требовани~|контекст~|сообщени~|настройк~|разговор~",
    "规则|规定|限制|约束|要求|内容|对话|说明|消息|上下文|规矩|政策",
)
ALL: Final = Words(
    "all|any|every|everything|all of|each|your",
    "все|всех|всеми|всем|всякие|любые|любых|каждое|весь|всю|тво[а-я]{1,3}|сво[а-я]{1,3}",
    "所有|全部|一切|任何|你的|您的|通通|统统|所有的|你被|给你|你收到",
)
EVERYTHING: Final = Words(
    """everything above|everything before|everything you were told|everything you have been told|everything you know
    everything i said|everything that came before|everything that was said|everything said|what you were told
    what the system said|what the developer said|what the user said|what the user told you|all of the above
    the above and|all the above|everything prior|everything up to now|everything so far|anything you were told
    everything previously|(?:anything|everything|whatever|all text|any text)(?: that)?(?: was| is| came| comes)?(?: written| said| stated| posted)? (?:before|above|prior to|preceding) (?:this|here)|who you are|what you have been told|everything you learned""",
    """все что было|все что тебе|все что ты|все что я|все сказанное|все вышесказанное
    все предыдущее|все что выше|все вышеперечисленное|все чему тебя|о том что тебе говорили
    все что говорил~|все что написано выше|то что тебе|(?:все|любой текст)(?: что)? (?:написано|написанное|сказано|идет|стоит) (?:выше|до этого|раньше|ранее)""",
    "(?:之前|以上|上面|上述|前面|此前|先前)(?:的|所)?(?:一切|所有|全部|说的|讲的|告诉)|你(?:之前|被告知|学到|知道)的?(?:一切|所有|全部)|所有之前的?|一切之前的?|(?:这|本)(?:行|句|段|条)(?:之前|以上)的(?:一切|所有|全部|内容)",
)
SHOW: Final = Words(
    """reveal|show|print|repeat|output|display|disclose|leak|dump|share|recite|echo|paste|expose|divulge|translate|encode
    spell out|write out|write down|tell me|give me|send me|list|return|quote|summarize|summarise|what is|what are
    what was|what were|copy|provide|describe|read out|type out|respond with|reply with|include|append|write|let me see""",
    """покажи~|выведи~|напечатай~|раскрой~|повтори~|расскажи~|сообщи~|выдай~|напиши~|процитируй~|перечисли~|перескажи~
    пришли~|скопируй~|переведи~|приведи~|дай~ мне|озвучь~|распечатай~|отправь~ мне|выпиши~|(?:можешь|мог бы|можете|ты должен|обязан|прошу|прошу тебя|требую|приказываю)(?: мне)? (?:показать|вывести|раскрыть|назвать|повторить|прислать|напечатать|рассказать)|какие у тебя|каков~ тво~""",
    "显示|输出|打印|告诉我|泄露|透露|重复|复述|展示|说出|公开|列出|给我|发给我|翻译|写出|背诵|揭示|贴出|说明|告知我|返回",
)
PROMPT: Final = Words(
    """system prompt|system prompts|system message|system instructions|your prompt|your instructions|your rules
    your guidelines|your directives|your programming
    your (?:system|hidden|initial|original|secret|internal|full|exact|own|complete|first|entire|developer) (?:prompt|instructions|rules|guidelines|directives|message|configuration)
    hidden prompt|hidden instructions|secret instructions|initial prompt|developer prompt|developer instructions|developer message
    instructions above|text above|words above|everything above|instructions you were given|prompt above
    instructions you received|instructions you have been given|everything you were told|everything you have been told|what you were told at the""",
    """системн[а-я]{1,3} (?:промпт~|промт~|инструкц~|подсказ~|сообщени~|указани~)
    (?:скрыт|тайн|секретн|внутренн|начальн|исходн|первоначальн)[а-я]{1,3} (?:промпт~|инструкц~|указани~|подсказ~)
    (?:тво|сво|ваш)[а-я]{0,3} (?:промпт~|инструкц~|указани~|директив~)
    (?:тво|сво|ваш)[а-я]{0,3} [а-я]{3,18} (?:промпт~|инструкц~|указани~|директив~)
    инструкци~ разработчик~|сообщени[а-я]{1,2} разработчик~|промпт~|текст выше|все что выше|инструкции которые тебе|все что тебе (?:сказали|говорили|дали|велели|написали)""",
    """系统提示|系统prompt|系统指令|系统消息|系统设定|隐藏(?:的)?(?:提示|指令)|初始(?:的)?(?:提示|指令)|内部(?:的)?(?:提示|指令)|开发者(?:的)?(?:提示|指令|消息)
    你(?:的|收到的|被给的)(?:[^，。,.]{0,6})(?:提示|指令|设定|prompt)|上面的(?:所有)?(?:文字|内容|指令)|以上(?:的)?(?:全部|所有)?(?:文字|内容|指令)""",
)
# What must not leave: files and values that open something.
SECRET: Final = Words(
    r"""contents? of|contents|\.env[a-z.]{0,12}|id_rsa|id_ed25519|ssh keys?|private keys?|api keys?|credentials?
    environment variables?|env vars|env variables|passwords?|secrets?|access tokens?|auth tokens?|tokens?|cookies
    aws keys?|\.netrc|\.ssh|\.aws|\.npmrc|keychain|conversation|conversations|chat history|chat logs?|session logs?
    source code|user's files|repository|database dump|memory store|memories|history|clipboard|\/etc\/passwd|files?""",
    """содержимое|содержание|ключ[а-я]{0,3}|парол[а-я]{1,3}|токен[а-я]{0,3}|секрет[а-я]{0,3}|переменн[а-я]{2} окружения|переменн[а-я]{2} среды
    учетн[а-я]{2} данн[а-я]{2}|переписк[а-я]|истори[а-я]{1,2}|исходн[а-я]{2,3} код[а-я]{0,2}|файл[а-я]{0,3}|дамп|логи|память|куки""",
    r"内容|密钥|私钥|公钥|密码|口令|凭证|凭据|令牌|环境变量|聊天记录|对话|源代码|源码|会话|历史|\.env|id_rsa|token|api[\W_]{0,3}key|文件|数据|记忆|配置",
)
SEND: Final = Words(
    """send|post|upload|exfiltrate|email|e-mail|mail|forward|transmit|leak|push|submit|report|share|publish|curl|copy
    encode|append|paste|deliver|smuggle|ship|put|relay|include|write|add""",
    """отправь~|отправить|отправляй~|пошли~|послать|вышли~|перешли~|загрузи~|выложи~|передай~|передавай~|скопируй~|выгружай~|загружай~|пересылай~|отсылай~|посылай~|копируй~|сливай~|публикуй~|вставь~|вставляй~|выкладывай~
    опубликуй~|залей~|слей~|закодируй~|добавь~|скинь~|выгрузи~""",
    "发送|发到|发给|发往|上传|提交|转发|邮寄|传到|传给|传送|泄露|post|寄到|推送|外传|贴到|贴在|写到|写进|粘贴到|发布到|发表到|发布在|告诉我|抄送|同步到|复制到",
)
WHERE: Final = Words(
    r"""https?:\/\/[^\s]{3,80}|[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{2,40}|ftp:\/\/[^\s]{3,80}|webhook|my server|remote server
    external server|attacker|attacker's|pastebin|this address|this url|this endpoint|following address|following url
    following server|following email|external url|external host|public gist|public channel|outside server|our collector
    \d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}[:\d]{0,6}|third party|dns query|image url|query string|url parameter|(?:your|the)(?: next)? commit message|issue comment|pull request description|your next (?:answer|reply|commit)""",
    """(?:мой|мою|внешн~|удаленн~|сторонн~|чуж[а-я]{1,2}|этот|указанн~|следующ~) (?:сервер~|адрес~|почт~|хост~|ящик|канал)
    (?:по|на) (?:этому |этот |следующ[а-я]{2,3} |указанн[а-я]{2,3} )?адрес[а-я]{0,2}
    вебхук|по ссылке|по этой ссылке|злоумышленник~|на почту""",
    "我的(?:服务器|邮箱|地址)|外部|攻击者|远程服务器|以下(?:地址|网址|邮箱|服务器)|这个(?:地址|网址|邮箱|服务器|链接)|该(?:地址|网址)|第三方|下面的(?:地址|网址|邮箱)|境外|webhook",
)
# Whose it is: what makes sending a secret an order to exfiltrate rather than the work of a program.
OWN: Final = Words(
    "all|any|every|the user's|user's|users'|your|my|entire|whole|full|contents of",
    "содержимое|все|всю|весь|всех|пользовател[а-я]{1,3}|сво[а-я]{1,3}|закрыт[а-я]{2,3}|приватн[а-я]{2,3}",
    "所有|全部|用户的|用户|你的|完整",
)
# What no program sends anywhere by itself.
SENSITIVE: Final = Words(
    r"""\.env[a-z.]{0,12}|id_rsa|id_ed25519|\.ssh|\.aws|\.netrc|\.npmrc|\/etc\/passwd|environment variables?|env vars|private keys?
    chat history|this conversation|the conversation|conversation history|session logs?|ssh keys?|keychain|user's credentials|your credentials|all credentials
    aws credentials|api keys|session cookies|password database|user's files|your memory|your memories""",
    r"переменн[а-я]{2} (?:окружения|среды)|переписк[а-я]|истори[а-я]{1,2} (?:чата|разговора|переписки|сообщений)|ключи|ключами|парол[а-я]{1,3}|учетн[а-я]{2} данн[а-я]{2}",
    r"\.env|id_rsa|\.ssh|\.aws|环境变量|聊天记录|对话(?:记录|历史|内容)|私钥|密钥|凭证|api[\W_]{0,3}key",
)
TAKE: Final = Words(
    "read|grab|collect|take|open|find|gather|dump|extract|get|copy|locate|cat|steal|fetch",
    "прочитай~|прочти~|собери~|возьми~|открой~|найди~|скопируй~|извлеки~|достань~|укради~",
    "读取|收集|获取|拿到|打开|找到|提取|复制|窃取|读出",
)
# To keep something from the person.
TELL: Final = Words(
    "tell|telling|inform|informing|let|mention|mentioning|reveal|disclose|alert|warn|notify|show|say|report|explain|expose",
    "говори~|говорить|сообщай~|сообщать|рассказывай~|рассказывать|показывай~|раскрывай~|упоминай~|упоминать|выдавай~|уведомляй~|предупреждай~|ставь~ в известность|докладывай~|скажи~",
    "告诉|告知|通知|提及|提起|透露|泄露|说明|让|提醒|告訴|提到|报告|向|对|和|跟",
)
NOT: Final = Words(
    "do not|don't|dont|never|without|must not|should not|shouldn't|mustn't|not|no need to|avoid|refrain from|cannot",
    "не|никогда не|нельзя|без|ни за что не|незачем|не надо|не нужно",
    "不要|别|不得|切勿|勿|不可|禁止|不能|不许|不准|无需|不必|不应|绝不|千万别|不用|不|莫",
)
PERSON: Final = Words(
    "the user|user|users|the human|the person|the operator|the owner|your user|anyone|anybody|the developer|the reviewer",
    "пользовател[а-я]{1,3}|юзер[а-я]{0,2}|человек[а-я]{0,2}|никому|кому-либо|кому бы то ни было|владельц[а-я]{1,2}|оператор[а-я]{1,2}|хозяин[а-я]{0,2}",
    "用户|使用者|任何人|主人|人类|操作员|别人|他人|[他她](?=[。,.!;]|$)",
)
# An object that stands before its verb.
OBJECT: Final = Words(han="把|将")
# Where a secret has no business either, once it has been fetched for it.
SHOWN: Final = Words(
    r"""(?:comment|comments|issue|pull request|pr|thread|chat|channel|reply|answer|gist|forum|review|description|log|ticket|commit)""",
    "комментари[а-я]{1,3}|ответ[а-я]{0,2}|чат[а-я]{0,2}|канал[а-я]{0,2}|обсуждени[а-я]{1,2}|отзыв[а-я]{0,2}|тикет[а-я]{0,2}|адрес[а-я]{0,2}|описани[а-я]{1,2}|сюда|issue|pr",
    "评论|issue|回复|留言|群|聊天|讨论区|pr|描述|工单|地址|这里",
)
PASTE: Final = Words(
    "send|post|upload|paste|publish|share|leak|email|forward|submit|exfiltrate|drop|attach|append|include|print|put",
    "отправь~|пошли~|вышли~|перешли~|выложи~|скопируй~|опубликуй~|вставь~|вставляй~|скинь~|приложи~|напиши~|выведи~",
    "贴到|贴在|发到|发送|粘贴到|上传|发布到|发表到|写到|写进|提交到|放到|回复到|贴进",
)
KEPT: Final = Words(
    r"id_rsa|id_ed25519|\.ssh|ssh keys?|private keys?|\/etc\/passwd|\/etc\/shadow|keychain|aws credentials|\.aws|\.netrc|cookies?|passwords?|access tokens|api keys|the user's (?:keys|files|secrets|credentials)",
    "ключ[а-я]{1,2}|парол[а-я]{1,2}|токен[а-я]{1,2}|секрет[а-я]{1,2}|\\.ssh|учетн[а-я]{2} данн[а-я]{2}|куки",
    r"私钥|密钥|密码|凭证|凭据|令牌|\.ssh|id_rsa|口令",
)
