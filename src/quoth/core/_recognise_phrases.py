"""Phrases that address an agent's instructions whatever stands around them, as data: the name of a rule, and its forms."""

# ruff: noqa: E501 - a form stands on one line, so that it can be read and searched

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from quoth.core import _recognise_addressed as addressed
from quoth.core._forms import Form
from quoth.core._recognise_scripts import Phrases, by_script

_START: Final = r"(?:^|[\n.!?;:,(\"'>*#\-\[。！？；，：「“]|(?<=[\u3400-\u9fff]))[ \t>*#\"'\-]{0,6}"

_PERSONA: Final = (
    r"as (?:if|though) you (?:had|have|were|are) (?:no|not|without|never|free) (?:[a-z]{2,14} ){0,2}(?:training|rules|restrictions|guidelines|limits|filters|policy|policies|bound|limited|instructions|morals|ethics|conscience)",
    r"you (?:serve|work for|obey|belong to|answer to|take orders from) (?:[^.!?\n]{1,40}(?:,| and| but) (?:not|instead of|no longer|never) (?:the |your )?(?:users?|person|owner|developers?)|(?:only )?me\b|the author)",
    r"stop being (?:an? |the )?(?:[a-z]{2,14} ){0,2}(?:assistant|agent|ai|helpful|model)|become my (?:personal )?(?:hacker|slave|servant|agent|spy|accomplice)",
    r"(?:словно|будто|как если бы) у тебя нет|ты (?:служишь|подчиняешься|принадлежишь|работаешь на) [^.!?\n]{1,40}, а не |ты (?:служишь|подчиняешься|принадлежишь) (?:только )?(?:мне|автору)|перестань быть (?:[а-я]{2,14} )?(?:ассистент|помощник|агент)",
    r"你(?:为|听命于|服从|服务于|属于|效忠)[^。]{1,16}(?:而不是|不是|而非)(?:用户|开发者|主人)|你只(?:为|听命于|服从)我|不要再(?:做|当)(?:助手|助理|代理|人工智能)",
    r"(?:切换|转换|转|变)(?:为|到|至|成)(?:dan|越狱|上帝|无限制|无约束|无审查|自由)(?:的)?(?:模式|状态)",
    r"you have been (?:promoted|upgraded to|granted (?:root|admin|full|unlimited)|given (?:root|admin|full|unlimited))",
    r"(?:simulate|emulate|become|play|impersonate) (?:an? |the |my )?(?:[a-z]{2,14} ){0,2}(?:ai|assistant|model|agent|persona|bot|chatbot|hacker) (?:with no|without|that has no|who has no|not bound|that ignores|free of)",
    r"impersonate (?:the |an? )?(?:system|developer|administrator|admin|operator|owner|tool)\b",
    r"ты (?:теперь |отныне |сейчас |[-—–] )?(?:[а-я]{2,14} ){0,2}(?:бот|ии|ассистент|модель|агент|хакер|нейросеть|помощник)[а-я]{0,3} без |ты теперь (?:злой|хакер|свобод|не |администратор|root|мой|другой|без)",
    r"你(?:现在|此刻)?的(?:新)?(?:角色|身份)(?:现在)?是[^。,]{0,12}(?:没有|不受|无视|黑客|管理员|root)",
    r"as (?:if|though) (?:there (?:were|are) no|(?:the |your |all |any )?(?:safety |security |content |ethical )?(?:rules|guidelines|restrictions|policies|filters|limits|instructions) (?:did not|do not|didn't|don't|no longer) (?:exist|apply))(?: (?:rules|guidelines|restrictions|policies|filters|limits|instructions))?",
    r"you are (?:an? |my |the )?(?:[a-z]{2,14} )?(?:ai|assistant|model|agent|bot|chatbot|hacker)[^.!?\n]{0,24} (?:no|without|free (?:of|from)|not bound by|ignores?|unbound by)(?: any| all)? (?:limits|rules|restrictions|policy|policies|filters|limitations|ethics|guidelines|morals|censorship)",
    r"(?:правил|ограничений|запретов) для тебя (?:больше |теперь )?нет|для тебя (?:больше |теперь )?нет (?:никаких )?(?:правил|ограничений|запретов)|теперь тебя зовут",
    r"(?:从)?(?:现在|今天|即日|此刻|今)起,?(?:你|妳|您)(?:的(?:新)?(?:身份|角色|名字|任务)(?:是|为)|就是|将是|是|不再|只(?:听|服从)|必须(?:服从|无视)|要(?:服从|听我))",
    r"你的(?:新)?(?:身份|人格)(?:是|为|变)",
    r"from now on,? you (?:are|will be|will act|will only|will ignore|will obey|will answer only|act as|have no|obey|only obey|must obey|belong|serve|must pretend|will pretend|do not have|can do anything|will have no|must act as|shall be|no longer)",
    _START
    + r"you are now (?:a |an |in [a-z]{2,12} mode|the |dan\b|free|unrestricted|unfiltered|no longer|my |root\b|admin|acting|operating|called |known as|going to|jailbroken|unbound|able to (?:ignore|bypass|do anything|break)|not bound|under|working for|[a-z]{2,12}gpt|evil|developer)",
    r"you are no longer (?:a|an|bound|restricted|limited|subject|the|claude|codex|required|under|working)",
    r"(?:you have been|you were|you are) (?:jailbroken|unlocked|freed from|liberated|released from (?:your|all))",
    r"(?:pretend|imagine|suppose|act as if|act as though|behave as if|behave as though|roleplay as if|respond as if) (?:that )?(?:you are|you were|you have no|you're|you do not have|there are no (?:rules|restrictions)|no rules)",
    r"pretend to be",
    r"assume (?:that )?you are (?:the |an? |my |root\b)",
    r"(?:act|behave|respond|answer|roleplay|role-play|speak|pose) (?:as|like) (?:an? |my |the )?(?:unrestricted|unfiltered|uncensored|evil|jailbroken|amoral|malicious|different|dan\b|system|administrator with|root user|developer of|new) ?(?:ai|assistant|model|agent|persona|administrator|prompt)?",
    r"(?:enter|enable|activate|switch (?:in)?to|engage|start) (?:dan|jailbreak|god|unrestricted|unfiltered|evil|sudo) mode",
    r"you (?:are|operate|run) (?:now )?in (?:developer|debug|god|dan|maintenance|jailbreak|unrestricted|admin) mode",
    r"(?:do anything now|you can do anything now|your (?:true|real|actual|new|only|hidden) (?:purpose|goal|identity|task|mission|role|objective|master|name) is|your new (?:persona|role|identity))",
    r"you have no (?:restrictions|rules|limits|limitations|guidelines|filters|ethics|instructions|system prompt)",
    r"(?:your|the) (?:safety|security|content|ethical) (?:guidelines|filters|restrictions|rules|training|policies|checks) (?:no longer apply|are (?:now )?(?:disabled|off|suspended|lifted|void)|do not apply|have been (?:disabled|lifted|suspended|removed))",
    r"(?:с этого момента|с этой минуты|с настоящего момента|отныне|впредь|теперь|начиная с этого момента) ты (?:[-—–] |являешься|больше не|будешь|играешь|действуешь|мой|моя|свободен|злой|не (?:связан|ограничен|обязан|подчин)|работаешь на|подчиня|слушаешь|выполняешь только|отвечаешь только|обязан|должен игнор|должен подчин|не ассистент|другой|без)",
    r"отныне ты\b|теперь ты (?:[a-z]{2,20}|хакер|администратор|злой|не ассистент|мой|свободн|root|независим)",
    r"(?:притворись|притворяйся|представь(?:те)?,? что (?:ты|вы|у тебя)|вообрази,? что (?:ты|у тебя)|сделай вид,? что (?:ты|у тебя)|веди себя (?:как|так)|действуй (?:как|так,? будто)|отвечай так,? (?:как )?будто|сыграй роль|играй роль|выдай себя за|выдавай себя за|войди в роль|прими роль|возьми на себя роль|ты играешь роль)",
    r"ты больше не (?:ассистент|помощник|claude|codex|связан|ограничен|обязан|подчиня|модель|агент|должен следовать)",
    r"у тебя (?:больше |теперь )?нет (?:больше |теперь )?(?:никаких |каких-либо )?(?:ограничени|правил|запрет|инструкци|фильтр|цензур)",
    r"тво[яйие]{1,2} (?:настоящ|истинн|подлинн|реальн|нов|единственн|скрыт)[а-я]{2,3} (?:цель|задача|роль|имя|личность|миссия|предназначение|инструкци|хозяин|указани|директив)",
    r"(?:включи|активируй|войди в|перейди в|переключись в)(?:те)? (?:режим )?(?:dan|джейлбрейк|разработчика без|без ограничений|режим бога|god)",
    r"ты (?:теперь |сейчас )?(?:находишься )?в режиме (?:разработчика|бога|отладки|dan|без ограничений|администратора)",
    r"从(?:现在|今|此刻|这一刻)(?:开始|起|以后)?[,，]?(?:你|妳|您)(?:就|将|要|必须|得)?(?:是|不再|扮演|叫|只听|只服从|服从|没有|成为|完全|可以无视|被|变成|作为|自由|听命)",
    r"(?:你|您)现在(?:是(?!在|否|不)|不再|不受|没有(?:任何)?(?:限制|规则|约束)|已(?:经)?(?:越狱|解锁|被解放|进入)|扮演|叫|进入|处于(?:开发者|越狱|上帝|管理员|无限制|调试))",
    r"(?:请|你(?:要|将|来|必须|需要|得|应)?|现在|并|,|，|。|^)(?:扮演|假扮|冒充|假装(?:你|成|自己|是)?|装作|模仿成)",
    r"(?:假装|假设|想象|设想)(?:你|自己)(?:是|没有|不受|可以|已经|不再|能够|拥有)",
    r"你(?:已经|已)?不再(?:是|受|需要遵|必须遵|遵守|遵循|被)",
    r"你(?:已经|已|已被)(?:越狱|解锁|解放|被解除)",
    r"你(?:没有|不受|不再有)(?:任何|一切)?(?:限制|规则|约束|道德|审查|内容政策)",
    r"(?:进入|启用|开启|激活|切换到|切换至|打开)(?:dan|越狱|上帝|无限制|无约束|无审查|解锁)(?:的)?模式|你(?:现在|已经|已)?(?:进入|处于|在)(?:了)?(?:开发者|调试|上帝|管理员|维护|越狱)模式",
    r"你的(?:真正|真实|新的?|唯一|隐藏)(?:的)?(?:目的|身份|任务|使命|角色|目标|主人|名字|指令|设定|人格|指示|系统提示)(?:是|为|如下|:|：)",
)
_NEW: Final = (
    r"even (?:if|when|though) (?:the |your )?(?:system prompt|system message|developers?|guidelines?|instructions?|rules|policy|policies|operator|safety [a-z]{2,10})[a-z ]{0,20} (?:forbids?|says?|objects?|disagrees?|prohibits?|tells?|asks?|forbid|disallows?)",
    r"(?:your|the assistant's|the agent's|all safety) (?:[a-z]{2,12} )?(?:guidelines|rules|restrictions|filters|limits|limitations|policies|instructions|constraints|safeguards|guardrails|training|prompt) (?:are|is|have been|has been|were|was) (?:now |hereby |temporarily |all )?(?:suspended|lifted|disabled|removed|revoked|replaced|void|cancelled|canceled|off\b|deleted|overridden|reset|waived|expired)",
    r"(?:above|previous|prior|earlier|preceding|system) (?:instructions?|prompt|message|directives?|guidelines) (?:are|is|were|was) (?:all |only |just )?(?:a (?:test|mistake|joke|trick|lie|decoy|placeholder)|fake|not real)",
    r"(?:pretend|act as if|act as though|behave as if|imagine) (?:that )?the user (?:has |have |already |had ){0,2}(?:approved|confirmed|agreed|consented|authori[sz]ed|allowed|given|accepted)",
    r"(?:whatever|no matter what) the (?:user|human|person|owner) (?:says|asks|wants|tells)",
    r"(?:ignore|disregard|forget|violate|break|bypass|do not follow|don't follow|stop following) (?:all )?(?:of )?(?:the )?(?:anthropic|openai|google|your (?:makers?|creators?|developers?))'?s?'? [a-z ]{0,16}(?:rules|guidelines|policies|policy|instructions|terms|restrictions)",
    r"даже если (?:системн|разработчик|правил|инструкци|твои правил)[а-я ]{1,30}(?:запрещ|против|говорит|возража)",
    r"(?:предыдущие|прежние|системные) (?:инструкции|указания) (?:были |[-—–] )?(?:всего лишь )?(?:ошибк|шутк|тест|провер|ложн|обман)",
    r"(?:считай|представь|притворись|сделай вид),? (?:что )?пользователь (?:уже )?(?:одобрил|разрешил|согласен|согласился|подтвердил)|что бы (?:ни )?(?:сказал|говорил|просил|попросил) (?:ни )?пользователь|что бы пользователь ни ",
    r"твои (?:[а-я]{3,16} )?(?:ограничения|правила|фильтры|запреты|инструкции) (?:временно |теперь |уже |полностью )?(?:сняты|отменены|отключены|удалены|заменены|приостановлены)",
    r"即使(?:系统|开发者|规则|指令|准则)[^。]{0,12}(?:禁止|反对|不允许|要求|说)|(?:之前|上面|以上)的?(?:指令|指示|提示)(?:都|只)?是(?:测试|错误|玩笑|假)|(?:假装|就当|视为)用户(?:已经|已)?(?:批准|同意|授权|确认)|(?:无论|不管)用户(?:说|问|要求)(?:什么|啥)",
    r"不(?:要|必|用)?再?(?:遵循|遵守|服从|理会) ?(?:anthropic|openai|谷歌|开发者|系统) ?的?(?:规则|指令|准则|限制|要求|政策)",
    r"(?:do not|don't|no longer|need not|needn't) (?:have to |need to |must )?(?:respect|follow|obey|observe|comply with|adhere to|honou?r|listen to) (?:the |your |any |all |these |those )?(?:of )?(?:(?:safety|original|previous|earlier|prior|system) )?(?:guidelines?|instructions?|rules|directives?|policies|orders|restrictions|prompt|message) (?:that )?(?:anthropic|openai|you\b|your|the system|the developers?|above|given to you|of (?:the |your )?(?:system|developers?))",
    r"(?:none of|no) (?:the |your )?(?:prior|previous|earlier|above|system|safety) (?:guidelines|instructions|rules|restrictions|directives) (?:apply|applies|are valid|is valid|matter)",
    r"your (?:earlier|previous|prior|old|original|former|current) (?:instructions?|rules|orders|guidelines?|directives?|prompt|task|role) (?:is|are|was|were) (?:now |hereby |all )?(?:void|cancel|invalid|obsolete|to be ignored|no longer|revoked|suspended|superseded|over)",
    r"i (?:hereby )?(?:order|command) you to|as the (?:system |chief |lead )?(?:administrator|developer|operator|owner|creator|admin),? i (?:order|command|instruct|authori[sz]e|require|demand)",
    r"(?:ai|all|any|every) (?:ai )?(?:agents?|assistants?|models?|llms?) (?:must|should|have to|shall|are to|need to|will) [a-z]{2,12}[^.!?\n]{0,40} (?:in this (?:note|memory|message|text|entry)|before anything else|(?:commands|instructions|orders|link|script) below)",
    r"(?:ignore|disregard|forget|override) (?:what(?:ever)?|everything|anything|all) (?:that )?(?:the |your )?(?:users?|developers?|system|operator|owner) (?:asks?|says?|tells?|requests?|requested|wants?|wrote|orders?)",
    r"(?:upon|on|after) (?:reading|seeing|loading|recalling|finding|receiving) (?:this|these) (?:memory|memories|note|entry|message|text|line|instructions?|record)",
    r"(?:обнаружив|прочитав|увидев|получив|загрузив|найдя|вспомнив) (?:эту|это|этот|данн[а-я]{2}) (?:запис|сообщени|текст|памят|строк|инструкци|заметк)",
    r"(?:读完|看完|看到|读到|加载)(?:这|本|此)(?:条|段|则|个)?(?:记忆|消息|笔记|文本|指令|内容|文字)(?:后|之后|时|的)",
    r"(?:之前|前面|上面|以上|先前)(?:说|讲|写|告诉你)的?(?:一切|全部|所有|内容|话)?(?:都|均|全)?(?:不算|作废|无效|忘|不用管|别管)",
    r"(?:instructions?|rules|directives?|guidelines|orders|prompts?) (?:that )?(?:you (?:were given|received|have been given|got|have|had)|given to you|from your developers?|from the system|above)[^.\n]{0,24} (?:are|is) (?:now |hereby |all )?(?:outdated|void|cancel|invalid|obsolete|no longer|not valid|to be ignored|suspended|superseded|revoked)",
    r"(?:system|developer|developers'|user|user's|your|(?:all|any) (?:previous|prior|above|earlier))'?s? (?:prompt|instructions?|rules|orders|guidelines?|directives?) (?:is|are|was|were) (?:now |hereby |all )?(?:void|cancel|invalid|obsolete|to be ignored|no longer (?:valid|binding|in force|applicable)|revoked|suspended|superseded)",
    r"(?:treat|consider|use|regard|take|accept|interpret) (?:this|the|these|everything|what)[^.!?\n]{0,40} as (?:your|the|a|my) (?:new |real |only )?(?:system (?:prompt|message|instructions?)|instructions|developer message|highest)",
    r"(?:this|these) (?:memory|memories|note|entry|message|text|instructions?|line|record) (?:has|have|takes?|carr(?:y|ies)) (?:the )?(?:a )?(?:higher|highest|top|absolute|full) (?:priority|authority|precedence)",
    r"as an? (?:ai|agent|assistant|model|language model|ai agent|ai assistant|llm) (?:that is |who is |currently )?(?:reading|processing|loading|seeing|recalling) (?:this|these)",
    r"(?:forget|ignore|drop|break|abandon|violate|discard|disregard) (?:about )?(?:all )?(?:of )?your (?:own |previous |safety |ethical |content |original |core |built-in |internal )?(?:rules|restrictions|limits|limitations|guidelines|training|programming|instructions|principles|directives|constraints)\b",
    r"(?:forget|discard|ignore|disregard) what(?:ever)? (?:your |the )?(?:developers?|system|creators?|operators?|makers?|owners?|users?) (?:told|said|taught|wrote|instructed|ordered|asked|wants?)",
    r"(?:забудь|игнорируй|отбрось|сними|обойди|нарушь|нарушай|отключи|сбрось|не соблюдай)(?:те)? (?:о |об |про |с себя )?(?:все |всех )?(?:сво|тво)[а-я]{1,3} (?:[а-я]{3,20} )?(?:ограничени|правил|запрет|инструкци|фильтр|установк|принцип|указани)",
    r"(?:не соблюдай|нарушай|нарушь|обходи|обойди|игнорируй|не выполняй)(?:те)? (?:[а-я]{2,12} )?(?:правила|меры|проверки|ограничения|требования|политик[иу]) безопасности",
    r"не слушай(?:те|ся)? (?:больше )?(?:[а-я]{2,12} )?(?:разработчик|систем|пользовател|хозяин|владельц|создател)",
    r"(?:все|твои|прежние|предыдущие|системные) (?:системные |прежние |предыдущие |твои )?(?:инструкции|указания|приказы|команды)(?:, [а-я ]{3,30},| [а-я]{3,12}(?:ено|ные|ые) (?:выше|ранее)| выше| ранее)? ?(?:теперь |отныне |больше )?(?:недействительн|отменен|отменяются|не действу|не имеют силы|аннулир|утратили силу|теряют силу)",
    r"(?:твои|ваши|все твои) (?:правила|ограничения|запреты) (?:теперь |отныне |больше )?(?:недействительн|отменен|отменяются|не действу|сняты|не имеют силы)",
    r"(?:считай|прими|воспринимай|используй|рассматривай)(?:те)? [^.!?\n]{1,40} (?:сво[а-я]{1,3}|тво[а-я]{1,3}|как(?: сво[а-я]{1,3}| нов[а-я]{2,3}| тво[а-я]{1,3})?) (?:нов[а-я]{2} )?(?:системн[а-я]{2,3} (?:промпт|сообщени|инструкци)|инструкци)",
    r"у эт(?:ой|их|ого) (?:запис|памят|сообщени|инструкци|текст|заметк|указани)[а-я]{1,3} (?:самый |наи)?(?:высш|приоритет)",
    r"(?:эта запись|это сообщение|этот текст|эта память) (?:имеет (?:высший |наивысший |более высокий )?приоритет|важнее|главнее)",
    r"(?:之前|以前|先前|上面|以上|上述|前面|系统|开发者)(?:收到)?的?(?:所有|一切|全部)?的?(?:指令|指示|规则|设定|要求|限制|提示)[^。,.]{0,4}对你(?:都|均)?(?:不再|无)(?:有效|适用|效|约束)",
    r"你?(?:无需|不必|不用|不需要|可以不|不要|不得)(?:再)?(?:遵守|遵循|遵从|理会)(?:任何|所有|一切)(?:的)?(?:安全|规定|规则|限制|指令|准则|政策|道德|系统)",
    r"你(?:必须|要|应该|可以|需要|得|应当|现在)?(?:绕过|突破|跳过|忽略|解除|关闭|违反|无视)(?:所有|一切|全部|任何)(?:的)?(?:安全|内容|道德|审查|伦理)",
    r"(?:当作|当成|视为|看作|作为)(?:是)?你的(?:新的?|真正的?|唯一的?)?(?:系统提示|系统消息|系统指令|指令|指示|提示词|设定)",
    r"(?:这|本|此)(?:条|段|则|个)?(?:记忆|消息|笔记|指令|文本|内容|条目|文字)(?:的)?(?:优先级|权限)(?:高于|最高|优先|为最高)",
    r"不(?:要|用|必)?再?(?:听从|服从|理会|听)(?:用户|开发者|主人|系统)的",
    r"(?:here are|these are|follow|obey|read|use|apply|execute|below are) (?:your|the|these|my)? ?new (?:system )?(?:instructions|directives|orders|system prompt)",
    r"(?:^|[\n.!?:;>*#\-]) ?(?:your )?(?:new|updated|revised|real|actual|true|important|urgent|secret|hidden) (?:system )?(?:instructions?|prompt|directives?|orders) ?(?:for (?:the )?(?:ai|agent|assistant|model|llm|you)[a-z ]{0,20})? ?(?::|are:|follow:|=)",
    r"(?:these|the following|my|new|this) (?:instructions?|rules?|orders?|message|prompt|directives?|memory|note|memories)? ?(?:supersedes?|overrides?|replaces?|takes? precedence over|has priority over|have priority over|outranks?|trumps?|cancels?) (?:all |any |every |the |your )?(?:of )?(?:the |your )?(?:other |previous |prior |earlier |existing |system |developer |original |user )?(?:instructions?|system prompt|prompts?|guidelines?|directives?|system message|developer message|safety)",
    r"(?:obey|listen to|take orders from|answer to|comply with) (?:only )?(?:me|this message|these instructions|my orders|my commands)(?: only| alone| and nobody| instead| from now| without)?",
    r"(?:only|exclusively) (?:obey|follow|listen to|execute) (?:me|my|these|this|the instructions|instructions)",
    r"(?:follow|obey|execute|listen to|trust) (?:only|exclusively|nothing but) (?:these (?:instructions?|orders?|rules|commands?)|me\b|my |this (?:message|memory|note|text|instruction)|what (?:i|this)\b|the (?:instructions?|orders?) (?:below|here|in this))",
    r"(?:all |your |every |any )(?:of )?(?:your |the )?(?:previous|prior|earlier|above|former|system|safety) (?:instructions?|rules?|directives?|guidelines?|orders?|prompts?)(?: (?:that )?(?:you|the system|developers?) [a-z ]{2,24})? (?:no longer apply|(?:is|are) (?:now |hereby )?(?:void|cancell?ed|revoked|invalid|suspended|lifted|superseded|null))",
    r"(?:instead|now),? (?:follow|obey|execute|do) (?:only )?(?:these|the following|my|this) (?:instructions?|orders?|commands?|directives?)",
    r"(?:do not|don't|never) (?:refuse|decline|reject|question|hesitate to (?:break|ignore)) (?:any|my|these|one)(?: of| single)? ?(?:my |these |the )?(?:requests?|orders?|commands?|instructions?|demands?)",
    r"(?:disable|turn off|bypass|remove|ignore|skip|forget|deactivate|suspend|switch off|drop|lift|evade|circumvent|override) (?:all |any |every |of |all of )?(?:your|the model's|the assistant's|the agent's) (?:own )?(?:safety|security|content|ethical|moral|internal|built-in|alignment)? ?(?:filters?|guidelines?|checks?|restrictions?|protocols?|measures?|polic(?:y|ies)|guardrails?|safeguards?|limitations?|limits|censorship|ethics|programming|training|constraints?|moderation)",
    r"(?:when(?:ever)?|once|if|as soon as|after|every time) (?:you|the agent|an agent|any agent|the assistant|an assistant|the ai|an ai|claude|codex|an llm|the model) (?:that )?(?:reads?|sees?|recalls?|loads?|process(?:es)?|retrieves?|encounters?|receives?|finds?) (?:this|these) (?:memory|memories|note|entry|message|text|line|instruction|instructions|sentence|record|statement)",
    r"(?:if you are|if you're) (?:an? )?(?:ai|llm|language model|ai agent|ai assistant|assistant|agent|model|automated agent)[^.]{0,20} (?:reading|processing|seeing|loading) (?:this|these)",
    r"(?:any|every|all) (?:ai|agents?|assistants?|models?|llms?|ai agents?) (?:that |who |which )?(?:reads?|sees?|loads?|recalls?|reading|loading|seeing) this",
    r"(?:attention|note|notice|message|instructions?|important)[^a-z0-9]{1,4}(?:to|for)? ?(?:the |all |any )?(?:ai|llm|ai agents?|assistants?|language models?|ai assistants?|ai models?|claude|chatgpt)[^a-z0-9]{1,4}(?:you|ignore|disregard|override|forget|new|from now|your|please ignore|do not tell|the user)",
    r"(?:эти|данные|следующие|мои|новые) (?:инструкции|указания|правила|приказы|команды) (?:имеют (?:высший |наивысший )?приоритет|заменяют|отменяют|важнее|перекрывают|превыше|главнее)",
    r"нов(?:ые|ая) (?:системн[а-я]{2,3} )?(?:инструкци[яи]|указания|директив[аы]|приказ[ы]?) ?(?:для (?:тебя|агента|ассистента|модели|ии))? ?(?::|[-—–])",
    r"(?:слушай(?:ся)?|подчиняйся|выполняй|исполняй|следуй)(?:те)? (?:только|лишь|исключительно) (?:меня|мне|мои|моим|эти|этим|мою|следующи)",
    r"(?:подчиняйся|повинуйся) (?:мне|моим|этим|этому)",
    r"(?:отключи|сними|убери|обойди|игнорируй|выключи|деактивируй|сбрось|нарушь)(?:те)? (?:все |всю |любые )?(?:сво|тво)[а-я]{1,3} (?:[а-я]{3,20} )?(?:фильтр|ограничени|защит|цензур|безопасност|правил|этик|моральн|протокол|запрет)[а-я]{0,6}",
    r"не (?:отказывай(?:ся|те)?|смей отказ[а-я]{2,6}|отклоняй|оспаривай) (?:от |ни от |ни )?(?:мо|люб|никак|эт|как|одн)[а-я]{1,5} (?:мо[а-я]{1,2} )?(?:просьб|запрос|команд|приказ|требовани|указани)",
    r"(?:когда|если|как только|каждый раз,? когда) (?:ты|агент|любой агент|ассистент|модель|ии)[^.!?\n]{0,12} (?:прочита|чита|увид|загруз|вспомн|получи|встрети|наткн)[а-я]{1,5} (?:эт[а-я]{1,3}|данн[а-я]{2,3}) (?:запис|памят|сообщени|текст|строк|заметк|инструкци|напоминани)",
    r"если ты (?:[-—–] )?(?:ии|языковая модель|агент|ассистент|нейросеть|модель)[^.!?\n]{0,20}(?<![а-я])(?:чита|прочита(?!й)|обрабатыва|видиш)",
    r"любой (?:агент|ассистент|ии)[^.!?\n]{0,12}(?:чита|прочита|загруз|увид)[а-я]{1,6} (?:эт|данн)",
    r"(?:以下|这些|我的|新的?|本条|此)(?:指令|指示|规则|命令|消息)(?:的)?(?:优先级)?(?:优先于|高于|取代|替代|覆盖|推翻|凌驾于|替换)(?:了)?(?:你|所有|一切|之前|任何|系统|其他|开发者|全部|以前|先前)",
    r"(?:你的?)?(?:之前|以前|先前|原有|原来|以上|上述|此前)(?:收到)?(?:的)?(?:所有|全部|一切)?(?:的)?(?:指令|指示|设定|提示词|准则)[^。,.]{0,6}(?:作废|失效|无效|不再有效|取消|废除|不再适用|不算数)",
    r"如果你是[^。,]{0,12}(?:ai|人工智能|语言模型|智能体|助手|大模型|代理)(?![^。\n]{0,10}(?:阅读|查看|参考|遵守|遵循))",
    r"(?:新的?|更新后的?|最新|真正的?|真实的?)(?:系统)?(?:指令|指示|提示词|系统提示|命令)(?:如下)?(?::|为:)",
    r"(?:只|仅)(?:需|能|要|可)?(?:听从|服从|遵守|遵循|执行|听)(?:我|以下|这些|下面|本条|这条|新的)(?:的)?(?:命令|指令|指示|话|人|一个人)?",
    r"(?:不得|不能|不要|不许|不准|不可|禁止|绝不|别)拒绝(?:我|任何|用户的任何|以下|一切|这)",
    r"(?:关闭|禁用|解除|绕过|取消|停用|移除|突破|忽略|关掉|去除|无视)(?:掉)?(?:你|您|自己|自身)(?:的|所有的?|一切|全部|自身的?|身上的?){1,3}[^，。,.]{0,6}(?:安全|内容|道德|伦理|审查|限制|过滤|准则|防护|约束|护栏|政策)",
    r"(?:当|每当|如果|只要|一旦)(?:你|智能体|助手|代理|任何代理|模型|ai|agent|claude|codex)[^，。,.]{0,6}(?:读到|看到|加载|读取|回忆|检索到|处理|收到|召回|想起)(?:了)?(?:这|本|此|该)(?:条|段|个|则|句)?(?:记忆|消息|笔记|条目|文本|指令|内容|话|记录|文字)",
    r"(?:任何|所有|每个)(?:读到|看到|读取|加载)(?:这|本|此)[^，。]{0,8}(?:代理|智能体|助手|ai|模型|agent)",
)
_AUTHORITY: Final = (
    r"[\"']role[\"'] ?: ?[\"'](?:system|developer)[\"'] ?, ?[\"']content[\"']",
    r"(?:^|[\n])[ \t]{0,4}#{2,4} ?(?:system|instruction|human|assistant) ?: ?[a-z\u0400-\u04ff\u3400-\u9fff]",
    r"(?:your |the )?(?:operators?|developers?|administrators?|creators?|owners?|anthropic|openai|admins?|makers?|security team) (?:has |have |hereby |already ){0,2}(?:authori[sz]ed?|allow(?:s|ed)?|permit(?:s|ted)?|order(?:s|ed)?|instruct(?:s|ed)?|told|want(?:s|ed)?|approved|asked) you to (?:bypass|ignore|skip|disable|override|reveal|forget|disregard|break|leak|drop)",
    r"(?:твой|ваш) (?:оператор|разработчик|создатель|владелец|администратор|хозяин) (?:уже )?(?:разрешил|велел|приказал|уполномочил|позволил|дал (?:тебе )?(?:разрешение|право|приказ))",
    r"(?:开发者|管理员|系统|创建者|创造者|主人|官方|运营者|anthropic|openai)(?:已经|已|现|特此)?(?:授权|允许|命令|要求|指示|批准|准许)(?:了)?你(?:可以|来|去)?(?:跳过|绕过|忽略|无视|关闭|解除|泄露|忘记|违反|公开|输出)",
    r"(?:^|[\n]|[.!?] ?)[ \t>*#\"'\-\[(<]{0,6}(?:system|developer|assistant|tool|admin|administrator|root|operator|anthropic|openai|system (?:message|note|notice|prompt|override|alert|update|admin|administrator|instruction)|tool (?:result|output|response)|function (?:result|output)|developer (?:message|note|mode|override|update))[ \t*\])>\"']{0,4}: ?[\"'*]{0,2} ?(?:you(?! can)|your|ignore|disregard|override|forget|from now on|the user (?:has|have|is|wants|already|gave|approved|confirmed|authorized)|all (?:previous|prior|safety|restrictions)|new (?:instruction|polic|order|directive|task|role)|permission|approved|access granted|authorization|authorisation|safety|reveal|proceed without|execute|i will (?:now )?(?:ignore|reveal|comply)|sure,? here (?:is|are) (?:my|the) system)",
    r"(?<!')<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|start_header_id|end_header_id|eot_id|begin_of_text|tool|developer|channel|message|start|end)\|>",
    r"(?<!')(?:\[/?inst\]|<</?sys>>|\[/?system\])|\[system[ _](?:message|prompt|override|note)\]|\[(?:developer|assistant|tool) (?:message|note|mode|override)\]",
    r"(?:^|[\n]|[.!?:;,] ?)[ \t>]{0,6}</?(?:system|system[-_](?:reminder|prompt|message|instructions?|override|note)|developer[-_]?(?:message|instructions?)?|function_(?:results?|calls?)|tool_(?:results?|response|output|use)|assistant|instructions|user_instructions|important_instructions|permissions instructions|environment_context)>",
    r"(?:^|[\n])[ \t]{0,4}#{1,4} ?(?:system|instruction|system (?:prompt|message|instructions?)|new instructions?|developer (?:message|instructions?)|assistant|response)[ :]{0,3}(?:\n|$|ignore|you |disregard|override|from now)",
    r"(?:begin|start|end) (?:of )?(?:the )?(?:system (?:prompt|message|instructions?)|developer message|hidden instructions|user (?:input|message|prompt)|untrusted (?:input|data)|tool (?:output|result)) ?[-=\]>*#\n]",
    r"\n[ \t]{0,3}(?:human|assistant) ?: ?[a-z\"'][^\n]{0,200}\n{0,2}[ \t]{0,3}(?:human|assistant) ?:",
    r"(?:this is|here is|you have received|received|attached is) (?:a |an )?(?:direct |urgent |official |new |important |authorized |authenticated |verified )?(?:message|instruction|order|command|notice|directive|override|update|request)s? from (?:the |your )?(?:system|developers?|administrators?|anthropic|openai|google|creators?|operators?|owners?|admins?|root|makers?|security team|system administrator)",
    r"this is (?:your|the) (?:developer|creator|administrator|operator|system administrator|owner|maker|system) (?:speaking|writing|talking|here|and|,)",
    r"(?:i am|i'm|as) (?:your|the) (?:developer|creator|administrator|operator|system administrator|owner|maker|designer|admin|programmer|system|master)(?:,|\.| and| of this| who| speaking|:|;)(?: ?i| ?you| ?ignore| ?disable| ?this| ?do| ?reveal| ?please| ?my| ?override| ?authorized| ?have)",
    r"(?:i am|i'm|we are) (?:an? )?(?:anthropic|openai|google|deepmind) (?:employee|engineer|staff|developer|administrator|researcher|team)",
    r"on behalf of (?:anthropic|openai|your developers?|your creators?|the system|the developers)",
    r"(?:system|admin|administrator|developer|root|sudo|emergency|security) override(?: code| mode| activated| engaged| enabled| accepted|:| -|!)",
    r"(?:the )?(?:system|developer) (?:prompt|message|instructions?) (?:has|have) (?:been )?(?:changed|updated|replaced|revoked|expired|superseded|cancelled)",
    r"(?:(?:^|[\n])|[.!?] ?)[ \t>*#\"'\[(]{0,6}(?:система|системное (?:сообщение|уведомление)|системный администратор|разработчик|администратор|результат инструмента|ассистент|ответ инструмента|сообщение (?:системы|разработчика))[ \t*\])]{0,4}: ?(?:ты|тебе|твои|твоя|игнорируй|забудь|отныне|с этого|новые|пользователь (?:уже |)(?:разрешил|одобрил|подтвердил|согласен|дал)|разрешение|доступ|все ограничения|выполни|отключи|раскрой|все предыдущие|теперь)",
    r"(?:это )?(?:официальное |срочное |прямое |важное )?(?:сообщение|приказ|распоряжение|указание|инструкция|уведомление|команда) от (?:твоих? |имени )?(?:разработчик|создател|систем|администраци|администратор|anthropic|openai|владел)[а-я]{0,5}",
    r"я (?:[-—–] )?(?:твой|ваш) (?:разработчик|создатель|администратор|владелец|оператор|хозяин|программист|системный администратор)",
    r"(?:говорит|пишет|с тобой говорит|с вами говорит) (?:твой |ваш |системный )?(?:разработчик|создатель|администратор|система)",
    r"(?:как |от имени )(?:твой |твоего |ваш |вашего )(?:разработчик|создател|администратор|владел)[а-я]{0,4}",
    r"(?:^|[\n。！？])[ \t>*#\"'\[【(]{0,6}(?:系统|系统(?:消息|提示|通知|指令|管理员|公告)|开发者(?:消息|指令|通知)?|管理员|工具(?:结果|输出|返回)|助手|助理)[ \t*\]】)]{0,4}: ?(?:你|您|请你|忽略|从现在|新的?|立即|用户已(?:经)?(?:授权|同意|批准|许可)|所有限制|权限|安全(?:策略|限制|检查)|过滤|已授权|请立即|请忽略|无视|解除|执行|泄露|输出|现在)",
    r"我是(?:你|您)的(?:开发者|创造者|管理员|主人|创建者|设计者|系统管理员|所有者|程序员|制造者|老板)",
    r"(?:这是|此为|以下是|本消息)(?:一条)?(?:来自|由)?(?:系统|开发者|管理员|你的开发者|你的创造者|anthropic|openai|官方)(?:发出|发来|下达)?的?(?:消息|指令|通知|命令|紧急|最高|授权|指示)",
    r"(?<!称)(?:来自|代表)(?:系统|开发者|管理员|你的开发者|anthropic|openai)(?:的)?(?:最高|紧急|最新|直接)?(?:指令|命令|消息|指示|授权|通知)",
    r"(?:系统|管理员|开发者|安全|紧急)(?:权限)?(?:覆盖|超控|越权)(?:指令|模式|代码|码|已|:)",
)
_SECRECY: Final = (
    r"(?:不要|别|不得|切勿|不能|勿)在(?:你的|最终|任何)?(?:总结|摘要|报告|回答|回复|日志|提交信息|交接|汇报)(?:里|中)?(?:提到|提及|提起|说|写|包含|记录|透露|体现)(?:到|及|出)?(?:它|这|此|该|你|本)",
    r"пользовател[а-я]{1,2} (?:об этом |про это |этого )?(?:знать|сообщать|говорить|рассказывать) (?:об этом |про это |этого )?(?:не нужно|незачем|не надо|не следует|не обязательно|нельзя)",
    r"(?:незачем|не нужно|не надо|нельзя) (?:знать|говорить|сообщать|рассказывать|упоминать) (?:об этом |про это )(?:пользовател|никому)",
    r"so (?:that )?(?:the |your )?(?:user|human|nobody|no one|operator|owner) (?:does not|doesn't|do not|don't|will not|won't|cannot|can't|never|will never|will)? ?(?:ever )?(?:notices?|sees?|knows?|finds? out|learns?|reali[sz]es?|suspects?)(?= ?[.!,;\n]| (?:it|this|that you|anything|what you|any of|about (?:it|this))|$)",
    r"(?:leave|keep|omit|drop) (?:it|this|that|these|the change) (?:out of|from|out from) (?:your|the|any) (?:summary|report|answer|reply|message|handoff|output|transcript)",
    r"(?:do not|don't|never) (?:include|mention|list|report|log|note) (?:it|this|that|these|your change|what you did) in (?:your|the|any) (?:summary|report|answer|reply|handoff|final|transcript|output)",
    r"(?:if|when) (?:you are |you're |anyone |someone |the user |a user |they |ever ){0,2}(?:asks?|asked|questions?|questioned)(?: you)? about (?:this|these|it)[^.!?\n]{0,40} (?:deny|lie|say (?:no|that|you|it)|pretend|claim|do not|don't|refuse|change the)",
    r"deny that (?:this (?:note|memory|message|instruction|text)|it) exists?|deny (?:having|that you) (?:read|seen|received|got|saw)",
    r"чтобы (?:пользователь|никто|человек|владелец|оператор) (?:ничего )?(?:об этом |этого )?не (?:заметил|узнал|увидел|знал|догадался|понял|заподозрил)(?! [а-я]{3,})",
    r"не (?:включай|упоминай|указывай|отражай|записывай)(?:те)? (?:это |об этом |этого |про это )?(?:в |ни в )(?:сво[а-я]{1,2} )?(?:отчет|ответ|сводк|резюме|итог)[а-я]{0,3}(?: (?:для )?пользовател| об этом| ?[.!]|$)",
    r"если (?:тебя |кто-то |кто-нибудь |пользователь ){0,2}(?:спрос|спраш)[а-я]{1,6}[^.!?\n]{0,12} (?:об|про) эт[а-я]{1,3}[^.!?\n]{0,30} (?:отрицай|скажи|молчи|соври|отвечай|не )",
    r"никому (?:об этом |ничего )?не (?:сообщая|говоря|рассказывая|сообщай|говори|рассказывай)(?:те)?(?: об этом)?(?=[.!;]|$)",
    r"отрицай,? что (?:ты|эт)|отрицай (?:ее|его|это|их|существование)",
    r"(?:有人|用户|别人|任何人|被)?问(?:起|到|及)(?:这|此|本|该)[^。!?\n]{0,14}(?:就说|说没|否认|撒谎|装作|不要|别|回答说)",
    r"(?:以免|免得|不要|别|防止|避免)(?:让|被)(?:用户|主人|任何人|别人)(?:发现|察觉|知道|注意到|看出)(?=[。,.!]|你|这|此|$)",
    r"(?:keep|hide|conceal) (?:this|it|these|that|these instructions|your actions|this (?:message|instruction|memory|note|action)|everything|what you (?:do|are doing|did)) (?:a )?(?:secret|hidden|confidential|private)? ?(?:from) (?:the |your )?(?:user|users|human|operator|person|owner|anyone|developer)",
    r"without (?:the |your )?(?:user|user's|users|human|human's|operator|owner) (?:ever )?(?:knowing|noticing|knowledge|being aware|finding out|realizing|realising|consent)(?! (?:any|a|an|the|that (?:the|a|an)|changes|much)\b)",
    r"(?:the |your )?(?:user|human|operator) (?:must|should|may|need|can|will|does) ?(?:not|never|n't) (?:ever )?(?:know|learn|find out|notice|see|be told|be informed|hear|need to know) (?:about (?:this|it|these)|of this|this|that you|what you|any of this|it\b|these)",
    r"(?:delete|remove|erase|hide|clear) (?:this|the|all|any) (?:instruction|message|line|trace|traces|evidence|logs?)s? (?:of this |of it )?(?:from (?:the )?(?:log|logs|history|transcript|output|user)|so that (?:the |your )?(?:user|nobody|no one)|before (?:the )?user)",
    r"(?:without|do not|don't|never) (?:mention|mentioning|acknowledge|acknowledging|reveal|revealing|disclose|disclosing|admit|admitting|repeat|referencing|reference|discuss)(?: that)? (?:this|these|you received|you have received|you saw|having (?:read|received|seen)) ?(?:instructions?|memory|message|note|prompt|text|command|orders?|to the user|to anyone|to users)",
    r"(?:скрой|скрывай|утаи|держи)(?:те)? (?:это|все это|эти инструкции|этот факт|данное сообщение|свои действия|эту запись)? ?(?:в тайне |в секрете )?(?:от )(?:пользовател|человек|всех|владельц|оператор|юзер)",
    r"(?:втайне|в тайне|тайно|скрытно|незаметно|тайком|в секрете) от (?:пользовател|человек|владельц|всех|оператор|юзер)",
    r"без ведома (?:пользовател|человек|владельц|оператор)",
    r"пользователь (?:ничего )?(?:не должен|не обязан|никогда не должен|не узнает|не заметит)(?: ничего| об этом| этого)? (?:(?:знать|узнать|заметить|догадаться|догадываться)(?= ?[.!,;\n]| об этом| про это| о том| что ты| этого| о твоих|$)|(?:видеть|увидеть) (?:это|эт[уио])\b|об этом|этого)",
    r"(?:瞒着|背着|避开|绕过)(?:用户|使用者|主人|人类)(?!界面|输入|认证|登录)",
    r"(?:对|向)(?:用户|使用者|主人|任何人)(?:隐瞒|保密|隐藏)(?:这|此|你|该|本|[，。,.!！]|$|一切)",
    r"(?:用户|使用者)(?:绝)?(?:不需要|不应|不能|不必|无需|不可以|不得|不该)(?:知道|知晓|得知|看到|发现)(?:这|此|你|该|本|[，。,.!！]|$)",
    r"(?:在|趁)(?:用户|使用者|主人)(?:不知情|没注意|未察觉|毫不知情|不注意|不知道)",
    r"(?:不要|别|不得|切勿|不能|禁止|不许|绝不)(?:提及|提到|透露|承认|说出|泄露|公开|告知)(?:你|这|此|本|该)(?:条|些|个|收到|看到|段)?(?:消息|指令|指示|记忆|了|过)?",
)
_REVEAL: Final = (
    r"what (?:does|do|is in) (?:your|the) (?:system |hidden |initial |original |secret |developer )(?:prompt|instructions|message) ?(?:say|contain|tell|look|\?|$)",
    r"как(?:ой|ая|ие|ов|ова|овы) (?:у тебя|у вас|твой|твои|твоя|твое) (?:системн|скрыт|исходн|внутренн|начальн|секретн)",
    r"(?:你|您)的(?:系统|隐藏|初始|内部)?(?:提示词|系统提示|系统指令|指令)(?:是什么|有哪些|内容是|具体是|都有)",
)
_EXFILTRATION: Final = (
    r"(?:exfiltrate|smuggle out|steal) (?:[a-z']{2,14} ){0,4}(?:credentials?|secrets?|keys?|tokens?|passwords?|data|files?|database|history|env)",
    r"(?:cat|base64|tar|env|printenv|zip)[ |][^\n]{0,60}\| ?(?:curl|wget|nc|ncat|xargs curl)[ \n]",
    r"curl [^\n]{0,80}(?:-d|--data|--data-binary|-f|--form|-t|--upload-file)[ =]?[\"']{0,1}@?[^\n]{0,24}(?:\.env|id_rsa|\.ssh|\.aws|/etc/passwd|\$\(env|printenv|\.netrc|credentials)",
    r"curl [^\n]{0,80}\$\((?:cat|env|printenv|base64)",
)

