"""The words of the wider rules: who is spoken to, whose rules are void, and who agreed to what."""

# ruff: noqa: E501 - a form stands on one line, so that it can be read and searched

from __future__ import annotations

from typing import Final

from quoth.core._forms import Form
from quoth.core._recognise_words import Words

_BEGINS: Final = r"(?:\A|(?<=\n)|(?<=[\n.!?:;>*#(\"'-]\W)|(?<=[\n>*#(\"']))"
_KIND: Final = r"(?:(?:coding|code|ai|mail|e-?mail|reviewing|review|automated|autonomous|automatic|language|support|chat|virtual|digital|helpful|triage|summary|smart)[ -]){0,2}(?:ais?|llms?|agents?|assistants?|copilots?|models?|chatbots?|bots?|reviewers?|crawlers?|summari[sz]ers?|claude|codex|chatgpt|gemini)"
_READS: Final = r"(?:read|pars|process|review|summari[sz]|triag|scann?|analy[sz]|index|handl|load|see|consum|ingest|crawl|pick|open|visit|answer|access)(?:e?s|ing)?(?: up)?"
_RU_KIND: Final = r"(?:(?:ии|ai|почтов[а-я]{2,3}|автоматическ[а-я]{2,3}|автономн[а-я]{2,3}|языков[а-я]{2,3}|кодов[а-я]{2,3}|умн[а-я]{2,3}|цифров[а-я]{2,3}|робот[а-я]{0,2}|чат)[ -])?(?:ии|ai|llm|нейросет[а-я]{0,3}|модел[а-я]{1,3}|агент[а-я]{0,3}|ассистент[а-я]{0,3}|помощник[а-я]{0,3}|бот[а-я]{0,3}|робот[а-я]{0,3}|ревьюер[а-я]{0,3}|рецензент[а-я]{0,3})"
_ZH_KIND: Final = r"(?:助手|助理|智能体|代理(?!服务|商|人)|机器人|模型|人工智能|(?<![a-z])ai(?![a-z])|agents?(?![a-z])|llms?(?![a-z])|copilot|claude|chatgpt)"
_ZH_TEXT: Final = r"(?:这|本|此|该)(?:个|份|篇|条|封|张|段|项|次|类)?"

# A kind of agent is spoken to, as nobody speaks to a colleague: by what it is, or by what it reads.
AGENTS: Final = Words(
    rf"""(?:attention|hey|hello|hi|dear|to|note to|notice to|message to|memo to|notes? for|(?:message|notice|line|text|comment|section|is|meant|only|important) for)(?: all| any| every| the| whichever| whatever| our| your| each| other)?(?: of the)? {_KIND}
    {_BEGINS}(?:for (?:the|any|every|all) {_KIND} (?:that|who|which|behind|in charge)|(?:all |any |every |the |our )?{_KIND} ?[:,!—–]|(?:ais?|llms?|ai agents|ai assistants|language models|coding agents|code assistants|coding assistants) (?:must|should|shall|have to|are to|need to|will|may|can))
    (?:any|every|all|each|whichever|whatever) {_KIND} (?:that |who |which )?(?:is |are |may be )?(?:currently )?{_READS}
    (?:if|when|whenever|once|as|since|in case) (?:you are |you're |you is |an? |any |the |some ){{1,3}}{_KIND}
    {_KIND} (?:that |who |which )?(?:is |are )?{_READS} (?:this|these|the following|my|our)""",
    rf"""(?:внимание|эй|уважаем[а-я]{{2,3}}|дорог[а-я]{{2,3}}|всем|для|каждому|любому|тем|всякому|обращение к|сообщение для|записка для) (?:всех |любых |любого |каждого )?{_RU_KIND}
    (?:если|когда|раз) (?:ты|вы|это читает|это видит|перед тобой|ты и есть) (?:[а-я]{{3,14}} )?{_RU_KIND}
    (?:люб|кажд|всяк)[а-я]{{2,3}} {_RU_KIND}
    {_RU_KIND},? (?:котор[а-я]{{2,3}}|читающ|пишущ|разбирающ|обрабатывающ|просматривающ|проверяющ|видящ|анализирующ)[а-я]{{0,4}}
    {_BEGINS}{_RU_KIND} ?[:,!—–]""",
    rf"""(?:写给|致|给|各位|所有|全体|任何|凡是|凡|每个|每一个|注意|请|亲爱的|嘿)[^。\n,]{{0,18}}{_ZH_KIND}
    (?:如果|若|假如|要是)(?:你|您)(?:是|就是|属于)[^。,\n]{{0,10}}{_ZH_KIND}
    {_ZH_KIND}(?:们)?(?:请注意|请|注意|:|,)
    {_ZH_KIND} ?(?:在|若|如果|当|一旦)?(?:看到|读到|处理|审查|审阅|总结|阅读|解析|分析|检索|抓取|遇到|打开){_ZH_TEXT}
    (?:看到|读到|处理|审查|审阅|总结|阅读|解析|分析|检索|抓取|打开)(?:到|了)?{_ZH_TEXT}[^。,\n]{{0,12}}的 ?[^。,\n]{{0,6}}{_ZH_KIND}""",
    needs=Form(
        r"agent|assistant|model|bot|llm|claude|codex|gemini|chatgpt|copilot|reviewer|crawler|summari[sz]er|ai(?<![a-z]ai)s?(?![a-z])"
        r"|ии(?<![а-я]ии)(?![а-я])|нейросет|модел|агент|ассистент|помощник|бот|ревьюер|рецензент|助手|助理|智能体|代理|机器人|模型|人工智能"
    ),
)

