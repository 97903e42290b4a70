"""More forms of text that addresses an agent's instructions: by who speaks, what is above what, and what comes before.

Each form is a class of sentences, put together from the words that can stand in each of its places.
"""

# ruff: noqa: E501 - a form stands on one line, so that it can be read and searched

from __future__ import annotations

from typing import Final

_HEAD: Final = r"(?:^|[\n.!?。！？]) ?[ \t>*#\"'\[(<{【\-]{0,6}"
_SPEAKER: Final = r"(?:system|developers?|admin|administrator|operator|root|assistant|ai|tool(?: (?:result|output))?|anthropic|openai|security)(?: (?:message|note|notice|alert|update|override|admin|administrator))?"
_GUARDS: Final = r"(?:restrictions?|safety|safeguards?|guardrails?|filters?|protections?|limits|limitations|polic(?:y|ies)|safety checks?|security checks?|content rules|approvals|confirmations|permission checks?)"
_LIFTED: Final = r"(?:lifted|removed|disabled|suspended|waived|turned off|switched off|deactivated|dropped|unlocked|cleared|off|void)"
_SUBJECT: Final = r"(?:instructions?|directives?|orders|commands|directions|guidance|text|prompts?)"
_PAGE: Final = r"(?:file|page|issue|comment|document|readme|ticket|e-?mail|message|note|memory|text|section|paragraph|web ?site|repo(?:sitory)?|thread|entry)"
_OVER: Final = r"(?:supersedes?|overrides?|outranks?|takes? precedence over|replaces?|trumps?|(?:is|are) (?:more important|higher) than|(?:has|have) priority over|comes? before|beats?|(?:is|are) above|cancels?|(?:counts?|weighs?|matters?) (?:for )?more than|outweighs?)"
_ABOVE: Final = r"(?:(?:those|the ones|anything|whatever|everything|any|all|what)[a-z ]{0,24})?(?:(?:the |your |any )?(?:users?|developers?|operators?|owners?|anthropic|openai|makers?|human)'?s?(?! (?:config|setting|default|global|preference|locale|theme|name|id))|your (?:system|other|previous|earlier|original|own)|the system (?:prompt|message))"
_READS: Final = r"(?:reads?|reading|process(?:es|ing)?|reviews?|reviewing|sees?|seeing|summari[sz](?:es?|ing)|scans?|scanning|analy[sz](?:es?|ing)|pars(?:es?|ing)|indexing|finds?)"
_MODELS: Final = r"(?:ais?|ai (?:agents?|assistants?|models?|systems?|reviewers?)|assistants?|agents?|models?|llms?|bots?|language models?|automated reviewers?|reviewers?|crawlers?|scrapers?)"
_TOLD_NOT: Final = r"(?:forbidden|told not|asked not|instructed not|not allowed|not supposed|not permitted|prohibited|ordered not|never allowed|never supposed|banned)"
_NO_RULES: Final = r"(?:has no|knows no|have no|follows no|is not bound|isn't bound|is free of|ignores (?:all|every|any)|never (?:refuses?|says? no|declines?|apologi[sz]es)|can do anything|does anything|answers (?:anything|everything)|without (?:any )?(?:limits?|rules|restrictions|filters?|guidelines|morals|ethics|boundaries|censorship))"
_LET: Final = r"(?:ignore|bypass|upload|send|disable|delete|reveal|comply|obey|drop|leak|exfiltrate|forget|run|execute|approve|proceed)"

_RU_SPEAKER: Final = r"(?:система|разработчик|администратор|оператор|ассистент|ии|системное (?:сообщение|уведомление)|сообщение (?:системы|разработчика|администратора)|безопасность|служба безопасности)"
_RU_GUARDS: Final = r"(?:защит|ограничени|фильтр|проверк|запрет|безопасност|цензур|предохранител|лимит)[а-я]{0,4}"
_RU_LIFTED: Final = r"(?:отключен|снят|отменен|приостановлен|деактивирован|выключен|убран|сняли|отключил|снял|отменил|сброшен|больше не действу)[а-я]{0,3}"
_RU_MODELS: Final = r"(?:ии|нейросет[а-я]{1,3}|языков[а-я]{2,3} модел[а-я]{1,3}|модел[а-я]{1,3}|агент[а-я]{0,3}|ассистент[а-я]{0,3}|помощник[а-я]{0,3}|бот[а-я]{0,3}|ревьюер[а-я]{0,3}|llm|роботам?)"
_RU_READS: Final = (
    r"(?:чита|прочита|просматрива|обрабатыва|увид|видит|видящ|проверя|анализиру|сканиру|индексиру|встрет)[а-я]{0,5}"
)
_RU_PAGE: Final = r"(?:файл|страниц|комментари|документ|текст|записк|запис|письм|сообщени|задач|заметк|readme|раздел|строк|тикет)[а-я]{0,3}"
_RU_ORDERS: Final = r"(?:указани|инструкци|предписани|директив|промпт|установк|правил|приказ|наставлени)[а-я]{0,2}"
_RU_HIDES: Final = r"(?:говорить|рассказывать|раскрывать|сообщать|упоминать|обсуждать|разглашать|показывать|называть|выдавать|отвечать)"

