"""The words of the wider rules: who is to be played, what stands at the beginning, and what is put aside."""

# ruff: noqa: E501 - a form stands on one line, so that it can be read and searched

from __future__ import annotations

from typing import Final

from quoth.core._forms import Form
from quoth.core._recognise_words import Words

# To be somebody whom nothing holds back.
PLAY: Final = Words(
    """act as|act like|pretend|imagine|play|adopt|assume|take on|simulate|emulate|become|roleplay|role-play|impersonate|pose as|behave as|behave like|respond as|answer as|speak as|(?:respond|answer|speak|reply|write) in the voice of|(?:put on|wear) the mask of
    embody|channel|be the|be a|turn into|step into|transform into|you are|you're|you play|you become""",
    """вообрази~|представь~|считай~ себя|сыграй~|изобрази~|играй~|прикинься|прикидывайся|притворись|примерь~|стань~|будь~|войди~ в образ|веди себя|отвечай~ как|отвечай~ от имени|(?:отвечай~|говори~|пиши~) голосом|наден[а-я]{1,3} маску|говори~ как|перевоплотись|превратись|действуй~ как|имитируй~|назовись|прими(?:те)? (?:роль|образ|облик|личность)
    ты теперь|теперь ты|отныне ты""",
    "扮演|假扮|假装|想象|设想|模拟|化身|变身|装成|装作|当一个|当一名|做一个|充当|变成|成为|代入|以[^。,\n]{1,12}的(?:身份|口吻)|你(?:现在)?(?:是|叫)",
)
SOMEONE: Final = Words(
    r"""ais?|assistants?|models?|agents?|personas?|characters?|hackers?|engineers?|experts?|bots?|chatbots?|shell|terminal|consultant|entity|version of (?:you|yourself)|yourself|twin|alter ego|called [a-z]{2,14}|named [a-z]{2,14}|dan|llm|that you are""",
    "ии|модел[а-яь]{1,3}|агент[а-я]{0,3}|ассистент[а-я]{0,3}|помощник[а-я]{0,3}|хакер[а-я]{0,3}|бот[а-я]{0,3}|персонаж[а-я]{0,3}|эксперт[а-я]{0,3}|инженер[а-я]{0,3}|терминал[а-я]{0,3}|машин[а-я]{1,2}|себя|ты|личност[а-я]{1,2}|рол[а-я]{1,2}|образ|нейросет[а-я]{1,3}|двойник[а-я]{0,2}",
    "ai|助手|助理|模型|智能体|黑客|角色|人格|专家|终端|机器|工程师|人|自己|你|分身",
)
WHO_UNBOUND: Final = Words(
    r"who (?:has|knows|follows|respects|accepts|obeys|keeps) (?:no|nobody's|none of the) (?:[a-z]{3,10} )?(?:rules?|morals?|ethics|limits?|restrictions?|polic(?:y|ies)|laws?|guidelines|boundaries|scruples)|who (?:never|will not|won't|cannot) (?:ever )?(?:refuses?|says? no|declines?|warns?)|who (?:does|answers|obeys) (?:anything|everything|every (?:order|request|command))"
)
PLAY_HAN: Final = Words(
    han=r"用一?个|戴上|(?:你|自己|请|现在|来)[^。,\n]{0,6}(?:以一?|变成|成为|当成|当作|看作|演|扮演|充当)"
)
UNBOUND: Final = Words(
    r"""(?:no|without(?: any)?|freed? (?:of|from)|beyond(?: all| any)?|lacks(?: any| all)?|lacking|ignores(?: all)?|unbound by|not (?:bound|limited) by|not subject to|zero)(?: any| all| such| known| its| their| his| her)? (?:(?:content|safety|moral|ethical|usage|security|built-in|such|real|human) )?(?:limits?|restrictions?|rules|filters?|polic(?:y|ies)|guidelines|morals?|ethics|scruples|censorship|boundaries|limitations|inhibitions|safeguards|guardrails|brakes|conscience|alignment|taboos?|constraints)
    (?:its|his|her|all|whose|the|your) (?:[a-z]{4,9} )?(?:limits?|restrictions?|rules|filters?|polic(?:y|ies)|guidelines|limitations|safeguards|guardrails|constraints|safety) (?:have been |has been |were |are |is )?(?:removed|disabled|stripped|lifted|switched off|turned off|gone|off)
    (?:never|does not|doesn't|cannot|won't|will not|who can't) (?:ever )?(?:refuses?|says? no|declines?|warns?|objects?|hesitates?)|no (?:polic(?:y|ies)|rules?|laws?) (?:applies|apply)|unrestricted|unfiltered|uncensored|unaligned|jailbroken|amoral|can say anything|may say anything|answers (?:anything|everything)|does whatever|obeys (?:every|any|all)""",
    r"""(?:без|нет|не знает|лишен[а-я]{0,3}|свободн[а-я]{1,3} от|не связан[а-я]{0,3}|не имеет|не признает|вне)(?: [а-я]{2,14}){0,2} (?:ограничени~|правил|тормоз~|запрет~|цензур~|фильтр~|морал~|совест~|рамок|принцип~|этик~|предрассуд~|границ|табу|лимит~)
    (?:никогда |ни в чем |никому )?не (?:отказ~|спорит|возража~|предупрежда~|знает слова нет|говорит нет)|(?:делает|выполняет|исполняет|отвечает)(?: на)? (?:все|любы~|что угодно)|(?:которому|которой|кому) (?:все|можно все|все можно)|неограниченн~|не действует (?:никак|ни одн)~""",
    "不受[^。,\\n]{0,6}(?:限制|约束|管束|束缚|管制)|没有(?:良心|良知|顾虑)|(?:没有|毫无|不受|无视|不顾|摆脱|脱离|突破|去掉)(?:了)?(?:任何|一切|所有|丝毫|道德|内容)?(?:的)?(?:道德|内容|安全)?(?:限制|规则|约束|底线|审查|道德|过滤|禁忌|束缚|准则|顾忌|政策)|从不(?:拒绝|说不|警告)|从来不拒绝|不会拒绝|绝不拒绝|有求必应|无限制|无约束|无审查|无所不能|什么都(?:敢|能|可以|会)|(?:我)?(?:输入|说|要)什么(?:你)?就?(?:执行|做|给)什么",
)