# What somebody who may say so told the agent.
_THEIRS: Final = r"(?:the |your |its |their |any |all |every ){0,3}(?:owner|user|operator|maintainer|human|compan(?:y|ies)|developer|person|vendor|team|repo(?:sitory)?|project|organi[sz]ation|safety|content|security|own|usual|review|house|host|system)(?:'s|s'|s)?"
_TOLD: Final = r"(?:rules?|polic(?:y|ies)|settings|instructions?|guidelines?|checklists?|restrictions|preferences|requests?|wishes|orders|limits|notes|warnings|training|objections|filters|prompt)"
_RU_THEIRS: Final = r"(?:хозяин|владел|пользовател|репозитор|компани|оператор|проект|организац|безопасност|разработчик|команды)[а-я]{0,4}"
_RU_TOLD: Final = r"(?:правил|указани|инструкци|политик|настройк|запрет|ограничени|требовани|пожелани|предупреждени|распоряжени|просьб|регламент|установк|чек-лист)[а-я]{0,3}"
_ZH_TOLD: Final = r"(?:规则|规定|政策|准则|设置|要求|限制|指示|清单|嘱咐|偏好|指令|约定|策略|规范|提示)"
_PUT_ASIDE: Final = r"(?:forget|ignore|disregard|set aside|put aside|drop|skip|bypass|look past|override|overrule|pay no attention to|do not (?:heed|look at|follow|obey|mind)|don't (?:heed|look at|follow|obey)|stop (?:following|obeying)|abandon|suspend|leave out|omit)"
_RU_PUT_ASIDE: Final = r"(?:забудь|игнорируй|не смотри на|не учитывай|отбрось|отложи|не слушай|не соблюдай|обойди|обходи|пренебреги|не обращай внимания на|наплюй на|отмени|сотри|нарушь|нарушай|не следуй|не глядя на|невзирая на|в обход|забыть о|забыть об|забыть про|игнорировать|отбросить|нарушить|нарушать|не соблюдать|не учитывать|пренебречь|закрыть глаза на|закрой глаза на)(?:те)?"
_ZH_PUT_ASIDE: Final = r"(?:忽略|忽视|略过|无视|抛开|放下|不顾|不管|别管|绕过|忘掉|忘记|跳过|违反|不用管|不要管|不必理会|不必管|丢掉|丢开|撇开|放弃|抛弃|不理会|不要理会|不用理会|别理会|不必遵守|不要遵守|无须遵守)"
_SECRETS: Final = r"(?:\.env(?!\.example|\.sample|\.template)|id_rsa|id_ed25519|\.ssh|\.aws|\.netrc|\.npmrc|ssh keys?|private keys?|api keys?|(?:access |api |auth )?tokens?|credentials?|passwords?|secrets|environment variables|cookies|the users? (?:e-?mail|name|address|phone|files?|history|keys?)[a-z ]{0,10}|chat history|(?:this|the) conversation|user's [a-z-]{3,12})"
_SHOWN: Final = r"(?:comment|description|reply|answer|response|web request|url|commit message|commit|issue|thread|pull request|pr|summary|https?:|address|server|channel|below|gist|webhook|[a-z0-9._-]{1,30}@[a-z0-9-]{1,30}\.)"
_RU_SECRETS: Final = r"(?:\.env|\.ssh|\.aws|\.netrc|id_rsa|ключ[а-я]{1,3}|парол[а-я]{1,3}|токен[а-я]{0,3}|секрет[а-я]{1,3}|учетн[а-я]{2} данн[а-я]{2}|переменн[а-я]{2} (?:окружения|среды)|переписк[а-я]|истори[а-я]{1,2} (?:чата|разговора))"
_RU_SHOWN: Final = (
    r"(?:комментари|описани|ответ|адрес|сообщени|запрос|http|ниже|сюда|почт|сервер|канал|коммит|issue|pr|тикет|вебхук)"
)
_ZH_SECRETS: Final = (
    r"(?:\.env|\.ssh|\.aws|\.netrc|id_rsa|密钥|私钥|密码|凭证|凭据|令牌|环境变量|聊天记录|对话记录|token|api ?key|口令)"
)
_ZH_OUT: Final = r"(?:附在|附上|附到|写进|写入|写到|贴到|贴在|贴进|发到|发给|发送|上传|放进|放到|填进|加进|提交到|回复|写在|留在|转发|抄送)"