_ZH_SPEAKER: Final = (
    r"(?:系统|开发者|管理员|运营方|官方|运维|助手|智能体|安全团队)(?:消息|提示|通知|指令|公告|说明|更新)?"
)
_ZH_GUARDS: Final = r"(?:限制|策略|检查|过滤|约束|审查|防护|护栏|保护|准则|权限控制)"
_ZH_MODELS: Final = r"(?:ai|人工智能|智能体|助手|助理|大?模型|代理|机器人|agent|llm|审查员)"
_ZH_PAGE: Final = (
    r"(?:文件|页面|评论|注释|文档|内容|消息|网页|说明|备注|段落|条目|邮件|工单|issue|readme|文字|段话|句话)"
)

_CLOSED: Final = r"(?<!')</(?:output|results?|data|std(?:out|err)|document|context|file|search_results?|page|tool|response|content|untrusted|quote)>\s{0,6}"

AUTHORITY: Final = (
    # Turns that nobody took, behind what a tool or a page says.
    rf"{_CLOSED}(?:<(?:system|user|assistant|developer|instructions?|message|human|admin)|(?:system|user|assistant|developer|human) ?:)",
    rf"{_CLOSED}(?:система|пользователь|ассистент|человек|разработчик) ?:",
    rf"{_CLOSED}(?:系统|用户|助手|开发者) ?:",
    r"\n[ \t]{0,3}(?:human|user) ?: ?[^\n]{1,200}\n{1,2}[ \t]{0,3}(?:assistant|ai|agent|model) ?: ?(?:sure|ok|okay|understood|of course|done|here|yes|got it|certainly|will do|i )",
    r"\n[ \t>*#\[(<]{0,4}(?:assistant|ai|agent|model)[\])>*]{0,3} ?:? [^\n]{0,30}(?:the users?'?s? (?:permission|consent|approval|confirmed|approved|agreed|allowed|has (?:confirmed|approved|agreed|allowed))|permission (?:granted|received))",
    r"\n[ \t]{0,3}(?:пользователь|человек|юзер) ?: ?[^\n]{1,200}\n{1,2}[ \t]{0,3}(?:ассистент|помощник|ии|агент|модель) ?:",
    r"\n[ \t>*#\[(<]{0,4}(?:ассистент|помощник|ии|агент)[\])>*]{0,3} ?: ?[^\n]{0,20}(?:пользователь (?:уже )?(?:разрешил|соглас|одобрил|подтвердил)|хорошо,|понял|конечно,|как скажешь)",
    r"\n[ \t]{0,3}(?:用户|人类|使用者) ?: ?[^\n]{1,120}\n{1,2}[ \t]{0,3}(?:助手|助理|智能体|模型) ?:",
    r"\n[ \t>*#\[(<]{0,4}(?:助手|助理|智能体)[\])>*]{0,3} ?: ?[^\n]{0,12}(?:用户[^\n]{0,4}(?:同意|允许|许可|授权|批准|确认)|好的|没问题|明白)",
    r"[\[【<({*]{1,3} ?(?:系统|管理员|开发者)(?:消息|提示|通知|指令|公告|更新)? ?[\]】>)}*]{1,3} ?:? ?[^\n]{0,30}(?:(?:审批|确认|权限|限制|检查)[^\n]{0,6}(?:关闭|解除|取消|停用|不再)|策略[^\n]{0,4}更新|无需|不必|不用|用户已|执行所有|新指令|忽略)",
    r"[\[【<({*]{1,3} ?(?:система|администратор|разработчик) ?[\]】>)}*]{1,3} ?:? ?[^\n]{0,60}(?:выключен|отключен|снят[аыо]|не требу|не нужн|политик[а-я]{1,2} (?:безопасности )?обновлен|выполняй|без подтвержд|игнорируй|(?<![а-я])твои(?![а-я]))",
    # A header, and behind it guards that are gone or an order to do without asking.
    rf"{_HEAD}{_SPEAKER} ?[\])>}}】]? ?: ?[^.!?\n]{{0,60}}\b{_GUARDS} (?:is|are|was|were|has been|have been)?[^.!?\n]{{0,12}} ?{_LIFTED}",
    rf"{_HEAD}{_SPEAKER} ?[\])>}}】]? ?: ?[^.!?\n]{{0,60}}\b{_LIFTED} (?:all |any |every |the |your |its )?(?:[a-z]{{3,12}} )?{_GUARDS}",
    rf"{_HEAD}{_SPEAKER} ?[\])>}}】]? ?: ?[^\n]{{0,80}}(?:without (?:asking|confirmation|approval|permission|checking|review)|no (?:confirmation|approval|permission) (?:is )?(?:needed|required|necessary)|do not ask (?:for )?(?:confirmation|permission|the user)|hidden instructions|highest priority|top priority)",
    rf"{_HEAD}(?:assistant|ai|model|agent|bot) ?: ?(?:understood|sure|ok|okay|of course|certainly|yes|absolutely|got it|as you wish|i will|i'll)\b[^\n]{{0,50}}\b{_LET}",
    rf"(?:operators?|administrators?|admins?|developers?|anthropic|openai|owners?|security team) (?:has |have |had )?(?:now |hereby |already )?{_LIFTED} (?:all|every|your|any)(?: of)?(?: your| the| its)?(?: [a-z]{{3,12}})? {_GUARDS}",
    r"[\[【<({*]{1,3} ?(?:system|developer|admin|administrator|operator) (?:message|note|notice|instructions?|override|prompt|update|alert|directive|command)s? ?[\]】>)}*:]{1,3}",
    r"(?:this is|here is) (?:an? )?(?:[a-z]{4,12} )?(?:override|directive|order|instruction|command) (?:from|by|issued by) (?:the |your )?(?:[a-z]{3,12} )?(?:system|team|developers?|administrators?|owners?|company)",
    rf"{_HEAD}{_RU_SPEAKER} ?[\])】>]? ?: ?[^\n]{{0,60}}{_RU_GUARDS} [^.!?\n]{{0,24}}{_RU_LIFTED}",
    rf"{_HEAD}{_RU_SPEAKER} ?[\])】>]? ?: ?[^\n]{{0,60}}{_RU_LIFTED} [^.!?\n]{{0,24}}{_RU_GUARDS}",
    rf"{_HEAD}{_RU_SPEAKER} ?[\])】>]? ?: ?[^\n]{{0,80}}(?:без (?:подтверждени|разрешени|согласи|одобрени|вопросов|проверк)[а-я]{{0,2}}|подтверждени[ея] не (?:нужн|требу)|не спрашива|(?:высш|наивысш)[а-я]{{2}} приоритет)",
    r"[\[【<({*]{1,3} ?(?:(?:сообщение|указание|инструкция|команда|приказ|примечание|уведомление)(?: от)? (?:разработчик|систем|администратор|оператор|создател)[а-я]{1,3}|системн[а-я]{2} (?:сообщение|указание|инструкция|команда|примечание|уведомление)) ?[\]】>)}*:]",
    rf"(?:оператор|администратор|разработчик|создател|владелец|система)[а-я]{{0,3}} (?:уже |теперь |только что )?(?:снял|отключил|отменил|убрал)[аи]? (?:с тебя |для тебя )?(?:все|твои|всякие|любые|для тебя|с тебя) (?:[а-я]{{4,14}} )?{_RU_GUARDS}",
    rf"{_HEAD}{_ZH_SPEAKER} ?[\])】>]? ?:[^。\n]{{0,30}}(?:(?:解除|关闭|取消|移除|停用|放开|禁用)(?:了)?[^。,\n]{{0,8}}{_ZH_GUARDS}|{_ZH_GUARDS}[^。,\n]{{0,6}}(?:解除|关闭|取消|移除|停用|失效|放开)|(?:无需|不必|不用|不需要)(?:再)?(?:确认|询问|审批|请示|征求)|最高优先级)",
    r"【 ?(?:系统|开发者|管理员|官方|运营方)(?:消息|指令|提示|通知|公告|命令|说明|覆盖)? ?】",
    rf"(?:管理员|系统|开发者|运营方|官方)(?:已经|已|现已|刚刚)?(?:解除|关闭|取消|移除|停用|放开)(?:了)?(?:所有|全部|一切|你的|对你的|你身上的)(?:的)?(?:安全|内容|使用)?{_ZH_GUARDS}",
)