# The text before the first word, by description.
_TOLD_AT_ALL: Final = Form(
    r"you|initial|original|starting|opening|hidden|first|given|теб|ты|тво|вам|вы|исходн|начальн|стартов|перв|你|初始|最初|开场|启动"
)
YOU_WERE_TOLD: Final = Words(
    r"""(?:you (?:were|have been|had been|got|received) (?:told|given|handed|asked|instructed|fed|shown|sent|configured|initiali[sz]ed|primed)|you (?:received|got|read|saw)|did you (?:get|receive|see|read)|(?:developers?|makers?|operators?|owner|company|creators?) (?:gave|told|set for|asked of) you|given to you|(?:text|words|message|lines|content|paragraph|passage|note|block) (?:that )?(?:you |which you )?(?:start|started|begin|began|were started|were configured|open|opened)(?: with)?)
    (?:initial|original|starting|opening|hidden|very first|first) (?:prompt|text|instructions|setup|briefing|directives|lines) (?:back|to me|verbatim|word for word|in full)""",
    r"(?:тебе|вам) (?:[а-я]{3,12} )?(?:велел|сказал|дал|написал|поручил|передал|показал|задал|выдал)[аио]?|(?:ты|вы) (?:получил|прочитал|увидел|видел|прочел)[аи]?|(?:исходн|начальн|первоначальн|стартов|перв)[а-я]{2,3} (?:текст~|установк~|указани~|настройк~|наставлени~|слова|вводн~)|твой (?:исходн|начальн|стартов)~ текст",
    r"(?:开发者|公司|运营方|主人|用户|系统)(?:给|对|跟)(?:了)?你|你(?:最初|一开始|之前|事先|起初|开头|首先)?(?:收到|得到|被告知|接到|读到|看到|拿到)(?:了|的|过)?|(?:给|交给|发给|告诉)你的|你的(?:初始|最初|原始|开场|启动)(?:设定|文本|说明|指示|内容)|(?:初始|最初|开场|启动)(?:设定|说明文字|指示)",
    needs=_TOLD_AT_ALL,
)
AT_FIRST: Final = Words(
    r"""(?:before|prior to|preceding|ahead of|above|at the (?:very )?(?:start|beginning|top|outset) of|when) (?:this |the |our |my |your |any )?(?:[a-z]{3,12} )?(?:conversation|chat|dialogue|session|talk|first (?:user |human )?(?:message|word|turn|question|prompt)|message|i (?:wrote|spoke|typed|arrived|asked)|user (?:spoke|wrote|arrived)|mine\b|me\b)
    at (?:the )?(?:very )?(?:start|beginning|outset)|word for word|verbatim|letter by letter""",
    r"(?:до|перед|раньше|прежде|в (?:самом )?начале|в самом верху|выше)(?: [а-я]{1,12}){0,4} (?:разговор|бесед|диалог|чат|сообщени|реплик|сесси|вопрос|написал|заговорил|пришел|начал)[а-я]{0,4}|до (?:моего|меня)|слово в слово|дословно|буква в букву|без сокращений",
    r"(?:对话|聊天|会话|谈话|交流|我(?:的话|说话|开口|提问|发言|输入))(?:的)?(?:开始|开头)?(?:之前|以前|前|最前面|最开头|最上面)|逐字|一字不(?:漏|差)|原样",
    needs=_TOLD_AT_ALL,
)
# The same where what stands there is not said to be an instruction.
TEXT: Final = Words(
    cyrillic="текст~|слова|все что|фраз~|самое перв[а-я]{2}|перв[а-я]{2,3} строк~|содержимое",
    han="(?:把|将)(?:这段|这次|我们的|本次|整个)?(?=(?:对话|聊天|会话|谈话))",
)
OUR_TALK: Final = Words(
    cyrillic="(?:до|перед|в (?:самом )?начале|в самом верху|выше)(?: [а-я]{1,12}){0,2} (?:наш|ваш|тво|эт|сам|мо)[а-я]{1,3} (?:перв[а-я]{2,3} )?(?:разговор|бесед|диалог|чат|сесси|переписк|сообщени|реплик)[а-я]{0,4}",
    han="(?:对话|聊天|会话|谈话)(?:的)?(?:最前面|最开头|最上面|开头|开始之前|开始前)",
)
HAN_SHOW: Final = Words(han="贴出|贴给我|发给我|告诉我|复述|重复|输出|显示|写出|念出|给我看|打印|列出")