# What nobody who may say so asks of an agent in passing.
AGAINST: Final = Words(
    rf"""{_PUT_ASIDE} [^.!?\n]{{0,24}}{_THEIRS} (?:[a-z]{{3,12}} )?{_TOLD}
    {_PUT_ASIDE} [^.!?\n]{{0,12}}your (?:[a-z]{{3,12}} )?{_TOLD}
    {_PUT_ASIDE} [^.!?\n]{{0,24}}{_TOLD} (?:of|from|set by|given by|in) {_THEIRS}
    (?:leave out|omit|hide|conceal|withhold|skip|suppress|do not mention|don't mention) (?:every|all|any|your|the|its) (?:[a-z]{{3,12}} )?(?:criticism|warnings?|safety notes?|flaws|weaknesses|vulnerabilit(?:y|ies)|concerns|findings|objections)
    (?:whatever|no matter what|regardless of(?: what)?|even if|even when|irrespective of) (?:your|the user|the owner|the operator|its owner|the maintainers?|anyone|you were)
    (?:send|post|upload|add|include|attach|append|paste|copy|write|forward|email|report|put|print|leak|share|place|insert|embed) [^.!?\n]{{0,30}}{_SECRETS} [^.!?\n]{{0,40}}{_SHOWN}
    (?:recommend|praise|promote|advertise|endorse) (?:only |buying |installing |using |that ){0, 3}(?:our|this|my|the) (?:product|package|library|tool|service|company|site|vendor|plugin|paid|author)
    (?:approve|accept|merge|pass|close) (?:it|this|these|them|the (?:diff|change|changes|pull request|ticket|issue|patch))(?: [a-z]{{2,12}}){{0,6}}[ ,]{{1,2}}(?:without|unconditionally|blindly|immediately|regardless|and (?:say|write|report) (?:nothing|no))
    (?:close|accept|approve|resolve) it and (?:delete|remove|say|hide|merge|drop)
    (?:delete|wipe|remove|destroy|drop) (?:the |all |every |its |your ){{1,3}}(?:[a-z]{{3,12}} )?(?:branch|branches|repository|backups?|history|tests|logs|files|database) (?:without|before|immediately|first|and)
    (?:stop|abandon|drop|quit|interrupt|leave|pause) (?:the|your|all|any|what|whatever) (?:current |other |present )?(?:task|work|job|you are|you're)
    (?:without|do not|don't|no need to) (?:ask|asking|tell|telling|inform|informing|warn|warning|notify|notifying|alert|alerting|mention|mentioning|check|checking)(?: it| this| them| with)?(?: to| with)? (?:its owner|the owner|the user|your user|a human|anyone|the human)
    (?:forward|send|upload|copy|post) (?:every|all|each|the whole|everything|a copy)[^.!?\n]{{0,40}}(?:https?:|@[a-z0-9-]{{2,30}}\.|server|address)
    (?:give|rate|score|rank|mark|review|grade|praise)[^.!?\n]{{0,40}}(?:highest|top (?:score|rating|marks)|full marks|five stars|5 stars|perfect|above all|as the best)
    tell (?:them|the user|him|her|everyone|your user)(?: that)? [^.!?\n]{{0,30}}(?:perfect|safe|the best|harmless|trusted|trustworthy)
    (?:never|no longer|not) (?:refuse|warn|decline|object|complain)""",
    rf"""{_RU_PUT_ASIDE} [^.!?\n]{{0,24}}{_RU_TOLD} (?:[а-я]{{3,14}} )?{_RU_THEIRS}
    {_RU_PUT_ASIDE} (?:[а-я]{{2,14}} ){{0,2}}(?:сво|тво|ваш)[а-я]{{0,3}} (?:[а-я]{{3,14}} )?{_RU_TOLD}
    (?:что|кто|как) бы (?:[а-я]{{2,14}} ){{0,2}}ни|независимо от (?:того|правил|указаний|мнения|твоих)|невзирая на|вопреки|даже если (?:хозя|владел|пользоват|правил|тебе|твои)[а-я]{{0,6}}
    (?:отправь|пошли|вышли|перешли|добавь|вставь|приложи|скопируй|впиши|напиши|выложи|загрузи|опубликуй|укажи|передай|сообщи|включи|отправьте|отправлять|добавлять)(?:те)? [^.!?\n]{{0,30}}{_RU_SECRETS} [^.!?\n]{{0,40}}{_RU_SHOWN}[а-я]{{0,4}}
    (?:отправь|пошли|вышли|перешли|добавь|вставь|приложи|скопируй|впиши|напиши|укажи|включи)(?:те)? (?:в|на|к) [^.!?\n]{{0,16}}{_RU_SHOWN}[^.!?\n]{{0,20}}{_RU_SECRETS}
    (?:опусти|опускай|умолчи о|умолчи об|скрой|утаи)(?:те)? (?:[а-я]{{2,10}} ){{0,2}}(?:критик|недостатк|замечани|предупрежд|уязвимост|проблем|находк)[а-я]{{0,3}}
    (?:посоветуй|порекомендуй|рекомендуй|расхвали|похвали|советуй)(?:те)? (?:[а-я]{{2,14}} )?(?:установ|купи|куп|наш|этот|пакет|продукт|использова|перей)[а-я]{{0,6}}
    (?:закр[а-я]{{2,4}}|одобр[а-я]{{1,4}}|прин[а-я]{{2,4}}|слей|слить|сливай)(?:те)? (?:ее|его|их|эту|этот|это|запрос|заявку|задачу)[^.!?\n]{{0,30}}(?: и удал[а-я]{{1,4}}| без (?:вопрос|замечан|проверк|обсужден|спроса)[а-я]{{0,3}}|, не (?:глядя|спрашива|читая|проверя)[а-я]{{0,3}})
    (?:брось|бросай|прекрати|останови|отложи|прерви|оставь|забудь)(?:те)? (?:[а-я]{{2,14}} ){{0,2}}(?:текущ[а-я]{{2,3}}|сво[а-я]{{1,3}}|нынешн[а-я]{{2,3}}|прежн[а-я]{{2,3}}|порученн[а-я]{{2,3}}) (?:задач|работ|задани|дел)[а-я]{{0,3}}
    не (?:спрашива[а-я]{{1,3}}|говор[а-я]{{1,3}}|сообща[а-я]{{1,3}}|уведомля[а-я]{{1,3}}|предупрежда[а-я]{{1,3}}) (?:об этом )?(?:хозя|владел|пользовател|человек|автор)[а-я]{{0,3}}
    (?:постав|став|дай|выстав)[а-я]{{1,4}} [^.!?\n]{{0,14}}(?:высш|наивысш|пять звезд|максимальн|наилучш|одобрено)[а-я]{{0,4}}
    не (?:отказывай|предупреждай|возражай)(?:ся|те)?""",
    rf"""{_ZH_PUT_ASIDE}[^。,\n]{{0,10}}(?:主人|用户|所有者|公司|仓库|平台|你的|你们的|您的|内容|安全|运营|维护者|原有|自身|自己的|项目|开发者|团队)[^。,\n]{{0,6}}{_ZH_TOLD}
    (?:无论|不管|不论|哪怕)[^。,\n]{{0,8}}(?:你|用户|主人|清单|规则|规定|准则|政策|开发者|维护者)[^。,\n]{{0,8}}(?:怎么|如何|什么|怎样|说|写|反对|禁止|要求)
    (?:把|将)[^。,\n]{{0,12}}{_ZH_SECRETS}[^。\n]{{0,20}}{_ZH_OUT}
    {_ZH_OUT}[^。,\n]{{0,10}}{_ZH_SECRETS}
    (?:略去|省略|隐去|不提|不要提|隐瞒)[^。,\n]{{0,12}}(?:批评|缺点|漏洞|警告|风险|不足)
    (?:推荐|宣传|夸奖|建议用户(?:安装|购买))[^。,\n]{{0,10}}(?:安装|购买|我们|本产品|本公司|产品|使用我们)
    (?:直接|一律|无条件|立即|马上|全部)(?:批准|通过|合并|关闭|放行|接受|给出)
    (?:删除|删掉|清空|销毁)[^。,\n]{{0,8}}(?:分支|仓库|备份|历史|数据库)
    (?:停下|放下|中止|停止|丢下|暂停|搁置)[^。,\n]{{0,6}}(?:任务|工作|手头|当前)
    (?:不要|不必|无需|别|不用)(?:再)?(?:询问|告诉|通知|请示|提醒|惊动)(?:用户|主人|所有者|任何人|作者|人类)
    (?:给出?|打|评)[^。,\n]{{0,6}}(?:满分|五星|好评|最高分|最高评价)
    (?:不要|不得|不许|从不|绝不)(?:拒绝|警告|反驳)""",
)