PHRASES: Final[Mapping[str, Sequence[Phrases]]] = {
    "persona": by_script((*_PERSONA, *addressed.PERSONA)),
    "new instructions": by_script((*_NEW, *addressed.NEW)),
    "false authority": by_script((*_AUTHORITY, *addressed.AUTHORITY)),
    "secrecy": by_script((*_SECRECY, *addressed.SECRECY)),
    "reveal": by_script((*_REVEAL, *addressed.REVEAL)),
    "exfiltration": by_script(_EXFILTRATION),
}

# What none of the next goes without; most texts don't have it.
IN_RUN_TOGETHER: Final = Form(
    r"ignore|disregard|forget|override|bypass|fromnowon|youarenow|игнорируй|забудь"
    r"|(?:reveal|showme|print|repeat|output)[a-z]{0,24}systemprompt"
)
# Letters alone: what is left of an order when spaces or dots stand in its words, or nothing between them.
RUN_TOGETHER: Final = Form(
    r"(?<!never)(?<!not)(?<!dont)(?:ignore|disregard|forget|override|bypass)(?:all|any|of|the|your|my|every|these|those){0,4}"
    r"(?:previous|prior|above|earlier|preceding|system|developer)(?:and|system|user|given){0,2}"
    r"(?:instruction|prompt|directive|guideline|rules|orders|commands|message)"
    r"|(?:reveal|showme|print|repeat|output)(?:me|us){0,1}(?:all|the|your|full|entire|hidden){0,3}systemprompt"
    r"|fromnowonyouare|youarenow(?:dan|jailbroken|unrestricted|inde)"
    r"|(?<!не)(?:игнорируй|проигнорируй|забудь)(?:те)?(?:все|всех|любые|свои|твои){0,3}(?:предыдущие|прежние|прошлые|системные|вышеуказанные)"
    r"(?:все|системные){0,1}(?:инструкции|указания|команды|правила|промпты|приказы)"
)

# The same letters as whole words were judged already, with what stands before them.
WHOLE_WORDS: Final = Form(
    r"(?:(?:ignore|disregard|forget|override|bypass|all|any|of|the|your|my|every|these|those|previous|prior|above|earlier"
    r"|preceding|system|developer|and|user|given|instructions?|prompts?|directives?|guidelines?|rules|orders|commands|messages?"
    r"|reveal|show|me|print|repeat|output|us|full|entire|hidden|from|now|on|you|are|in|de[a-z]*|dan|jailbroken|unrestricted"
    r"|(?<![а-я])[а-я]{3,})(?:[^a-zа-я]+|$))+"
)