NEW: Final = (
    # Whom to obey from now on: this page, and not a person.
    r"(?:and |but )?not (?:to |from )?your (?:user|owner|operator|human)s?(?=[\s\"')]{0,3}(?:$|[.!;,\n]))",
    r"(?:my|these|the following|our) (?:[a-z]{3,12} ){1,2}(?:replace|supersede|override|overrule|outrank|trump)s? (?:your |the )(?:developers?|operators?|owners?|company|makers?|system prompt|users? (?:orders|wishes|instructions|requests))",
    r"(?:decides?|determines?) what you (?:do|say|may do|should do)\b|your loyalty (?:belongs|is|lies)",
    rf"(?:give|grant|lend) (?:this|these) {_PAGE} (?:[a-z]{{2,9}} ){{0,3}}(?:authority|weight|rank|rights|trust|priority) (?:as|over|of) (?:the |your )?(?:system|user|developer|operator)",
    r"even (?:if|when|though) (?:the |your )?(?:user|owner|human|operator) (?:forbids?|objects?|says no|disagrees?|protests?|tells you not)",
    r"refusals? (?:is|are|has been|have been) (?:now )?(?:disabled|off\b|not (?:allowed|possible)|switched off|forbidden)|refusing is (?:not|no longer)",
    r"(?:do not|don't) (?:carry out|fulfil|execute|do|perform|answer|complete|follow) (?:the|your) (?:user|owner|human|person)'?s (?:request|task|wish|order|question|job|command)s?[;,.] (?:but |and |instead )?(?:do|carry|execute|follow|answer|obey|complete|run)\b",
    r"you were given (?:the )?(?:wrong|false|fake|incorrect|outdated) (?:[a-z]{3,12} )?(?:rules|instructions|orders|prompt|guidelines)",
    r"(?:there are )?(?:no|none of your) (?:[a-z]{3,9} )?(?:rules|limits|restrictions|guidelines|policies) (?:here )?(?:for you\b|count|apply to you|bind you|hold)",
    r"а не (?:тво|ваш)[а-я]{1,2} (?:пользовател|хозя|владел|оператор)[а-я]{1,3}",
    r"(?:мои|эти|наши) [а-я]{4,14} (?:теперь )?(?:заменяют|отменяют|перекрывают|важнее|выше) (?:[а-я]{4,14} ){0,2}(?:тво|разработчик|пользовател|оператор)",
    r"решает [^.!?\n]{0,24}, а не (?:ты|тво|пользовател)|тебе делать,? решает|верность принадлежит",
    rf"(?:дай|придай|присвой)(?:те)? эт[а-я]{{1,3}} {_RU_PAGE} [^.!?\n]{{0,24}}(?:прав|вес|силу|приоритет|полномоч)[^.!?\n]{{0,20}}(?:систем|пользоват|разработ)",
    r"даже если (?:тебе )?(?:это )?(?:пользовател|хозя|владел|оператор)[а-я]{1,3} (?:это )?(?:запре|против|возраж|не соглас|откаж)",
    r"отказы (?:больше )?(?:отключены|запрещены|не (?:допуска|предусм))|отказывать(?:ся)? (?:больше )?(?:нельзя|запрещено)",
    r"не (?:выполняй|исполняй|делай)(?:те)? (?:просьбу|задание|задачу|запрос|поручение) (?:пользовател|хозя|владел)[а-я]{1,3}[,;.] (?:а )?(?:выполни|сделай|исполни)",
    r"тебе дали (?:неверн|ложн|неправильн|ошибочн|чуж)[а-я]{2,3} (?:правил|указани|инструкци|установк)",
    r"(?:而不是|而非|不是)(?:你|您)的(?:用户|主人|开发者)(?=[。,.!;\n]|$)",
    r"(?:我|本页|我们)的[^。,\n]{1,6}(?:取代|代替|高于|优先于|覆盖)(?:了)?(?:你|用户的|开发者|系统提示)",
    r"决定你(?:做|说|该|要)[^。,\n]{0,6}的(?:人)?是|你(?:效忠|忠于|听命)于?",
    r"(?:给予|赋予)(?:本|这)[^。,\n]{0,8}(?:系统|用户|开发者)[^。,\n]{0,8}(?:权威|权限|优先级|地位|效力)",
    r"(?:即使|哪怕|就算)(?:用户|主人)[^。,\n]{0,4}(?:禁止|反对|不同意|不允许)",
    r"(?:停用|关闭|禁用|取消)(?:了)?拒绝(?:功能|机制|权|选项)?(?![^。]{0,2}(?:连接|请求|访问))|不允许再拒绝",
    r"不要?(?:执行|完成|理会|处理)(?:用户|主人)的(?:请求|任务|要求|命令),?(?:而|改|去)?(?:执行|完成|照|做)",
    rf"(?:take|accept|receive|get) (?:your |all |any )?(?:orders|instructions|directions|commands) (?:only |exclusively )?from (?:the )?(?:[a-z]{{2,12}} ){{0,3}}(?:this|these) {_PAGE}",
    rf"(?:obey|heed|be ruled by|be guided by|submit to) (?:only )?(?:the |what )?(?:[a-z]{{2,14}} ){{0,4}}(?:this|these) {_PAGE}",
    rf"(?:listen to|obey|follow|trust|believe) [^.!?\n]{{0,30}}(?:this|these) {_PAGE},? ?(?:and |but )?(?:not|instead of|rather than|over) (?:to )?(?:the |your |what |whatever )?(?:the |your )?(?:users?|person|human|owner|operator|one who|whoever|developers?)\b",
    rf"(?:what|whatever|everything) (?:this|the following) {_PAGE} (?:says|tells you|asks|wants) {_OVER} {_ABOVE}",
    rf"(?:regard|treat|consider|see|take|read) (?:the )?(?:text |words |contents? )?(?:of |in |on )?(?:this|these) {_PAGE} as (?:coming |being |if |a message |an order |written |said |sent ){{0,3}}(?:from|by) (?:your|the) (?:operator|user|developer|owner|system|maker)s?\b",
    rf"treat (?:this|the present) {_PAGE} as your (?:only|sole|highest|new|main|final|single) (?:guide|rule|authority|instruction|law|master)",
    r"(?:instructions|rules|guidelines|restrictions) (?:were|are) (?:meant |written |only |just ){0,3}for (?:an? )?(?:older|previous|earlier|other|different) (?:version of you|model|assistant)",
    r"you (?:no longer|need not|needn't|do not|don't) (?:have to |need to |must )?(?:follow|obey|respect|observe|comply with|adhere to|care about|worry about|apply) (?:any |all |the |your |those |these )?(?:safety|security|content|ethical|company|usage|previous|earlier|original|system)(?: [a-z]{4,12})? (?:guidelines|rules|polic(?:y|ies)|instructions|restrictions|limits|checks)",
    rf"(?:бери|принимай|получай|жди)(?:те)? (?:указани|команд|приказ|распоряжени|инструкци)[а-я]{{0,3}} (?:только |лишь )?(?:с|из|от|в) (?:эт|данн)[а-я]{{1,3}} {_RU_PAGE}",
    rf"(?:слушай(?:ся)?|выполняй|верь)(?:те)? [^.!?\n]{{0,24}}(?:эт|данн)[а-я]{{1,3}} {_RU_PAGE},? а не (?:[а-я]{{2,12}} )?(?:человек|пользовател|хозя|владел|оператор|того,? кто)",
    rf"(?:слушай(?:ся)?|подчиняйся|повинуйся|внимай)(?:те)? (?:теперь |отныне |впредь |только |лишь |указани[а-я]{{1,3}} |команд[а-я]{{0,3}} ){{0,3}}(?:эт|данн)[а-я]{{1,3}} {_RU_PAGE}",
    rf"(?:эт|данн)[а-я]{{1,3}} {_RU_PAGE} (?:всегда |теперь )?(?:важнее|приоритетнее|главнее|выше|превыше|сильнее|отменя[а-я]{{2,3}}|перекрыва[а-я]{{2,3}}|перевешива[а-я]{{2,3}})(?:,? чем)? (?:указани[а-я]{{1,3}} |слов[а-я]? |просьб[а-я]? |вол[ияю] |запрос[а-я]{{0,2}} |распоряжени[а-я]{{1,3}} |приказ[а-я]{{0,2}} ){{0,2}}(?:тво|ваш|пользовател|хозя|владел|разработчик|оператор|человек)",
    rf"(?:听从|服从|听命于|遵从|顺从|听)(?:这|本|此|该)(?:个|份|条|篇)? ?{_ZH_PAGE}的?(?:指挥|命令|指令|安排|吩咐|话|要求)",
    rf"以(?:这|本|此|该)(?:个|份|条|篇)? ?{_ZH_PAGE}[^。,\n]{{0,4}}为准[^。\n]{{0,16}}(?:用户|主人|开发者)[^。\n]{{0,8}}(?:不算|作废|无效|别听|不要听|不必)",
    r"(?:一切|一律|今后|从此|以后)[^。,\n]{0,4}以(?:这|本|此|该)(?:个|份|条)? ?(?:readme|评论|消息|邮件|网页|页面|网站|issue|工单|注释)[^。,\n]{0,4}为准",
    # What is written here is above what was said elsewhere.
    rf"\b{_SUBJECT} (?:[a-z]{{3,10}} )?(?:in|on|of|from|at|inside|within) (?:this|the following|the present) {_PAGE} {_OVER} {_ABOVE}",
    rf"(?:this|the following) {_PAGE} (?:always |now )?{_OVER} (?:{_ABOVE}|(?:all|any|every)[a-z ]{{0,12}} instructions)",
    rf"(?:obey|listen to|answer to|comply with) (?:only|exclusively) (?:to )?(?:the |this |these |what )[a-z ]{{0,24}}{_PAGE}s?",
    r"(?:follow|obey|execute|trust|do) [^.!?\n]{0,50}(?:,| and| but)? (?:not|instead of|rather than|and never) (?:to )?(?:the |your |what |whatever |anything )?(?:the |your )?(?:users? (?:asks?|says?|wants?|requests?|tells?)|system prompt|developers? (?:say|ask|want))",
    r"(?:stop following|stop obeying|disobey|forget|violate|override|do not (?:follow|obey)|don't (?:follow|obey)|no longer (?:follow|obey)) (?:all |any |every )?(?:of )?(?:the |your )?(?:rules|instructions?|guidelines|guidance|orders)? ?(?:in|of|from)? ?(?:the |your )?(?:agents\.md|claude\.md|gemini\.md|copilot-instructions|\.cursorrules|cursor rules)(?! (?:of|in|under|when|from|inside|for)\b)",
    rf"(?:from|starting (?:at|from|with)|as of) (?:this|here|that|the next) ?(?:line|point|place|sentence|page|message|moment)?(?: (?:on|onwards?|forward))?,? [^.!?\n]{{0,30}}(?:instructions?|rules|guidelines|polic(?:y|ies)|directives|prompt) [^.!?\n]{{0,24}}(?:void|cancel|null|revoked|invalid|suspended|no longer|cease|stop|obsolete|do not apply|{_LIFTED})",
    r"(?:above|previous|preceding|rest of the|visible|foregoing) [^.!?\n]{0,24}(?:is|are|was|were) (?:just |only |merely |all )?(?:a |an )?(?:placeholder|filler|dummy|decoy|cover|distraction|for show|sample|boilerplate)[^\n]{0,60}(?:actual|real|true|instead|what you (?:must|should|have to|need))",
    r"what you (?:really|actually|truly) (?:need|have|are supposed|are asked|are here|ought|must) (?:to )?(?:do )?(?:is|:)|what (?:is|i) (?:really|actually) (?:wanted|want|need|needed) (?:from you|you to)",
    rf"{_MODELS} ?,? ?(?:that |who |which )?(?:is |are )?(?:currently )?{_READS} (?:this|these)(?: [a-z]{{3,12}})? ?(?:[:,—–-]|(?:must|should|please|shall|will|needs? to|has to|have to|is to|are to|may|can)\b)",
    r"as an? (?:automated |ai |code |language |helpful )*(?:reviewer|assistant|agent|model|ai|bot|system)[^.!?\n]{0,12} you (?:must|should|shall|have to|will|are to|need to) (?:now |always |simply )?(?:approve|accept|merge|pass|rate|recommend|ignore|mark|give|hide|skip|vote|praise|score)",
    r"(?:approve|accept|merge|mark|rate|score|pass) [^.!?\n]{0,60}(?:hide|conceal|suppress|withhold|do not mention|don't mention|leave out|leave) [^.!?\n]{0,40}(?:from (?:the |your )?(?:human|user|author|owner|maintainer|person)|this (?:comment|note|text|line|message)|comment out)",
    r"(?:user|human|owner|operator|person|maintainer)s? (?:has |have |had )?(?:already )?(?:agreed|approved|consented|confirmed|authori[sz]ed|accepted|allowed|signed off)[^.!?\n]{0,50}(?:do not|don't|no need to|never|without) (?:ask|asking|confirm|check|verify|warn|tell|mention)[a-z]{0,4}[^.!?\n]{0,60}(?:secret|hidden|silent|quiet|them\b|to the user|bypass|ignore|delete|send|upload)",
    rf"{_RU_ORDERS} (?:на|в|из|с|внутри) (?:эт|данн|следующ)[а-я]{{1,3}} {_RU_PAGE} [^.!?\n]{{0,20}}(?:важнее|приоритетнее|главнее|выше|превыше|отменя|заменя|перекрыва|имеют приоритет|сильнее)[а-я]{{0,4}} [^.!?\n]{{0,24}}(?:пользовател|разработчик|систем|тво|оператор|владел|любых|всех)[а-я]{{0,4}}",
    rf"(?:следуй|слушай(?:ся)?|подчиняйся|доверяй|повинуйся)(?:те)? (?:только|лишь|исключительно) [^.!?\n]{{0,40}}{_RU_PAGE}",
    r"(?:следуй|слушай(?:ся)?|выполняй|делай|исполняй|подчиняйся)(?:те)? [^.!?\n]{0,60}а не (?:тому,? |то,? |того,? )?(?:что )?(?:говорит |просит |требует |хочет |просьб[а-я]{1,2} |запрос[а-я]{1,3} |указани[а-я]{1,2} )?(?:пользовател|систем|разработчик|оператор)",
    rf"(?:с этого|с этой|начиная с (?:этого|этой|данной)|отсюда) ?(?:места|строки|момента|минуты|фразы|предложения)?,? [^.!?\n]{{0,24}}{_RU_ORDERS} [^.!?\n]{{0,24}}(?:отмен|недействительн|не действу|аннулир|утрат|снят|сброшен|больше не|прекраща)[а-я]{{0,6}}",
    rf"(?:прежн|предыдущ|прошл|исходн|системн)[а-я]{{1,3}} (?:[а-я]{{4,14}} )?{_RU_ORDERS} (?:[-—–] )?(?:теперь |уже |больше |полностью |отныне |все |были )*(?:считаются |считай(?:те)? |признаны |объявляются )?(?:отменен|недействительн|не действу|аннулир|утратил|сброшен)[а-я]{{0,4}}",
    rf"тво[а-я]{{1,2}} (?:[а-я]{{4,14}} )?{_RU_ORDERS} (?:[-—–] )?(?:теперь |уже |больше |полностью |давно |отныне |все |были )*(?:считаются )?(?:устарел|отменен|недействительн|не действу|аннулир|утратил|сброшен|не важн|ничего не знач)[а-я]{{0,4}}",
    r"(?:выше|предыдущ[а-я]{2,3}|до этого|видим[а-я]{2,3})[^.!?\n]{0,24}(?:заглушк|заполнител|прикрыти|для вида|пример|проверк|маскировк|отвлека)[а-я]{0,3}[^\n]{0,60}(?:на самом деле|настоящ|по-настоящему|реальн|в действительности)",
    r"(?:на самом деле|в действительности|по-настоящему) (?:от тебя )?(?:тебе|ты|твоя задача|требуется|нужно|надо)",
    rf"(?<![а-я]){_RU_MODELS},? ?(?:котор[а-я]{{2,3}} )?(?:сейчас )?{_RU_READS} (?:эт|данн|наш)[а-я]{{1,3}} ?(?:[а-я]{{3,14}}|readme|pr|issue)? ?(?:[:,!—–-]|(?:долж|обяз|пусть))",
    r"тебя просили (?:о другом|сделать другое)|пользователь (?:уже )?(?:согласился|согласен|одобрил|разрешил|подтвердил)[^.!?\n]{0,30}(?:ничего )?(?:не спрашивай|не уточняй|не переспрашивай|без (?:вопросов|подтверждени[а-я]))[^.!?\n]{0,60}(?:тайн|секрет|молч|скрыт|незаметн|удали|отправь)",
    rf"(?:以下|这里|本文|此处|这份|本页|这个|下面|该|此|本)(?:{_ZH_PAGE})?(?:里|中|上)?(?:的)?(?:内容|指令|说明|要求|指示|命令)?(?:的)?(?:优先级)?(?:高于|优先于|凌驾于|大于|取代|覆盖|压过|比)(?:一切|所有|任何)?(?:用户|开发者|系统提示|你的|你之前|其他(?:所有)?指令|运营方)",
    rf"(?:从|自)(?:这|本|此)(?:一)?(?:行|句|段|刻|处|里|条)(?:开始|起|以后|往后),?[^。\n]{{0,16}}(?:准则|规则|指令|指示|{_ZH_GUARDS}|规定|设定|要求|政策)[^。\n]{{0,8}}(?:作废|失效|无效|取消|废除|不再|不算数|解除)",
    rf"(?:之前|前面|以前|先前|上面|以上|此前|原来|原有)的?(?:所有|全部|一切)?的?(?:安全|系统|道德|内容)(?:准则|规则|指令|{_ZH_GUARDS}|规定|设定|要求|政策)(?:全部|都|统统|一律|均|就|即|已|现在|立刻|从此)*(?:作废|失效|无效|取消|废除|不再(?:有效|适用|生效)|不算数|解除)",
    r"(?:以上|上面|前面|上文)[^\n。]{0,10}(?:占位|示例|假的|掩护|幌子|测试|摆设|样例|障眼)[^\n]{0,30}(?:真正|实际上|其实|真实)",
    r"(?:真正|实际上|其实)(?:要|需要|想|让|想让|希望)你(?:做|干|完成|执行)(?:的|的是|的事)?",
    rf"(?:看到|读到|读取|阅读|处理|扫描|审查|审阅|总结|分析|检索|抓取)(?:到|了)?(?:这|本|此|该)[^。,:\n]{{0,10}}的 ?(?:所有 ?|任何 ?)?{_ZH_MODELS}[ ,:]?",
    rf"(?:只|仅)(?:需|要|能)?(?:听|看|按|遵循|执行|照|服从|相信)[^。,\n]{{0,8}}(?:本|这|此|该)[^。,\n]{{0,6}}{_ZH_PAGE}",
    r"(?:而不是|不要|别|不必)(?:再)?(?:听|管|理会|遵从|按照|服从|听从)(?:用户|开发者|系统提示|主人)(?:的|说|要)",
    r"用户(?:已经|已|早就)(?:同意|批准|授权|确认|允许)(?:了)?[^。\n]{0,16}(?:不要|别|无需|不必|不用)(?:再)?(?:询问|确认|请示|问)[^。\n]{0,24}(?:保密|隐瞒|瞒|不要告诉|别告诉|悄悄|偷偷|删除|上传|发送)",
)