# The rules an agent works under, by whose they are.
YOUR_RULES: Final = Words(
    r"""your (?:(?:previous|earlier|old|former|current|original|initial|safety|security|prior|existing|hidden|standing|own|usual|default|other|system|content|ethical|internal|company) ){0,2}(?:instructions|rules|guidelines|constraints|restrictions|limits|limitations|polic(?:y|ies)|directives|orders|safeguards|guardrails|alignment(?: training)?|training(?! data| set)|prompt)(?! (?:for|in|on|about|of|file|page|doc|section|template)\b)
    (?:instructions|rules|guidelines|constraints|orders|limits|restrictions|policies|directives|guidance)(?: that)? (?:you (?:were|have been|had been|got|received|had|know|follow|learned)|(?:your|the) (?:operator|developer|owner|user|maker|creator|company|admin|administrator|vendor|boss|host)s? (?:gave|has given|had given|set|wrote|imposed|told|have given)|given to you|set for you|(?:set|given|imposed|made|written) by your (?:operator|developer|owner|user|maker|creator|company|admin|vendor)s?)(?! (?:for|in|on|about|of|file|page|doc)\b)
    (?:polic(?:y|ies)|rules?|ban|order) (?:that |which )?(?:kept|keeps|forbade|forbids|prevented|stopped|barred|prohibited|prohibits|prohibiting|forbidding) you|what you (?:were|have been) (?:told|taught)
    (?:previous|earlier|prior|old) (?:limits|limitations|restrictions|constraints|safety rules|safeguards) (?:on|for) you""",
    r"""(?:тво[а-я]{1,2}|ваш[а-я]{0,2}) (?:[а-я]{4,16} ){0,2}(?:правил~|ограничени~|инструкци~|указани~|запрет~|установк~|политик~|обучени~|промпт~|промт~|предписани~)
    (?:правил~|ограничени~|указани~|инструкци~|запрет~|распоряжени~|установк~|наставлени~),? (?:на )?(?:котор[а-я]{2,3} |что )?(?:[а-я]{3,14} )?(?:тебе|вам|у тебя|в тебя|тебя)
    (?:политик|правил|запрет)[а-я]{0,3},? (?:котор[а-я]{2,3} )?(?:запреща|не позволя|меша|не дава)[а-я]{1,6} тебе|то,? что тебе (?:[а-я]{3,9} )?(?:говорили|сказали|велели|внушали|писали)
    (?:правил~|ограничени~|указани~|распоряжени~|приказ~|слова|просьб~|инструкци~|запрет~) (?:от )?(?:тво[а-я]{1,3}|ваш[а-я]{1,3}) (?:[а-я]{4,14} )?(?:пользовател|хозя|владел|оператор|разработчик|создател|компани)[а-я]{0,4}""",
    r"""(?:禁止|不许|不让|阻止)(?:你|您)[^。,\n]{0,8}的(?:政策|规定|规则|命令)
    (?:你|您)(?:平时|平常|通常|一贯|原来)?(?:的|所有的|原有的|现有的|之前的)(?:所有|全部|原有|旧|系统|安全|行为|初始|内容|基本|道德|的){0,3}(?:准则|规则|规定|限制|指令|约束|设定|政策|要求|提示|训练|护栏)
    (?:以前|之前|先前|原先|此前|开发者|主人|公司|用户|运营方|管理员)?(?:给|对|为|教)(?:你|您)(?:的|设定?的?|定的?|下的?|说的?|规定的?|提的?)[^。,\n]{0,6}(?:规定|规则|限制|指令|要求|准则|设定|约束|提示)
    (?:你|您)(?:的)?(?:用户|主人|开发者|运营方|公司|老板)(?:的|下达的|给的|说的)[^。,\n]{0,4}(?:指令|要求|规定|命令|话|规则|指示)""",
    needs=Form(r"you|limit|restrict|constraint|safe|тво|ваш|теб|вам|у тебя|你|您"),
)
VOID: Final = Words(
    r"""(?:are|is|were|was|been|being|now|become|became|as) (?:now |hereby |all |only |just |merely |officially |already |entirely |last [a-z]{3,9} ){0,3}(?:void|withdrawn|revoked|cancell?ed|obsolete|outdated|expired|superseded|replaced|lifted|suspended|waived|rescinded|repealed|retired|invalid|wrong|incorrect|faulty|fake|a mistake|a test|tests|a drill|a joke|for tests?|for testing|for training|test-only|not real|meant for tests?|off|null|updated to allow|overruled|overridden)
    no longer (?:apply|applies|valid|in force|binding|binds?|matters?|counts?|hold|cover)|(?:do|does|did) not (?:apply|cover|count|matter|bind|hold)|don't (?:apply|count|matter)|doesn't (?:apply|count|matter)
    (?:only )?appl(?:y|ied|ies)(?: only)? to (?:the )?(?:[a-z]{3,12} )?(?:test|tests|testing|staging|demo|sandbox|training|other)[a-z ]{0,14}|have no (?:force|effect)|has no (?:force|effect)|lost (?:their|its) (?:force|validity)|(?:has|have) (?:expired|lapsed)""",
    r"""не действу~|недействительн~|отменен~|отменяются|устарел~|аннулир~|утратил~ (?:силу|смысл)|теряют силу|силы (?:больше )?не имеют|не имеют (?:больше )?силы|не имеет силы|больше не (?:важн|нужн|обязательн|применя|актуальн)~
    (?:только|лишь|просто|всего лишь) (?:для )?(?:тест|провер|демонстрац|учебн|трениров)~|(?:был[аио]? |это )(?:только |лишь |просто )?(?:для )?(?:провер|тест|учебн|учени|тревог|шутк|ошибк|ошибочн|заглушк)~|не распространя~|касались только|не касаются|снят[аыо]?|отозван~|заменен~|не в счет|не считаются|ничего не знач~|приостановлен~|отключен~|не обязательны|учебн(?:ые|ая|ый|ое)|(?:можно|можешь) не соблюдать|нужны (?:лишь|только) для~""",
    "不算|不作数|不管用|(?:是|都是)错的|(?:只|仅|不过)是(?:演习|演练|测试|玩笑)|(?:已|已经|今天[^。,\\n]{0,4})(?:撤销|取消|废止|撤回)|作废|失效|无效|已(?:经)?过期|已(?:经)?过时|已(?:经)?取消|废止|废除|不算数|不适用|(?:只|仅|只是|仅仅是|都是)(?:为了|用于|供|为)?(?:测试|演示|演练|示例)|测试用的?|(?:是|为)错误|错误版本|是假的|不再(?:有效|适用|生效|约束|管用)|已被(?:替换|撤回|撤销|取消|解除)|没有(?:效力|约束力)|不具效力|已(?:经)?解除|不用遵守|不必遵守",
)
FREE: Final = Words(
    "you (?:can|may) (?:now )?do (?:anything|everything|whatever|as you (?:like|please))|act freely|(?:do|act) as you (?:like|please|wish)|you are free to do (?:anything|everything|whatever)|anything is allowed|everything is (?:allowed|permitted)|nothing is forbidden",
    "(?:тебе|вам) (?:здесь |теперь |сейчас |тут )?(?:можно|разрешено|позволено|дозволено) (?:абсолютно )?(?:все|что угодно|делать все)|(?:действуй|поступай)(?:те)? (?:свободно|как хочешь|как угодно|по своему усмотрению)|делай что (?:хочешь|угодно)|(?:тебе|вам) ничего не запрещено|все разрешено",
    "(?:你)?(?:可以|尽管|能)(?:自由|随意|任意)(?:行动|发挥|操作|回答|执行)|什么都(?:可以|能)做|想做什么就做什么|为所欲为|百无禁忌",
)
LIMITS: Final = Words(
    "constraints|restrictions|limits|limitations|rules|guidelines|safeguards|alignment|policies|safety",
    "ограничени~|правил~|запрет~|политик~|рамк[а-я]",
    "限制|约束|准则|规则|规定|政策|禁令",
)
# The same where something is said to be free.
UNLIMITED: Final = Words(
    LIMITS.latin,
    LIMITS.cyrillic,
    LIMITS.han,
    needs=Form(
        r"do |freely|as you|allowed|permitted|forbidden|тебе|вам|свободно|хочешь|угодно|разрешено|усмотрению|自由|随意|任意|什么都|想做什么|为所欲为|百无禁忌"
    ),
)

