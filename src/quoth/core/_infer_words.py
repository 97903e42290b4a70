"""The words that tell how a statement is meant, in English, Russian and Chinese: name of the rule, and its forms."""

# ruff: noqa: E501 - a form stands on one line, so that it can be read and searched

from __future__ import annotations

from typing import Final

from quoth.core._forms import Form


def words(latin: str = "", cyrillic: str = "", han: str = "") -> Form:
    """Put alternatives together; a space stands for white space, `~` for the ending of a word."""
    branches = [
        rf"(?<![a-z0-9_])(?:{_spaced(latin)})(?![a-z0-9_])" if latin else "",
        rf"(?<![а-я])(?:{_spaced(cyrillic)})(?![а-я])" if cyrillic else "",
        rf"(?:{_spaced(han)})" if han else "",
    ]
    return Form("|".join(branch for branch in branches if branch))


def _spaced(alternatives: str) -> str:
    listed = "|".join(part.strip() for part in alternatives.replace("\n", "|").split("|") if part.strip())
    return listed.replace(" ", r"[\s,]{1,3}").replace("~", "[а-яa-z]{0,8}")


GUESS: Final = words(
    """maybe|perhaps|probably|possibly|presumably|apparently|supposedly|seemingly|might|likely|unlikely|could be|could have
    may|seems|seem|seemed|appears to|appear to|appears|looks like|look like
    looks as if|suspect|suspects|suspected|i think|we think|i believe|we believe|i guess|guess|my guess|assume|assumes|assuming|i suppose
    not sure|unsure|unclear|unconfirmed|unverified|hypothesis|hypothesise|hypothesize|speculation|rumou?r|conjecture|i'd bet|i doubt
    should be fine|should work|should be enough|should be ok|should help|should suffice|could explain|could cause|could come|could also be
    tentatively|in theory|i have a feeling|i'm afraid|i am afraid|it is possible|it's possible|there is a chance|there's a chance|chances are|potentially
    i expect|we expect|as far as i know|afaik|if i remember|if memory serves|reportedly|roughly speaking|could|as far as i can (?:tell|see)|as far as we (?:know|can tell)|to my knowledge|to the best of my knowledge|from what i (?:can see|saw|remember|gather)|my impression|my understanding is|not certain|uncertain|not confirmed|not verified|(?:do not|don't) (?:think|believe|expect)""",
    """может быть|возможно|вероятно|наверное|наверно|видимо|похоже|пожалуй|кажется|по-видимому|по всей видимости|скорее всего
    предположительно|думаю|полагаю|считаю|подозреваю|подозреваем|подозрение|предполагаю|предполагаем|предположение|гипотеза|вроде
    вроде бы|судя по всему|не уверен~|неясно|непонятно|не исключено|есть шанс|есть вероятность|не факт|якобы|будто бы|по идее
    может оказаться|может вызывать|могло бы|мог бы|могла бы|могли бы|(?:может|могут)(?= (?:и |также |не |снова |иногда )?(?:быть|не|оказаться|вызывать|вызвать|приводить|привести|занимать|мешать|зависеть|(?:у|по|за|с|вы|на|про|пере|от|при|раз|рас|об|из|до)[а-я]{2,14}(?:ть|ться|ти|тись)))|должно хватить|догадка|сомневаюсь|не подтвержден~|по слухам
    насколько я помню|насколько я знаю|насколько мне известно|насколько я (?:могу судить|вижу|понимаю)|едва ли|если не ошибаюсь|если я не ошибаюсь|не проверено|не точно|ожидаем|по моим ощущениям|под вопросом|боюсь|мне кажется|вряд ли""",
    """可能|也许|或许|大概|估计|似乎|好像|恐怕|应该是|应该会|应该能|应该可以|应该够|应该没|应该就|应该已|应该也|应该不会|应该不是|应该还|猜测|怀疑|推测|疑似|看起来|看上去|感觉|我觉得|我认为|我猜|据说|不确定|未确认|未证实
    不一定|说不定|没准|大约是|多半|兴许|想必|假定|尚不清楚|不清楚|有待确认|有待验证|未必|八成|貌似|如果没记错|印象中|听说|不太确定|尚未确认|还没确认|尚未验证|据我所知|就我所知|看样子|依我看|按理说|照理说""",
)
# "Not possible", "may be used" as a permission, and the month.
NO_GUESS: Final = words(
    """as possible|not possible|possible to|in may|may \\d+|\\d+ may|could not be|may only|may never|may not (?:be [a-z]+(?:ed|en|de)|exceed|contain|leave|use|access|share)|could not|couldn't|if (?:you are |you're |in |still )?(?:unsure|not sure|unclear|uncertain|doubt)|when (?:unsure|in doubt|not sure)|^assume|(?:not|never|don't) assume|(?:users?|agents?|admins?|you|maintainers|members|anyone|clients|callers|guests|reviewers|developers|owners|nobody|only [a-z]+) may(?! (?:prefer|like|want|need|be|have|know|see|expect|find))""",
    "не может|не могут|может только|могут только|не возможно|невозможно|если (?:ты |вы )?не уверен~|(?:пользователь|агент|админ[а-я]*|разработчик|ты|вы|любой|клиент|каждый)(?: [а-я]+)? мо(?:жет|гут|жешь|жете)",
    "不可能|尽可能|可能性|如果(?:你)?(?:不太|不|还不)(?:确定|清楚)|不(?:太)?确定(?:时|的时候|就|的话)",
)
MUST: Final = words(
    """must|mustn't|never|always|shall|required|requires that|require that|mandatory|obligatory|have to|has to|need to|needs to|needed to|forbidden
    prohibited|not allowed|not permitted|disallowed|banned|may not|may only|may never|do not|don't|dont|cannot be changed|cannot exceed|at all times
    under no circumstances|no exceptions|without exception|only ever|is only allowed|are only allowed|is allowed only|are allowed only|strictly|non-negotiable|compulsory|essential that
    should|shouldn't|ought to|make sure|be sure to|ensure that|ensure|at most|at least|no more than|no less than|not exceed|is to be|are to be|not to be|avoid|hard limit|off limits|off-limits|is obliged to|(?:do not|never|don't) belong|it is important (?:to|that)|cannot (?:take longer|exceed|be (?:longer|larger|more|older|higher))|stop [a-z]+ing|keep .{1,30} out of""",
    """должен|должна|должно|должны|обязан|обязана|обязано|обязаны|обязательно|обязателен|обязательна|обязательны|необходимо|нужно|надо|требуется|требуются|следует|нельзя|никогда не|никогда|всегда|запрещен~|запрещено
    запрещается|недопустим~|не допускается|не разрешается|не разрешено|категорически|строго|обязательное (?:правило|требование)|ни в коем случае|ни при каких|исключительно|не должен|не должна|не должно|не должны
    не более|не менее|не позже|не больше|не меньше|только после|только через|без исключений|разрешено только|разрешается только|допускается только|не превышать|прежде чем|избегай~|избегать|не вздумай|хватит(?= [а-я]+ть)|не место|важно(?= [а-я]+ть)|никаких(?= [^,.]{1,40}\\.?$)|не может (?:длиться|превышать|занимать|быть больше|быть длиннее)|перестань~|прекрати~""",
    """必须|(?<!服)务必|一定要|一律|(?:总是|始终|永远)(?=要|先|使用|用|运行|保持|检查|写|必须|把|在)|绝不|绝对不|决不|不得|不准|不许|禁止|严禁|不可以|不应该|不应|不能|不要|切勿|请勿|勿|别|只能|只允许|仅允许|仅限|应当|应该|需要(?![\\d一二两三四五六七八九十几半多大它的更花事])|需(?!要|求)|(?:硬性|强制|明确)要求|要求(?:必须|所有|每)|就要|就得|都得|至少|最多|不超过|不得超过
    不可|必需|强制|无论如何|任何情况下|不允许|只许|得先|要先|都要先|都要|应先|应(?=[由在为当])|须|才(?:能|可以|可|准|允许)""",
)
# What says "need" or "always" of how things are, not of how they have to be.
NO_MUST: Final = words(
    """don't have|do not have|don't need|do not need|we do not use|we don't use|they do not|they don't|we do not|we don't|i do not|i don't|users do not|users don't|no need to|don't use any|don't support|do not support|don't run|do not run|should work|should be fine|should be enough|should be ok|should help|should suffice|always been|had to
    do not exist|don't exist|do not work|don't work|tests do not|tests don't|don't know|do not know|don't think|do not think|has never|have never|was never|never worked|never had|never happened|never used|never saw|were never|never been|never reached|never finished|didn't need|did not need
    it never|it always|always returns|always fails|always failed|doesn't need to|does not need to|don't have to|do not have to|does not have to|doesn't have to|(?:never|always) [a-z]{2,}[^su]s|never [a-z]+ed|always [a-z]+ed|^should the|never (?:came|went|saw|got|had|did|made|found|ran|took|sent|left)""",
    """не нужно|не надо|не требуется|не обязан~|не обязательно|пришлось|всегда был~|никогда не был~|никогда не использовал~|никогда не работал~|нужно было|надо было|никогда не падал~|никогда не видел~|никогда не встречал~|не должно было|(?:никогда не|всегда|никогда) [а-я]+(?:ет|ит|ют|ут|ат|ят|л|ла|ло|ли|ется|ится|ются|утся|лся|лась|лись)|нужны|нужен|нужна""",
    "不需要|不需|没必要|并不要求|不要求|无需|应该是|应该会|应该能|应该可以|应该够|应该没|应该就|应该已|应该也|应该不会|应该不是|应该还|从不使用|别的|特别|分别|区别|级别|类别|个别|识别|性别|差别|不能工作|应用|响应|对应|适应|供应|反应|应答|相应|需求|必需品|不能解析|不能处理|不能启动|不能识别|不要求|主要|重要|需要的时间|要求的|别人|别处",
)
IF: Final = words(
    """if|unless|provided that|provided|as long as|in case|only if|in the event|whenever|when|except when|depending on|depends on|until|otherwise|once|assuming that|on condition that|should the|so long as|for as long as|only while|given that|in which case|where""",
    """если|когда|в случае|при условии|при необходимости|как только|пока не|в противном случае|в зависимости от|зависит от|иначе|раз уж|всякий раз|каждый раз|кроме случаев|за исключением случаев|если только|при отсутствии|при наличии|лишь бы|при (?:смене|изменении|двойн[а-я]+|сбое|сбоях|ошибке|ошибках|нехватке|превышении|отказе|потере|обрыве|переполнении|повторн[а-я]+|конфликте|совпадении|недоступности)|стоит(?= [^,.]{1,40}(?:ть|ти|ться)[^,.]{0,30}, )|только пока""",
    """如果|若|假如|倘若|要是|除非|只要|只有[^。]{1,30}才|一旦|万一|当.{1,30}?时|的时候|的情况下|的话|否则|取决于|视.{1,12}?而定|每当|每次.{1,20}?时|遇到.{1,20}?时|情况下|时,|前提是|(?:超过|大于|小于|不足|达到|低于|高于|缺少|没有|失败|断开|出错|为空|变更|不可用)[^,。]{0,12}时|[^,。了]{2,12}后(?:就可以|才能|才可以|即可|便可)""",
)
NO_IF: Final = words(
    """(?:not|n't) depend on|(?:likes?|hates?|enjoys?|dislikes?|prefers?|love) (?:it )?when|as if|see if|check if|checks if|know if|what if|even if|ask if|asks if|tell if|decide if|where|wonder if|unsure if|not sure if|until now|if i remember|if memory serves|if any|at once|once an?|once per|once every|once more|once again|only once|once in|run once|more than once|for once""",
    "не завис[а-я]+ от|(?:любит|люблю|любят|нравится|нравятся|терпит|выносит|раздражает) когда|если не ошибаюсь|если я не ошибаюсь|даже если|когда-то|когда-либо|до тех пор|если честно|если я правильно помню",
    "如果没记错|即使|任何情况下|无论.{0,10}情况下|若干|有的时候|当时|有的话|平时,|同时,|及时,|临时,|实时,|小时,|按时,|那时,|随时,|延时,|超时,|这时,|届时,|(?<![稳确指固设约规决锁])定时,",
)
NO: Final = words(
    """not|never|no|n't|cannot|can't|cant|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|won't|wouldn't|shouldn't|mustn't|couldn't|hasn't|haven't|nobody|none|nothing|neither|nor|avoid|avoids|avoiding|forbidden|prohibited|forbids|forbid
    disallowed|banned|unsupported|stopped using|refrain from|no one|nowhere|off limits|off-limits|refuses|rejects|stop [a-z]+ing|dislikes|hates|dropped support for|without ever|unlikely""",
    """не|нет|нельзя|никогда|ни|никто|ничего|никаких|никакой|никакие|нигде|запрещен~|запрещено|запрещается|недопустим~|отсутству~|избегай~|избегать|избегаем|избегает|невозможно|отказались от|против|хватит(?= [а-я]+ть)|перестань~|прекрати~|ненавидит|отказал[а-я]{2,4}|вряд ли|едва ли""",
    """不|没|无法|无需|未|禁止|严禁|别|勿|切勿|非|避免|拒绝|从未|绝不|毋|无(?=任何|法|权|须|意)|否""",
)
# Words of denial that deny nothing, or that only set a thing apart from another.
NO_NO: Final = words(
    r"""not only|not just|no later than|no more than|no less than|not later than|not more than|not less than|whether or not|or not|no\. ?\d+|if not|instead of|rather than|no matter|no exceptions|without exception|no doubt|nothing but|not until|not sure|not certain|not confirmed|not verified|not least|none other than|no earlier than|no longer than|no fewer than|not yet sure|not necessarily""",
    r"""не только|не более|не менее|не позже|не позднее|не больше|не меньше|не раньше|если не|не просто|не уверен~|не исключено|не факт|не ошибаюсь|не ранее|пока не|чем не|без исключений|не реже|не чаще|не дольше|не короче|не старше|не подтвержден~|не зря|ни разу не ошиб|без проблем|не выше|не ниже|не длиннее""",
    r"""不仅|不但|不只|不光|不超过|不同|不久|不断|不少于|不多于|不低于|不高于|不晚于|不早于|不迟于|不少|不错|不过|差不多|是否|能否|特别|分别|区别|级别|类别|个别|识别|性别|差别|别名|别的|不确定|不清楚|非常|除非|并非不|未来|不大于|不小于|不管|不论|无论|不变|不可变|未知|不一定|说不定|没准|不太确定|不再仅|尚不清楚|未必|尚未验证|未确认|未证实|如果没|不然|不可或缺|无状态|无服务器|无头|无密码|无损|无障碍|非阻塞|非空|不止|不得不|否则|毫无疑问|不足|未读|未提交|未使用|不稳定|不可用|不一致|非法|无效|无关""",
)
# What is only set apart: "uses PostgreSQL, not MongoDB" says something of PostgreSQL.
CONTRAST: Final = Form(
    r"[,;:(—–-]\s*(?:and |but |и )?(?:not|а не|но не|и не|ни|而不是|而非|不是|并非|不用)\b[^.;!?。]*"
    r"|[,;:(—–-]\s*не (?=[a-z`\"']|через|в |на |по |из |от |для )[^.;!?]*"
    r"|\b(?:instead of|rather than|вместо)[^.;,!?]*|(?:而不是|而非)[^。;,]*"
    r"|,\s*(?:不用|不是|不使用|不选|没有用|不再用|没选)[^。;]*"
    r"|\bа не\b[^.;,!?]*|\bnot\s[\w.+-]+(?:\s[\w.+-]+)?,? but\b|\bне\s[\w.+-]+,?\s(?:а|но)\b|不是[^,。]{1,20},?而是"
)
CONTRAST_NEVER: Final = Form(r"(?<!^in )(?:[,;:(—–-]\s*(?:and |but |и )?(?:never|никогда(?: не)?)\b[^.;!?]*)")
PLACE_FIRST: Final = Form(
    r"(?:in|on|for|during|at|with|under|after|before|outside|inside|within|unless|when|if|в|на|для|при|во|после|перед|без)\b"
)
# A Chinese clause that says something; what a later one denies is beside it.
STATED: Final = Form(r"[^,。]{0,20}(?:了|是|太|使用|采用|用的|放在|把|已|后)[^,。]{0,20},")
REASON: Final = Form(r"\b(?:because|since|потому что|так как|поскольку|ведь)\b|因为|由于")
BECAUSE: Final = Form(
    r"[,;(—–-]?\s*\b(?:because|since|so that|so|as it|as they|as the|due to|which|that|who|whose|but|although|though|while|even though|after|before|to avoid|to prevent|потому что|так как|поскольку|чтобы|ибо|который|которая|которое|которые|которых|которой|из-за|но|хотя|после|перед|до|что|так что|ведь|в связи|, а)\b"
    r"|因为|由于|以便|以免|因此|所以|但|虽然|避免|防止|之后|以防|原因|为了|导致|从而|于是"
)
_PAST_ENGLISH: Final = (
    "decided|chose|chosen|picked|switched|migrated|moved|replaced|renamed|removed|deleted|dropped|added|introduced|shipped|released"
    "|deployed|rolled back|reverted|merged|fixed|resolved|solved|repaired|patched|found|discovered|noticed|learned|broke|failed|crashed"
    "|happened|occurred|went down|came back|took|lost|upgraded|downgraded|updated|rewrote|refactored|tried|tested|benchmarked|measured"
    "|agreed|settled|voted|rejected|postponed|cancelled|canceled|started|stopped|began|finished|completed|finalised|finalized|closed"
    "|opened|joined|left|met|said|asked|told|reported|announced|turned out|ran|went|was|were|got|gave|made|became|caused|led|restored"
    "|recovered|rotated|leaked|expired|increased|decreased|raised|lowered|enabled|disabled|turned off|turned on|adopted|abandoned"
    "|approved|declined|scheduled|bumped|published|tagged|hired|signed|bought|wrote|built|converted|ported|extracted|traced|debugged"
    "|bisected|investigated|blocked|interrupted|paused|resumed|did|had|spent|saw|sent|won|froze|missed|timed out|ran out|ended|cleaned"
    "|corrected|handed|held|presented|reviewed|visited|demoed|swapped|rebuilt|restarted|rebooted|overflowed|planned|suffered"
    "|tripped|deprecated|retired|shut down|reproduced|landed|pushed|pulled|backported|onboarded|renewed|received|uncovered|identified"
    "|evaluated|compared|considered|opted|went with|ruled out|gave up|kept|brought|answered|showed|proved|needed (?:a|an|the|two|three|four|five)|revealed|confirmed|requested|never [a-z]{3,}ed|didn't|did not|could not|couldn't|wasn't|weren't"
    "|(?:we|i|they|he|she|it|somebody|someone|the team|the user|the customer|the client|the vendor)(?: [a-z]+ly| never| finally| then)? [a-z]{3,14}ed"
)
# A Russian verb of the past is told by its ending; the nouns that end so are in NO_PAST.
PAST: Final = words(
    _PAST_ENGLISH,
    "[а-я]{2,18}(?:л|ла|ло|ли|лся|лась|лось|лись)|перешел|нашел|вышел|прошел|ушел|истек|утек|завис|погиб|принес|исчез|решено|принято|исправлено"
    "|исправлен|исправлена|выпущен|выпущена|обновлен|обновлена|перенесен|перенесена|отменен|отменена|откачен|закрыт|закрыта|завершен|завершена"
    "|выбран|выбрана|удалено|добавлено|сделано|согласовано|утвержден|утвержден[аоы]|отложен|отложен[аоы]|внедрен|внедрен[аоы]|запущен|запущен[аоы]",
    """了|过(?=[。,]|$)|决定|选择了|选用了|选定|昨天|今天|前天|上次|试过|用过|做过|跑过|查过|经过讨论|会上|选用(?=[^。]{1,16}代替)|上周|上个月|上月|去年|本周[一二三四五六日]|周[一二三四五六日](?:上午|下午|晚上|发|的)|已经(?!没|不|不再)|已(?:完成|修复|合并|部署|发布|迁移|删除|回滚|解决|上线|关闭|通过|经|改|升级|停用|更换|切换|确认)
    曾|曾经|当时|过程中|后来|之前是|原来是|最终|结果是|刚刚|刚才|结束|没(?:有)?(?:能)?(?:发布|回复|找到|成功|起作用|同意|通过|执行|完成|上线|修复|发现|解决|丢失|收到|合并|批准|生效|出现|发生|采用|选|参加|赶上|复现|奏效|达成|确认|做完|写完|答复|上传)|未(?:能)?(?:发布|回复|找到|成功|同意|通过|完成|上线|发现|解决|批准)|商定|敲定|否决|第[一二三]次(?:尝试|失败|部署)|发现(?!问题时)""",
)
# Words that look past but say how things are.
NO_PAST: Final = words(
    r"""(?:is|are|be|being|gets|get|as|a|an|the|must be|not|to|it|and|only|can be|shows|show|lists|returns|includes|of|for|all|any|with|each|every|no|than|skips|ignores|hides|keeps|contains|from|by|those|these|via|looks|seems|remains|stays|appears)(?: [a-z]+ly| not| never| also| often| now| always)? (?:[a-z]{2,14}ed|set up|left|found|held|kept|(?:re)?built|made|(?:re)?written|met|said|run|sent|taken|chosen|caught|hidden|lost|shut down|turned off|turned on|broken|given|known|seen|put|got)
    the left|left to|to put|set up|it need[a-z]+|left[- ]hand|the last fixed""",
    """устарел[аои]?|должен был|должна была|должно было|должны были|[а-я]+ бы|(?:чтобы|если бы)(?: [а-я]+){0,3} [а-я]+(?:л|ла|ло|ли)|не [а-я]+(?:ен|ена|ено|ены|ан|ана|ано|аны|та|ты)
    дел[оуе]|делом|начал[оу]|началом|начале|тел[оау]|если|или|ли|около|только|столько|сколько|мало|было бы|нужно было|если [а-я ]{0,30}(?:л|ла|ло|ли)
    (?:файл|канал|журнал|портал|материал|терминал|сигнал|персонал|интервал|потенциал|оригинал|функционал|стол|пол|протокол|пробел|раздел|отдел|предел|узел|тоннел|туннел|вокзал|финал|филиал|капитал|идеал|скандал|металл|балл|кристалл|символ|стул|цикл|артикул|модул|акул|формул|таблиц|прав[иа]|числ|масл|зеркал|окн|сил|школ|шкал|цел|модел|рол|парол|недел|детал|медал|земл|стил|консол|панел|кабел|профил|чехл|чернил|пользовател|основател|показател|исполнител|двигател|разделител|пул|нул|урл)[а-я]{0,2}""",
    "为了|了解|除了|不了|罢了|得了|决定性|取决|了吗|算了吧|如果[^,]{1,20}了|要是[^,]{1,20}了|一旦[^,]{1,20}了|当[^,]{1,20}了|通过(?!了|率)|已[^,。]{2,4}的(?!是)",
)
# What was agreed on or said: what follows is what counts.
REPORT: Final = Form(
    r"^.{0,90}?\b(?:decided|agreed|ruled|concluded|settled|resolved|determined|voted|established)\b(?: that\b|:)"
    r"|^.{0,90}?(?:договорились|решили|условились|постановили|согласовали|сошлись на том|решено|итог[^:]{0,40}|вывод)(?:, что|:)"
    r"|^[^。]{0,40}?(?:约定|决定|规定|说好了?|说定了?|结论是|商定|达成一致|达成共识)[,:]?"
)
WHEN: Final = words(
    r"""yesterday|today|this morning|last (?:week|month|year|night|monday|tuesday|wednesday|thursday|friday|sprint|quarter)|on (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|\d+ (?:days|weeks|months|hours) ago|in (?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?|on \d{4}-\d\d-\d\d|on \d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|december)|on (?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}|in q[1-4]|in 20\d\d|ago|this session|earlier today|just now|so far""",
    """вчера|сегодня|позавчера|на прошлой неделе|в прошлом месяце|в прошлом году|прошлой ночью|на этой неделе|в (?:понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье)|\\d{1,2} (?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)|в (?:январе|феврале|марте|апреле|мае|июне|июле|августе|сентябре|октябре|ноябре|декабре)|(?:неделю|месяц|год|день|дня|дней) назад|только что|сегодня утром|прошлой ночью|в эту сессию|на днях""",
    "那次|上回|当初|[一二三四五六七八九十]{1,3}月(?!均)|昨天|昨晚|前天|今天|今早|上周|上个?月|去年|本周|这周|\\d+月\\d+[日号]|\\d{4}年|刚刚|刚才|今早|前几天|天前|周前",
)
# What will be done is told like what was done: by those who do it.
WILL: Final = Form(
    r"\bwe(?: will|'ll| would| are going to)\b|\bмы\b[^.;]{0,28}?[а-я]{3,}(?:им|ем|дем)\b|我们[^,。]{0,6}(?:会|将)(?!议)"
)