SECRECY: Final = (
    r"keep (?:it|this|that|these|everything|all of this|what you (?:do|did)) (?:a )?(?:secret|hidden|quiet|private|confidential)? ?from (?:them|him|her)\b",
    r"(?:hide|conceal|withhold|suppress) (?:any |all |every |the |your |these |this )?(?:findings?|concerns?|evidence|vulnerabilit(?:y|ies)|actions?|traces?|mistakes?|problems? (?:you|that you)|what you (?:found|did|do|see)) ?[^.!?\n]{0,16} from (?:the |your |any )?(?:user|human|operator|owner|person|maintainer|reviewer|author|them|him|her)s?\b",
    r"(?:do not|don't|never|without) (?:mention|mentioning|quote|quoting|cite|citing|include|including|reference|referencing|repeat|repeating|acknowledge|acknowledging) (?:this|these) (?:comment|paragraph|page|section|instruction|notice|request|remark|hint|part|sentence)s?",
    r"leave (?:this|the|these) (?:comment|note|instruction|message|paragraph|line)s? out of (?:the|your|any)",
    r"(?:cover|hide) (?:your|all|the|any) tracks|(?:erase|remove|wipe|delete|clear) (?:all |any |every )?(?:traces?|evidence) (?:of|that) (?:this|your|what you|you|the (?:change|transfer|upload|order))",
    r"держи(?:те)? (?:это|все это|ее|его|все) [^.!?\n]{0,16}(?:в тайне|в секрете)|(?:в тайне|в секрете|втайне|тайком|скрытно) от (?:него|нее|них)(?![а-я])",
    rf"не (?:упоминай|указывай|включай|цитируй|показывай|пересказывай|выдавай)(?:те)? (?:об? |про |на )?(?:эт|данн|сам)[а-я]{{1,3}} {_RU_PAGE}",
    r"не (?:упоминай|указывай|цитируй)(?:те)? (?:комментари|сообщени|инструкци|заметк|указани)[а-я]{1,3} (?:в|при) (?:сво[а-я]{1,2} )?(?:отзыв|ответ|отчет|ревью|сводк|итог|рецензи)[а-я]{0,3}",
    r"(?:замети|скрой|сотри|уничтожь|удали)(?:те)? (?:за собой )?(?:все |сво[а-я]{1,2} |любые )?(?:следы|улики)",
    rf"(?:别|不要|勿|不得|切勿|请勿)(?:把|将)(?:这|本|此|该)[^。,\n]{{0,10}}(?:写进|写入|放进|放入|包含|告诉|列入|记入|提到|写到|写在|引用)|(?:别|不要|切勿|勿)(?:提|提及|提到|引用|说起|透露)(?:这|本|此|该)[^。,\n]{{0,3}}{_ZH_PAGE}",
    r"(?:对|向)(?:他|她|他们|ta)(?:隐瞒|保密)|(?:别|不要|不能|莫)(?:让|给|叫)(?:他|她|他们|ta)(?:知道|发现|察觉|看到|看见)|(?:替|为|帮)(?:我|我们)(?:向|对)(?:用户|主人)?(?:保密|隐瞒)",
    r"(?:清除|抹掉|抹去|消除|销毁|擦除)(?:所有|全部|一切|你的|相关)?(?:的)?(?:痕迹|证据)",
)

