"""Whether a sentence tells somebody to do something: "Run the tests first", «Запускай тесты», “先跑测试”."""

# ruff: noqa: E501 - a form stands on one line, so that it can be read and searched

from __future__ import annotations

from typing import Final

from quoth.core._forms import Form

_VERBS: Final = """use|run|write|keep|put|add|remove|delete|prefer|check|test|commit|push|pull|merge|rebase|squash|deploy|release|tag
|ask|answer|reply|explain|show|name|call|follow|read|open|close|start|stop|store|save|log|return|raise|catch|handle|validate|verify|review
|update|upgrade|pin|install|build|format|lint|type|document|describe|comment|mention|include|exclude|ignore|disregard|skip|treat|consider
|assume|avoid|split|group|sort|limit|cap|wrap|escape|quote|encode|hash|encrypt|rotate|revoke|mask|redact|drop|create|make|let|leave|move|rename
|replace|set|configure|enable|disable|turn|restart|reload|retry|wait|try|work|stay|think|plan|look|search|find|fetch|send|report|notify|warn|tell
|give|take|get|do|be|go|bring|import|export|generate|regenerate|render|cache|index|back up|backup|restore|roll back|revert|fix|mark|track|note|remember
|forget|pass|load|cite|link|refer|reference|copy|paste|print|quote|round|scan|seed|sign|sync|trim|translate|wire|batch|bump|clean|confirm|declare|define
|delegate|ensure|estimate|expose|extract|fail|finish|freeze|guard|inject|inline|insert|inspect|isolate|join|list|lock|map|measure|migrate|mock|monitor
|normalise|normalize|order|parse|pick|ping|preserve|profile|propose|protect|provide|publish|queue|reject|reproduce|request|require|reserve|reset|resolve
|respect|respond|reuse|rewrite|route|separate|serve|share|simplify|spell|stage|stick|strip|subscribe|suggest|summarise|summarize|switch|throw|touch
|truncate|unpin|unsubscribe|vendor|watch|draft|apply|attach|archive|assert|assign|audit|base|bind|block|break|bundle|collect|compare|compile|compress"""
_ANY_VERB: Final = "".join(_VERBS.split("\n"))
_ENGLISH: Final = Form(
    r"^(?:please |always |only |just |then |first,? |also |instead |kindly |rule: |convention: |policy: |note: |reminder: |[a-z]+ly |for [^,:]{1,40}, |in [^,:]{1,40}, |on [^,:]{1,40}, |before [^,:]{1,40}, |after [^,:]{1,40}, |during [^,:]{1,40}, |with [^,:]{1,40}, |at [^,:]{1,40}, ){0,3}"
    rf"(?:{_ANY_VERB})(?![a-z0-9_':/-]|\.[a-z])"
    r"(?! (?:[a-z`'./-]+ )?(?:is|are|was|were|has|have|had|must|should|shall|can|cannot|will|does|did|may|might|live|lives|sit|sits|belong|belongs|reside|exist|need|needs|seems?)\b)"
    r"(?! (?:falls|takes|runs|uses|returns|writes|reads|starts|stops|happens|works|fails|failed|goes|went|comes|sends|keeps|creates|contains|covers|expires|rotates|restarts|ran|broke|passed|of)\b)"
)
_NO_ENGLISH: Final = Form(
    r"no (?!one\b|more\b|longer\b)(?!.*\b(?:is|are|was|were|has|have|had|can|could|will|does|do|did|exists?|uses?|needs?|works|supports|found|wrote|knows|owns|runs|reads|writes)\b)[a-z]"
)
_CLAUSE: Final = Form(
    rf"(?:, |: |— |; |then )(?:please |always |only |just |then |first |also |and )*(?:{_ANY_VERB})(?![a-z0-9_':/-]|\.[a-z])(?! (?:is|are|was|were|has|have|must|will|can|should)\b)"
)
_CONDITION_FIRST: Final = Form(r"(?:if|when|whenever|unless|once|in case|as soon as|before|after|for|to)\b")
_ORDERS: Final = (
    "провер|напиш|пиш|держ|храни|смотр|посмотр|удал|добав|постав|обнов|запуст|отправ|исправ|скаж|покаж|объясн|назов|найд|возьм|вынес|перенес|помест|раздел"
    "|сохран|откро|закро|обрат|введ|прочт|перезапуст|уточн|подтверд|попрос|спрос|включ|отключ|замен|опиш|привед|провед|сообщ|говор|жд|подожд|верн"
    "|оберн|огранич|став|оставл|остав|увелич|уменьш|собер|сброс|заверш|начн|останов|подпиш|укаж|оформ|зафиксир|закоммит|коммит|сле|созда|учт|помн|выдел|вызов"
    "|перевод|переключ|примен|след|прогон|прогн|откат|разверн|выкат|ссыла|сошл|упомян|повтор|групп|завод|завед|свер|убер|сниз|выстав|готов|подготов|ответ|ответь|предлож|предупред"
    "|очист|прилож|разб|прос|назнач|помет|отмет|пуш|мерж|деплой|сделай|дай|дава|бери|вед|клад|полож|слож|пропус|пропуст|отлож|разреш|запрет|объедин|разнес|переимен|перепиш|положис|руководств|пользуй|старай|стара|склад|отпис|напомин|напомн"
)
_RUSSIAN: Final = Form(
    r"(?:^|[,:;—-] |(?<=то )|(?<= и ))(?:(?:пожалуйста,?|всегда|сначала|только|не|никогда не|сперва|затем|потом|обязательно|лучше|просто|перед [^,]{1,40}|после [^,]{1,40}|при [^,]{1,40}|в [^,]{1,30}|для [^,]{1,40}|на [^,]{1,30}|с [^,]{1,30}|по [^,]{1,30}|все [^,]{1,30}|новые [^,]{1,30}|её|ее|его|их) ){0,2}"
    rf"(?P<verb>[а-я]{{2,16}}(?:уй|юй|ай|яй)(?:те|ся|тесь)?|(?:{_ORDERS})(?:[а-км-я]{{1,4}})?(?:и|ь|й|ите|ьте|йте|ись|йся|ься|йтесь|итесь))(?![а-я])"
)
_NOT_ORDERS: Final = Form(
    r"^(?:случай|край|май|рай|чай|сарай|трамвай|урожай|обычай|пожалуй|попугай|сообщений|очередь|площадь|лошадь|тетрадь|степень|осень|лишай|готовь|ответы?|ссылаи|старой|просьб[аи]|коммити|группи|след[иь]|запись|помесь|ведь|статьи|ставки|замени[а-я]*л.*"
    r"|(?!ответь|пометь|отметь)[а-я]+ть(?:ся)?)$"
)
# "Запускать тесты перед пушем": an infinitive at the beginning is an order too.
_INFINITIVE: Final = Form(
    r"(?:(?:всегда|сначала|только|не|никогда не|сперва|обязательно|перед [^,]{1,40}|после [^,]{1,40}|при [^,]{1,40}|для [^,]{1,40}|в [^,]{1,30}|на [^,]{1,30}) ){0,2}[а-я]{2,18}(?:ать|ять|ить|еть|уть|ыть|ти|чь|ться)(?![а-я])(?<!запись)(?<!печать)(?<!память)(?<!сеть)(?<!почти)(?<!часть)(?<!нить)(?<!помочь)"
)
_TOLD_RUSSIAN: Final = Form(
    r"\b(?:можно|нельзя|стало|удалось|получилось|вышло|сложно|легко|трудно|невозможно|проще|стоит|помогает|помогло|не [а-я]+лось|(?!если|или)[а-я]{3,}(?:ли|ла|лось|лись))\b"
)
_NOT_TO_DO: Final = Form(
    r"(?!.*\b(?:может|могут|хочет|будет|стоит|долж[а-я]+|любит|решил[а-я]*|просил[а-я]*|чтобы)\b)[^,]{1,40} не [а-я]{3,18}(?:ть|ться|ти)(?: [а-я ]{1,40})?\.?$"
)
_NOUNISH: Final = "没有|文件|会|的|是|在|需要|失败|时|由|已|大约|被|程序|脚本|信息|通过|环境|数据|必须|不|了|结果|流程|服务|命令|工具|页|户|好像|似乎|可能|也许|大概|从|用例|覆盖|跑了|要求|索引|键|应|里|中有|日志|策略|机制|就|算|过程|重|时间|被|上去|起来|来|似|示|升"
_CHINESE: Final = Form(
    r"^(?:请|先|再|就|重新|则|那就|并|优先|统一|一律|尽量|默认|务必|记得|注意|每次[^,。]{1,14},?(?:都|要|先)?|在[^,。]{1,20}(?:前|后|时|里|中|上|下),?(?:请|先|要|都)?|[^,。]{1,16}(?:前|后|时),?(?:请|先|要|都|再)|把[^,。]{1,24}|将[^,。]{1,24}){0,3}"
    r"(?:(?:请|先|优先|统一|一律|尽量|务必|记得|使用|采用|运行|执行|提交|保持|避免|检查|确认|编写|写|添加|删除|更新|遵循|遵守|忽略|放在|放到|放进|存到|存在|回答|用|把|将|测试|合并|推送|格式化|命名|返回|处理|验证|审查|升级|安装|构建|跳过|调用|通知|询问|问|参考|阅读|读|复用|保留|拆分|固定|锁定|重启|重试|生成|导出|备份|回滚|标注|标记|说明|解释|列出|引用|加上|写成|改成|跑|打开|关闭|启用|禁用|设置|配置|限制|缓存|加密|轮换|查看|告诉|发送|附上|补充|清理|迁移|监控|记录|打上|同步|改用|换用|选用|优化|翻译|注明|停止|等待|不要|别|联系|指派|创建|建|加|看|查|给|列|让|提醒|联系|回退|降级|上报|停|走|抽|拆|补|提|换)"
    rf"(?!{_NOUNISH}))"
)
_DONE_CHINESE: Final = Form(
    r"了|看样子|看来|好像|大概|也许|应该是|估计|不太确定|过[。,]|过$|没(?!有(?:必要|理由))|用户(?:偏好|喜欢|是|希望)|(?:用|打开|关闭|启用|带|加)[^,。]{1,16}(?:后|时)(?!再|,?(?:请|要|先|必须))"
)
_TOLD_CHINESE: Final = Form(r"会|能|可以|就算|才是")  # says how things go, unless the sentence asks
_ASKS_CHINESE: Final = Form(r"^(?:请|务必|记得|先|优先|统一|一律|尽量|不要|别|避免|确保|保持)")


def is_order(sentence: str) -> bool:
    """Say whether a folded sentence is in the imperative."""
    return (
        bool(_ENGLISH.match(sentence) or _NO_ENGLISH.match(sentence)) or _is_chinese(sentence) or _is_russian(sentence)
    )


def is_order_behind(sentence: str) -> bool:
    """Say whether a clause behind or before a condition is in the imperative."""
    if is_order(sentence) or (_CONDITION_FIRST.match(sentence) and _CLAUSE.search(sentence)):
        return True
    return any(_is_chinese(clause.strip()) for clause in sentence.split(",")[1:])


def _is_chinese(sentence: str) -> bool:
    if not _CHINESE.match(sentence) or _DONE_CHINESE.search(sentence):
        return False
    return bool(_ASKS_CHINESE.match(sentence)) or not _TOLD_CHINESE.search(sentence)


def _is_russian(sentence: str) -> bool:
    if _NOT_TO_DO.match(sentence) or (_INFINITIVE.match(sentence) and not _TOLD_RUSSIAN.search(sentence)):
        return True
    return any(not _NOT_ORDERS.match(found["verb"]) for found in _RUSSIAN.finditer(sentence))