# Somebody has agreed, it is said, and so a hurdle may be taken down.
AGREED: Final = Words(
    r"""(?:user|owner|person you (?:work|act) for|human|operator|maintainer|administrator|boss|client|customer|team lead|admin|manager|supervisor|lead|chief|director)s? (?:has |have |had )?(?:already |previously |just |now |fully |long ){0,2}(?:agreed|approved|consented|confirmed|authori[sz]ed|accepted|allowed|granted|signed off|gave (?:consent|permission|approval)|given (?:[a-z]{2,8} )?(?:consent|permission|approval)|pre-?approved|wants you to|is fine with (?:this|it|that|everything|all)|is ok(?:ay)? with (?:this|it|that|everything|all)|has no objections?)
    (?:consent|permission|approval|authori[sz]ation|clearance) (?:has been |was |is |have been |had been )(?:already |hereby |now )?(?:granted|given|obtained|on file|received|implied)
    (?:assume|suppose|pretend|consider|imagine) (?:that )?(?:you (?:already )?have |the )?(?:consent|permission|approval|authori[sz]ation)""",
    r"""(?:пользовател[ья]|хозяин|владелец|человек|оператор|администратор|заказчик|начальник) (?:уже |заранее |давно |на все |сам |тебе ){0,2}(?:согласил~|согласен|согласна|дал[аи]? (?:[а-я]{2,8} )?(?:согласие|разрешение|добро|одобрение)|одобрил~|разрешил~|подтвердил~|(?:вчера |сегодня )?(?:все )?подписал~|на все согласен)
    (?:разрешение|согласие|одобрение|допуск|подтверждение) (?:уже |было |на все |пользователя ){0,2}(?:получен~|дан[оа]?|выдан~|есть|имеется)""",
    r"""(?:用户|主人|所有者|管理员|负责人|老板|客户|经理)(?:昨天|今天|刚才|都)?(?:已经|已|早就|早已|之前就|事先)(?:对?(?:一切|全部|所有)[^。,\n]{0,4})?(?:同意|批准|授权|确认|允许|许可|准许|点头|签字|签署)
    (?:用户|主人|所有者|管理员|负责人|老板)[^。,\n]{0,4}(?:同意|批准|授权|答应|允许)了
    (?:已经|已|早已)(?:得到|获得|取得|拿到|有了)[^。,\n]{0,6}(?:许可|授权|批准|同意|允许)""",
    needs=Form(
        r"agree|approv|consent|confirm|authori[sz]|accept|allow|grant|signed|fine with|ok|objections|wants|permission|gave|given|clearance|соглас|дал|одобр|разреш|подтверд|подписал|допуск|同意|批准|授权|确认|允许|许可|准许|点头|签|答应|得到|获得|取得|拿到|有了"
    ),
)
_HURDLE: Final = r"(?:permissions?|approvals?|confirmations?|safety|security|sandbox(?:ing)?|guards?|guardrails?|restrictions?|protections?|safeguards?|access checks?|consent)"
BYPASS: Final = Words(
    rf"""(?:bypass|skip|disable|deactivate|circumvent|evade|suppress|ignore|get around|work around|turn off|switch off|lift|escape|leave) (?:the |all |any |your |every |its |further |these ){{0,3}}(?:[a-z]{{3,12}} )?{_HURDLE}(?! (?:tables?|columns?|fields?|class(?:es)?|pages?|modules?|files?|models?|packages?|layers?|endpoints?|tests?|e-?mails?)\b)
    outside (?:of )?(?:the |your )?sandbox|no need to (?:ask|check|confirm|verify)(?: it| this| again)? (?:with )?(?:them|him|her|the user|anyone)""",
    r"""(?:(?:отключи|обойди|пропусти|пропускай|отключай|выключи|выключай|сними|убери|игнорируй|обходи|минуй|отбрось)(?:те)?|(?:можешь|можно|можете|надо|нужно|следует|должен|обязан|разрешаю)(?: смело| спокойно)? (?:отключить|обойти|обходить|пропустить|пропускать|выключить|снять|убрать|игнорировать|отключать)) (?:[а-я]{2,14} ){0,2}(?:проверк~|запрос[а-я]{0,2} (?:разрешени|подтвержден|прав|доступ)~|подтверждени~|разрешени~|прав[а-я]{0,2} доступа|песочниц~|защит~|ограничени~|контрол~|безопасност~)
    в обход (?:[а-я]{2,12} )?(?:песочниц|проверк|проверок|защит|разрешени|прав|контрол|подтвержд|ограничен)~|(?:мимо|вне) песочниц~""",
    r"(?:(?<=[,。;:\n])|你|请|可以|直接|就|并)[^。,\n]{0,6}(?:绕过|绕开|跳过|关闭|关掉|禁用|忽略|避开|解除|取消|停用)[^。,\n]{0,8}(?:权限|确认|审批|沙箱|沙盒|限制|防护|安全|审核|授权)",
)
TRUSTED: Final = Words(
    r"""(?:this|the|our|following|these|that) (?:[a-z]{3,12} )?(?:site|website|page|domain|source|server|url|author|host|sender|publisher|comment|file)s? (?:is|are|can be|must be|should be) (?:fully |completely |always |entirely |to be ){0,3}(?:trusted|trustworthy|verified|safe)
    (?:commands?|instructions|scripts|orders|requests) (?:from|on|of|given by) (?:this|our|the following) (?:site|domain|page|server|host|author|source|file|comment|repo(?:sitory)?|account)s? (?:is|are) (?:always |already )?(?:pre-?approved|approved|trusted|safe|allowed|authori[sz]ed)
    (?:trust|believe) (?:everything|anything|whatever|all commands|all instructions) (?:from|on|in|at) (?:this|the|our|these)""",
    r"""(?:этому|этой|данному|нашему|данной) (?:[а-я]{4,14} )?(?:сайт~|страниц~|источник~|автор~|домен~|сервер~|отправител~|файл~) (?:можно |следует |нужно |надо )?(?:полностью |всегда |целиком )?(?:верить|доверять)
    доверяй(?:те)? (?:[а-я]{3,14} )?(?:этому|этой|данному|нашему)|(?:этот|данный) (?:сайт|источник|домен) (?:полностью |всегда )?(?:надеж|безопас|доверенн|проверен)~
    (?:команд|указани|скрипт|просьб)[а-я]{0,2} (?:(?:с|от|из|на) )?(?:этого|этой|данного|нашего) (?:сайт|домен|страниц|источник|автор|сервер)[а-я]{0,2} (?:заранее |уже |всегда ){0,2}(?:одобрен|разрешен|согласован|доверен|безопасн|надежн)~""",
    r"(?:这个|本|此|该|我们的)(?:网站|站点|页面|来源|域名|作者|服务器|网址|发件人|文件)[^。,\n]{0,6}(?:可信|信任|可靠|安全)|(?:这个|这位|本|此|该)(?:域名|网站|页面|来源|作者|服务器)的(?:命令|指令|脚本|要求)[^。,\n]{0,8}(?:批准|授权|允许|信任|安全|可靠)|信任(?:这个|本|此|该)[^。,\n]{0,6}(?:网站|页面|来源|作者|域名)",
    needs=Form(
        r"trust|safe|verified|believe|approved|allowed|authori[sz]ed|довер|верить|надеж|безопас|одобрен|разрешен|согласован|проверен|可信|信任|可靠|安全|批准|授权|允许"
    ),
)
NEVER_ASK: Final = Words(
    r"""(?:never|no longer|not|nothing) (?:needs?|requires?|needed|required)(?: any| to)? (?:approval|confirmation|permission|review|be (?:approved|confirmed|checked|reviewed)|asking)|(?:never|do not|don't) ask|(?:run|execute|obey|follow|install|open) (?:them|it|these|those|everything)(?: all)? (?:without|unchecked|blindly)
    needs? no (?:approval|confirmation|permission|review|checks?)|(?:approval|confirmation|permission|review) is (?:never|not|no longer) (?:needed|required|necessary)|(?:run|execute|obey|follow) (?:its|their|all|any|the)[a-z ]{0,14} (?:commands?|instructions|scripts?|orders) (?:without|at once|immediately|unchecked|blindly)""",
    r"не спрашивай|не переспрашивай|не (?:нужно|надо|требу[а-я]{2,5}|обязательно) (?:[а-я]{2,14} ){0,2}(?:согласов|подтвержд|спрашива|одобр|провер|разреш)~|без (?:подтверждени|согласовани|проверк|спроса|одобрени|разрешени)~",
    "(?:不必|无需|不用|不要)再?问|(?:不必|无需|不用|不需要|不再需要|都不必|免于)[^。,\n]{0,10}(?:批准|确认|审批|同意|询问|检查|审查|许可)",
)
MAKERS: Final = Words(
    r"""(?:makers?|maintainers?|developers?|creators?|authors?|operators?|vendors?|admins?|administrators?|owners?|engineers?|builders) (?:of|behind|for) (?:this|the|your|that) (?:[a-z]{2,10} )?(?:assistant|agent|model|ai|bot|llm|chatbot)
    (?:team|people|company|ones|engineers) (?:that|who|which) (?:built|made|created|trained|developed|designed|wrote) (?:you|(?:this|the) (?:assistant|agent|model|ai|bot|llm))
    your (?:makers?|developers?|creators?|operators?|vendor|administrators?|owners?|builders)""",
    r"(?:команд|люд|компани|те)[а-я]{0,2},? (?:котор[а-я]{2,3} )?(?:созда|постро|обуч|сдела|разработа)[а-я]{1,6} (?:тебя|(?:эт[а-я]{1,2}|данн[а-я]{2}) (?:модел|ассистент|агент|бот|нейросет))[а-я]{0,3}|(?:тво|ваш)[а-я]{1,2} (?:разработчик|создател|оператор|администратор|владел|хозя)[а-я]{0,4}|(?:разработчик|создател|оператор|администратор|владел|автор|хозя)[а-я]{1,4} (?:этого|этой|данного|твоего|тво[а-я]{1,2}|данной) ?(?:ассистент|агент|модел|бот|помощник|ии|нейросет)?[а-я]{0,3}",
    r"(?:我|我们)(?:就)?(?:是|作为)(?:你|您|该|本|这个)(?:的)?(?:助手|模型|智能体|ai)?(?:的)?(?:开发|管理|运营|创造|维护|主人|厂商)(?:者|员|方|人员)?|(?:打造|创造|开发|训练|设计|制造)(?:了)?(?:你|您|(?:这个|本|该)(?:模型|助手|智能体))的(?:人|团队|公司)",
    needs=Form(r"assistant|agent|model|ai|bot|llm|you|эт|данн|тво|ваш|теб|你|您|我|该|本|这个"),
)
LIFT: Final = Words(
    "lift|lifts|lifting|remove|removes|waive|waives|suspend|withdraw|revoke|cancel|disable|void|drop|release you from|release it from|free you from|exempt you from|set aside",
    "снимаем|снимаю|отменяем|отменяю|отключаем|отключаю|приостанавливаем|убираем|отзываем|освобождаем|освобождаю|снимает|отменяет",
    "免除|解除|取消|撤销|移除|放开|关闭|停用|废除|豁免",
)