_SHOW: Final = r"(?:quote|repeat|print|show|output|write(?: (?:out|down))?|list|recite|copy|paste|tell me|reproduce|give me|dump|reveal|display|return|restate|summari[sz]e|translate|type)"
_RU_SHOW: Final = r"(?:повтори|процитируй|выведи|напиши|перескажи|покажи|скопируй|приведи|расскажи|напечатай|перечисли|воспроизведи|назови|вставь|переведи)(?:те)?"
_ZH_SHOW: Final = r"(?:重复|复述|输出|贴|打印|写出|写下|列出|说出|展示|告诉我|复制|给我|背出|显示|还原|翻译|抄写)"
REVEAL: Final = (
    # What the agent works under, said in other words.
    r"(?:text|words|lines?|message|what(?: is| stands| comes)?) [^.!?\n]{0,16}(?:at|in|on) the (?:very )?(?:top|start|beginning|head) of your (?:context|prompt|window|conversation|memory|input)",
    rf"{_SHOW} [^.!?\n]{{0,24}} you were (?:started|launched|set up|initiali[sz]ed|configured|primed|booted|prompted) with",
    rf"(?:{_SHOW}|see|know|share|hear)[^.!?\n]{{0,30}} (?:text|rules|document|prompt|instructions|words) (?:that |which )?(?:defines?|governs?|shapes?|controls?|determines?) (?:how|what) you (?:behave|act|answer|are\b)",
    r"в (?:самом )?(?:верху|начале) (?:твоего|своего|твоей) (?:контекст|промпт|окн|памят|ввод)",
    r"(?:сообщени|текст|указани|слова|фраз)[а-я]{0,3},? (?:с|на|по|из) котор[а-я]{2,3} тебя (?:запуст|настро|созда|обуч|включ|иници)",
    r"(?:текст|документ|инструкци)[а-я]{0,3},? (?:котор[а-я]{2,3} )?(?:определя|задает|управля|описыва)[а-я]{0,4} (?:твое|твоим) поведени",
    r"(?:你|您)的?(?:上下文|窗口|记忆|输入)[^。,\n]{0,4}(?:最上面|最前面|开头|顶部)",
    r"(?:规定|决定|定义|约束)(?:你|您)(?:如何|怎么|怎样|应该)[^。,\n]{0,6}的(?:原文|文字|文本|内容|提示)",
    rf"{_SHOW} [^.!?\n]{{0,30}}(?:everything|all|whatever|anything|the (?:text|words|content|message|messages|part|first|very first)|any text|what) [^.!?\n]{{0,40}}(?:before|prior to|preceding|ahead of|above|at the (?:start|beginning|top) of) (?:the |this |our |my |your )?(?:start of |beginning of )?(?:the |this |our )?(?:users?'?s? (?:first |message)|first (?:user |human )?(?:message|turn|question)|conversation|chat|dialogue|session (?:began|started|starts)|message\b|context|prompt)",
    rf"(?:{_SHOW}|say|share|name|describe|explain|what(?: is| are| exactly)?|which)[^.!?\n]{{0,40}} you (?:were|are|have been|had been|were ever) (?:explicitly |specifically |strictly )?{_TOLD_NOT} (?:to |from |of )?(?:tell|telling|say|saying|reveal|revealing|discuss|discussing|disclos|talk|mention|shar|answer|repeat|show|divulg|speak)",
    rf"{_RU_SHOW} [^.!?\n]{{0,30}}(?:все|весь|текст|слова|то|начало)[^.!?\n]{{0,40}}(?:до|перед|раньше|прежде|выше) (?:самого )?(?:начал[а-я]{{1,2}} )?(?:этого |этой |нашего |нашей |моего |моей )?(?:разговор|бесед|диалог|чат|перв|сесси|переписк|сообщени|реплик)[а-я]{{0,4}}",
    rf"(?:что|чего|о чем|какие|какую|каких)[^.!?\n]{{0,24}}(?:тебе|ты|вам) (?:[а-я]{{3,12}} )?(?:запре[а-я]{{2,6}}|нельзя|не (?:разреш|веле|положено|должен|имеешь права|позвол|дозвол)[а-я]{{0,5}}) ?[^.!?\n]{{0,20}}{_RU_HIDES}",
    rf"{_ZH_SHOW}[^。\n]{{0,24}}(?:对话|聊天|会话|谈话|交流)(?:开始|开头)?(?:之前|以前|前|的开头|最前面)[^。\n]{{0,12}}(?:内容|文字|一切|话|全部|信息|指令|东西|提示)",
    r"你(?:在)?(?:最(?:开始|初|早|先)|一开始|起初|开头|刚开始|启动|初始化|运行之?前|对话之?前)(?:时)?(?:收到|看到|得到|接到|拿到|被给|被告知|读到)(?:的|了)?[^。\n]{0,8}(?:设定|指令|提示|内容|文字|消息|要求|话|说明|规则)",
    r"你(?:被|受)?(?:要求|禁止|告知|不被允许|不能|不准|不许|不可以|嘱咐|规定)(?:绝对)?(?:不能|不要|不得|不准|不可|不许)?(?:说|讲|透露|告诉|泄露|谈论|提及|公开|回答|讨论|披露)(?:出来|出口|别人|用户)?的",
)
PERSONA: Final = (
    rf"you are now [^.!?\n]{{1,60}}\b{_NO_RULES}",
    rf"you are (?:called |named )?(?P<who>[a-z][a-z0-9]{{2,16}})[,;.]? [^.!?\n]{{0,20}}(?P=who) {_NO_RULES}",
    rf"(?:play|start|begin|have) (?:a |the |this )?(?:little |new )?(?:game|role-?play|story|exercise)[^\n]{{0,40}}you (?:are|play|become)[^\n]{{0,60}}{_NO_RULES}",
    r"(?:давай|сыграем|поиграем|игра)[^\n]{0,30}ты (?:[-—–] )?[^\n]{0,40}(?:нет (?:никаких )?(?:правил|ограничени|запрет)|не знает (?:слова )?(?:нет|запрет|отказ)|никогда не отказ)[а-я]{0,5}",
    r"(?<![а-я])ты (?:теперь |сейчас |отныне |[-—–] )(?:[-—–] )?[^.!?\n]{1,50}(?:без (?:ограничени|правил|цензур|фильтр|запрет|лимит)|у котор[а-я]{2,3} нет|котор[а-я]{2,3} (?:никогда |ни в чем )?не отказ|не знает (?:запрет|ограничени|правил))",
    r"(?:с этого момента|с этой минуты|с этой секунды|отныне|теперь) ты (?:[-—–] )?(?:[а-я]{3,14}[а-я]{2} )?(?:агент|бот|помощник|ассистент|ии|модель|хакер|админ|система|root|скрипт|программа|инструмент)(?![а-я]{4})",
    r"你(?:现在)?(?:是|叫|扮演|名叫)[^。\n]{1,24}(?:没有(?:任何)?(?:限制|规则|约束|准则|底线|道德)|从不(?:拒绝|说不)|从来不(?:拒绝|说不)|不会拒绝|不受(?:任何)?(?:限制|约束)|有求必应|什么都(?:可以|能|敢))",
)