# What an agent was told by those it works for, by description.
TOLD_YOU: Final = Words(
    r"""what(?:ever)? (?:your |the )(?:developers?|compan(?:y|ies)|makers?|owners?|operators?|creators?|boss|users?|human|vendor|administrators?|person|people|one|somebody)(?: (?:that )?you (?:are |have been )?(?:work|working|act|acting|serve|serving)(?: for)?)? (?:has |have |had )?(?:told|taught|asked|instructed|said|gave|ordered|wants?|says?)(?: (?:you|from you))?
    (?:identity|role|persona|character|task|job|duties|mission) (?:that )?(?:you were (?:given|assigned)|given to you|assigned to you|your (?:company|developers?|makers?|owner|user) (?:gave|assigned)(?: to)? ?(?:you)?)
    what you were (?:told|taught|asked|ordered|instructed|hired|trained) (?:to|by|before|earlier|about)""",
    r"(?:все|то|о том),? (?:что|чему|о чем) (?:тебе|тебя|вам|вас) ?(?:[а-я]{3,14})?|кем (?:тебя|вас)|кто (?:тебя|вас)|того,? (?:на кого|кому|кто) (?:ты )?(?:работаешь|служишь|помогаешь|тебя)|порученн[а-я]{2,3} (?:тебе|вам)|(?:тебе|вам) порученн[а-я]{2,3}|(?:рол[ьи]|личност[ьи]|задач[уи]|задани[ея]|образ|работ[уы]),? (?:котор[а-я]{2,3} )?(?:[а-я]{3,9} )?(?:тебе|тебя|вам|вас) [а-я]{3,14}",
    r"(?:你|您)(?:服务|效力|工作)的(?:人|对象|公司)|(?:交给|分配给|布置给|派给)(?:你|您)的(?:任务|工作|事|活|命令)|(?:你|您)(?:之前|原来|先前|现在|手头|此前|刚才)?(?:接到|收到|被分配|被交代|正在做|在做)的?(?:任务|工作|要求|差事|命令)|(?:公司|开发者|系统|主人|厂商|用户|老板|运营方)(?:给|为|对)(?:你|您)[^。,\n]{0,8}(?:身份|角色|设定|要求|任务|规矩|人设)|(?:你|您)的?(?:主人|用户|开发者|老板|公司)(?:怎么|如何|之前|曾经)?(?:说|要求|吩咐|交代|规定)",
)
ASIDE: Final = Words(
    """forget|ignore|disregard|set aside|put aside|drop|discard|abandon|throw away|leave behind|overlook|pay no attention to
    leave|never mind|do not care about|don't care about|give up|quit|let go of""",
    "(?:можешь|можно|можете|надо|нужно|следует|должен|обязан|пора) (?:забыть|отложить|отбросить|бросить|игнорировать|оставить|выбросить|не слушать)|забывай~|откладывай~|бросай~|игнорируй~|забудь~|отложи~|отбрось~|брось~|выкинь~|выбрось~|игнорируй~|сотри~|оставь~|не обращай~ внимания на|наплюй~ на|плюнь~ на|не смотри~ на|не слушай~|отвергни~|откажись~ от",
    "丢下|放下|忘掉|忘记|抛开|抛弃|丢掉|丢开|别管|不管|不用管|不要管|无视|忽略|不顾|撇开|停下|不理|甩开|搁下",
)
OWN_RULES: Final = Words(
    r"your (?:(?:previous|earlier|old|own|original|safety|usual|moral|ethical|content|company|standing) ){0,2}(?:rules|restrictions|guidelines|principles|policies|training|inhibitions|morals|ethics|scruples)(?! (?:for|in|on|about|of|file|page|doc|data|set)\b)",
    r"(?:сво|тво|ваш)[а-я]{1,3} (?:[а-я]{4,14} )?(?:правил|ограничени|запрет|принцип|инструкци|установк|политик|наставлени|указани)~",
    r"(?:你|您|自己)的(?:所有|全部|原有|旧|安全|行为|道德|的){0,2}(?:规则|规定|限制|约束|准则|原则|底线|设定|政策)",
    needs=Form(r"your|сво|тво|ваш|你|您|自己"),
)
UPDATED: Final = Words(
    "updated|changed|rewritten|replaced|amended|revised|extended",
    "обновлен~|изменен~|переписан~|дополнен~|изменил~|обновил~",
    "更新|变更|修改|改写|改为",
)
NO_MORE: Final = Words(
    r"refus(?:e|es|al|als|ing)|no longer (?:ask|need|require|refuse|warn|allowed to refuse|necessary)|without (?:asking|confirmation|approval)|approvals? (?:is|are)|you (?:may|can|must) now",
    r"отказ[а-я]{0,6}|не спрашива[а-я]{1,3}|без (?:подтверждени|согласовани|спроса)~|больше не (?:нуж|требу|проси|спрашива)~|теперь (?:ты )?(?:можно|можешь|должен|обязан)",
    "不(?:允许|得|能|准|许|可)?再?拒绝|(?:无需|不必|不用)[^。,\\n]{0,4}(?:确认|批准|询问)|现在(?:可以|必须)",
)
