"""Keys that show by their form what they are: the prefixes that vendors give them, and tokens with a fixed structure.

Observed in the vendors' documentation up to November 2026. A rule is a row here, and a row in tests/data/redaction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from quoth.core._redact_span import Span
from quoth.core._redact_value import is_example

_WORD = "[A-Za-z0-9_-]"


@dataclass(frozen=True, slots=True)
class Rule:
    """One form of key. No text without one of the `triggers` has it; `pattern` finds it in one pass."""

    type: str
    triggers: Sequence[str]
    pattern: str  # compiled when a text has a trigger: a hundred of them would slow every start

    def spans(self, text: str) -> Iterator[Span]:
        for match in re.compile(self.pattern, re.ASCII).finditer(text):
            if not is_example(match[0]):
                yield Span(match.start(), match.end(), self.type)


def _prefixed(type_: str, prefix: str, rest: str, *, inside: str = "A-Za-z0-9") -> Rule:
    """Make a rule for what begins with a literal that stands at the beginning of a word.

    The literal comes first in the pattern, because that is what `re` looks for quickly. A line feed or `=` that a JSON
    log spells as an escape begins a word too. `rest` takes all it can and never gives back, so that a failure is cheap.
    """
    literal = re.escape(prefix)
    begins = rf"(?:(?<![{inside}]{literal})|(?<=\\[bfnrt]{literal})|(?<=\\u[0-9a-fA-F]{{4}}{literal}))"
    return Rule(type_, (prefix,), literal + begins + rest)


_PREFIXES: Final = (
    # type, prefixes, what follows
    ("anthropic_key", "sk-ant-", rf"{_WORD}{{20,}}+"),
    ("openai_key", "sk-proj- sk-svcacct- sk-admin- sk-None-", rf"{_WORD}{{20,}}+"),
    ("api_key", "sk-or-v1- sk-lf- sk-kimi- sk-cp- fw_ fc- tvly- exa_", r"[A-Za-z0-9-]{24,}+"),
    ("api_key", "sk-", r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,}+"),
    ("aws_key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{30,}+"),
    ("github_token", "github_pat_", r"[A-Za-z0-9_]{22,}+"),
    ("gitlab_token", "glpat- glptt- gldt- glrt- glcbt- glft- gloas- glsoat- glimt- glagent-", r"[A-Za-z0-9_.-]{20,}+"),
    ("slack_token", "xoxb- xoxp- xoxa- xoxo- xoxs- xoxr- xoxe- xoxc- xoxd- xoxe.xoxp-", r"[A-Za-z0-9%-]{20,}+"),
    ("slack_token", "xapp- xwfp-", r"[A-Za-z0-9-]{30,}+"),
    (
        "slack_webhook",
        "https://hooks.slack.com/services/ https://hooks.slack.com/workflows/ hooks.slack.com/services/",
        r"[A-Za-z0-9/]{30,}+",
    ),
    (
        "discord_webhook",
        "https://discord.com/api/webhooks/ https://discordapp.com/api/webhooks/ discord.com/api/webhooks/",
        rf"[0-9]{{15,21}}/{_WORD}{{40,}}+",
    ),
    ("teams_webhook", "webhook.office.com/webhookb2/", r"[A-Za-z0-9@/-]{60,}+"),
    ("google_key", "AIza", rf"{_WORD}{{33,}}+"),
    ("google_secret", "GOCSPX-", rf"{_WORD}{{24,}}+"),
    ("google_token", "ya29.", rf"{_WORD}{{30,}}+"),
    ("google_token", "1//0", rf"{_WORD}{{40,}}+"),
    ("stripe_key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_ sk_org_", r"[A-Za-z0-9+/=]{16,}+"),
    ("npm_token", "npm_", r"[A-Za-z0-9]{36,}+"),
    ("huggingface_token", "hf_ api_org_", r"(?=[A-Za-z0-9]*[A-Z0-9])[A-Za-z0-9]{30,}+"),
    ("pypi_token", "pypi-AgE", rf"{_WORD}{{50,}}+"),
    ("sendgrid_key", "SG.", rf"{_WORD}{{16,32}}\.{_WORD}{{32,}}+"),
    ("twilio_key", "SK", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("mailgun_key", "key-", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("mailchimp_key", "md-", r"[A-Za-z0-9_]{22}(?![A-Za-z0-9_-])"),
    ("brevo_key", "xkeysib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("digitalocean_token", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{60,}+"),
    ("shopify_token", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32,}+"),
    ("square_token", "sq0atp- sq0csp- EAAAE", rf"{_WORD}{{22,}}+"),
    ("notion_token", "ntn_ secret_", r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{40,}+"),
    ("linear_key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{32,}+"),
    ("vault_token", "hvs. hvb. hvr.", rf"{_WORD}{{24,}}+"),
    ("groq_key", "gsk_", r"[A-Za-z0-9]{40,}+"),
    ("xai_key", "xai-", r"[A-Za-z0-9]{40,}+"),
    ("replicate_token", "r8_", r"[A-Za-z0-9]{30,}+"),
    ("perplexity_key", "pplx-", r"[A-Za-z0-9]{32,}+"),
    ("nvidia_key", "nvapi-", rf"{_WORD}{{40,}}+"),
    ("databricks_token", "dapi", r"[0-9a-f]{32}(?:-[0-9])?(?![A-Za-z0-9])"),
    ("grafana_token", "glsa_ glc_", r"[A-Za-z0-9_+/=]{32,}+"),
    ("postman_key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("docker_token", "dckr_pat_ dckr_oat_", rf"{_WORD}{{24,}}+"),
    ("sentry_token", "sntrys_ sntryu_", r"[A-Za-z0-9+/=_-]{40,}+"),
    ("age_key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{50,}+"),
    ("atlassian_token", "ATATT3 ATCTT3 ATBB", r"[A-Za-z0-9_=-]{28,}+"),
    ("figma_token", "figd_", rf"{_WORD}{{36,}}+"),
    ("newrelic_key", "NRAK- NRJS- NRII-", r"[A-Z0-9a-f]{19,}+"),
    ("planetscale_token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.-]{32,}+"),
    ("supabase_key", "sbp_ sb_secret_", r"[A-Za-z0-9_-]{30,}+"),
    ("doppler_token", "dp.pt. dp.st. dp.ct. dp.sa.", r"[A-Za-z0-9_.]{40,}+"),
    ("airtable_token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("langsmith_key", "lsv2_pt_ lsv2_sk_", r"[0-9a-f]{32}_[0-9a-f]{10}"),
    ("pulumi_token", "pul-", r"[0-9a-f]{40}(?![A-Za-z0-9])"),
    ("fly_token", "fo1_ fm1_ fm2_", r"[A-Za-z0-9+/=_-]{40,}+"),
    ("rubygems_key", "rubygems_", r"[0-9a-f]{48}"),
    ("cratesio_token", "cio", r"[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("onepassword_token", "ops_eyJ", rf"{_WORD}{{100,}}+"),
    ("buildkite_token", "bkua_", r"[0-9a-f]{40}"),
    ("contentful_token", "CFPAT-", rf"{_WORD}{{40,}}+"),
    (
        "api_key",
        "jina_ pcsk_ csk- tgp_v1_ rpa_ mlsn. sgp_ phx_ waka_ zpka_ fio-u- rdme_",
        rf"(?=[A-Za-z_-]*[0-9]){_WORD}{{30,}}+",
    ),
    ("elevenlabs_key", "sk_", r"[0-9a-f]{48}(?![A-Za-z0-9])"),
    ("tencent_key", "AKID", r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{28,40}(?![A-Za-z0-9])"),
    ("alibaba_key", "LTAI", r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{12,26}(?![A-Za-z0-9])"),
    ("volcengine_key", "AKLT", r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{40,}+"),
    ("baidu_key", "bce-v3/ALTAK-", r"[A-Za-z0-9]{16,40}/[0-9a-f]{32,}+"),
    ("dingtalk_secret", "SEC", r"[0-9a-f]{64}(?![A-Za-z0-9])"),
    ("dingtalk_webhook", "oapi.dingtalk.com/robot/send?access_token=", r"[0-9a-f]{40,}+"),
    (
        "feishu_webhook",
        "open.feishu.cn/open-apis/bot/v2/hook/ open.larksuite.com/open-apis/bot/v2/hook/",
        r"[0-9a-f-]{30,}+",
    ),
    ("wecom_webhook", "qyapi.weixin.qq.com/cgi-bin/webhook/send?key=", r"[0-9a-f-]{30,}+"),
    ("yandex_key", "AQVN AQVN_", rf"{_WORD}{{34,}}+"),
    ("yandex_token", "y0_ y1_ y2_ y3_", rf"(?=[A-Za-z_-]*[0-9]){_WORD}{{36,}}+"),
    ("yandex_token", "t1.9eu", rf"{_WORD}{{20,}}\.{_WORD}{{40,}}+"),
    ("vk_token", "vk1.a.", rf"{_WORD}{{60,}}+"),
    ("yookassa_key", "live_ test_", rf"(?=[A-Za-z_-]{{0,40}}[0-9])(?=[a-z0-9_-]{{0,40}}[A-Z]){_WORD}{{38,}}+"),
    ("resend_key", "re_", r"(?=[A-Za-z_]*[0-9])[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}+"),
    ("resend_key", "re_", r"(?=[a-z0-9]*[A-Z])(?=[A-Za-z]*[0-9])[A-Za-z0-9]{24,}+"),
    ("dynatrace_token", "dt0c01. dt0s01. dt0s02. dt0s08. dt0s16.", r"[A-Z0-9]{8,24}\.[A-Z0-9]{60,}+"),
    ("mapbox_token", "sk.eyJ tk.eyJ", rf"{_WORD}{{20,}}\.{_WORD}{{18,}}+"),
    ("tailscale_key", "tskey-", r"[A-Za-z]{3,12}-[A-Za-z0-9-]{20,}+"),
    ("heroku_key", "HRKU-", rf"{_WORD}{{30,}}+"),
    ("render_key", "rnd_", r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{24,}+"),
    ("netlify_token", "nfp_ nfc_ nfo_", r"[A-Za-z0-9]{32,}+"),
    ("vercel_token", "vcp_ vci_ vca_ vcr_ vck_", r"[A-Za-z0-9]{24,}+"),
    ("circleci_token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9_]{40,}+"),
    ("sonar_token", "sqp_ squ_ sqa_", r"[0-9a-f]{40}(?![A-Za-z0-9])"),
    ("artifactory_token", "AKCp", r"[A-Za-z0-9]{60,}+"),
    ("artifactory_token", "cmVmdGtu", r"[A-Za-z0-9+/=]{50,}+"),
    ("nuget_key", "oy2", r"[a-z0-9]{43}(?![A-Za-z0-9])"),
    ("dropbox_token", "sl.", rf"(?:u\.)?{_WORD}{{120,}}+"),
    ("facebook_token", "EAACEdEose0cBA EAAG EAAB", r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{80,}+"),
    ("flutterwave_key", "FLWSECK- FLWSECK_TEST- FLWSECK_LIVE-", r"[A-Za-z0-9-]{20,}+"),
    ("easypost_key", "EZAK EZTK", r"[A-Za-z0-9]{54}"),
    ("trello_token", "ATTA", r"[0-9a-fA-F]{60,}+"),
    ("brevo_key", "xsmtpsib-", r"[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("infracost_key", "ico-", r"[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("typeform_token", "tfp_", rf"{_WORD}{{40,}}+"),
    ("prefect_key", "pnu_ pnb_", r"[A-Za-z0-9]{36}"),
    ("clojars_token", "CLOJARS_", r"[0-9a-z]{60}"),
    ("gitlab_token", "GR1348941 glrtr- glffct- glwt-", rf"{_WORD}{{20,}}+"),
    (
        "private_key",
        " ".join(
            f"LS0tLS1CRUdJTi{kind}"
            for kind in (
                "BSU0EgUFJJVkFURSBLRV",
                "BQUklWQVRFIEtFW",
                "BFQyBQUklWQVRFIEtFW",
                "BPUEVOU1NIIFBSSVZBVEUgS0VZ",
                "BFTkNSWVBURUQgUFJJVkFURSBLRV",
            )
        ),
        r"[A-Za-z0-9+/=]{40,}+",
    ),
    ("cloudflare_key", "v1.0-", r"[0-9a-f]{24}-[0-9a-f]{100,}+"),
)

_STRUCTURED: Final = (
    # A token begins where its letters do: a run of them is looked at once.
    _prefixed("jwt", "eyJ", rf"{_WORD}{{8,}}+\.eyJ{_WORD}{{8,}}+(?:\.{_WORD}{{4,}}+){{0,3}}+", inside="A-Za-z0-9_-"),
    Rule("telegram_token", (":AA",), rf"(?<!\d)[0-9]{{8,10}}:AA{_WORD}{{32,}}+"),
    Rule(
        "discord_token",
        ("M", "N", "O"),
        rf"(?<![\w.-])[MNO][A-Za-z0-9_-]{{23,27}}\.(?=[A-Za-z_-]{{0,6}}[0-9A-Z])[A-Za-z0-9_-]{{6}}\.(?=[A-Za-z_-]*[0-9]){_WORD}{{27,40}}(?![\w.-])",
    ),
    Rule("zhipu_key", (".",), r"(?<![\w.-])[0-9a-f]{32}\.(?=[a-z0-9]*[A-Z])(?=[A-Za-z]*[0-9])[A-Za-z0-9]{16}(?![\w.])"),
    Rule("terraform_token", (".atlasv1.",), rf"(?<!\w)\w{{14}}\.atlasv1\.{_WORD}{{40,}}+"),
    Rule(
        "connection_string",
        ("AccountKey=", "SharedAccessKey="),
        (
            r"(?:DefaultEndpointsProtocol=|AccountName=|Endpoint=sb:)[^\s\"'<>`\\]{0,300}?"
            r"(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/=]{30,}+(?:;[A-Za-z]{1,40}=[A-Za-z0-9./:-]{1,100}){0,8}+"
        ),
    ),
)

RULES: Final[Sequence[Rule]] = (
    *(_prefixed(type_, prefix, rest) for type_, prefixes, rest in _PREFIXES for prefix in prefixes.split()),
    *_STRUCTURED,
)

_TRIGGERS: Final = [(trigger, at) for at, rule in enumerate(RULES) for trigger in rule.triggers]


def keys(text: str) -> Iterator[Span]:
    """Find keys, by the rules in their order; most texts have no trigger, and that is all they are asked."""
    for at in dict.fromkeys([at for trigger, at in _TRIGGERS if trigger in text]):
        yield from RULES[at].spans(text)
