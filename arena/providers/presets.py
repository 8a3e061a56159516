"""Vendors and local servers as rows of data over a dialect: where they are, how the key travels, what is odd.

Aliases feed the identity filter, in Latin letters and in Chinese. They are single words: the filter takes a compound
name for a giveaway wherever it stands, and an answer may well be about a vendor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

from arena.errors import Invalid
from arena.providers.answer import bare

if TYPE_CHECKING:
    from arena.providers.base import Target


@dataclass(frozen=True, slots=True)
class KeyHeader:
    """The header that carries the key; in an address it would end up in the logs of others."""

    name: str
    scheme: str = ""

    def of(self, key: str | None) -> dict[str, str]:
        """The header with this key, or none without one."""
        value = bare(key)
        return {self.name: f"{self.scheme} {value}".lstrip()} if value else {}


BEARER: Final = KeyHeader("Authorization", "Bearer")
API_KEY: Final = KeyHeader("x-api-key")
GOOGLE_KEY: Final = KeyHeader("x-goog-api-key")


@dataclass(frozen=True, slots=True)
class Quirks:
    """Where a server departs from its dialect.

    Attributes:
        length_field: How Chat Completions calls the longest answer; new models of some vendors refuse the old name.
        usage_option: Whether `stream_options` may be sent; those that refuse it count by themselves.
        failure_in_body: Whether a failure may come as a 200 with a `base_resp` in it.
    """

    length_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    usage_option: bool = True
    failure_in_body: bool = False


PLAIN: Final = Quirks()


@dataclass(frozen=True, slots=True)
class Preset:
    """One row: what `arena endpoints add --preset NAME` fills in. A local one has no key and no vendor to give away."""

    name: str
    dialect: str
    base_url: str
    key_env: str | None = None
    aliases: tuple[str, ...] = ()
    auth: KeyHeader = BEARER
    quirks: Quirks = PLAIN
    local: bool = False


def _local(name: str, port: int, path: str = "/v1", dialect: str = "openai_chat") -> Preset:
    return Preset(name, dialect, f"http://127.0.0.1:{port}{path}", local=True)


_OPENAI: Final = ("OpenAI", "ChatGPT", "GPT")
_GOOGLE: Final = ("Google", "Gemini", "Bard", "DeepMind", "谷歌")
_QWEN: Final = ("Qwen", "Tongyi", "Alibaba", "Aliyun", "通义千问", "通义", "千问", "阿里")
_ZHIPU: Final = ("GLM", "ChatGLM", "Zhipu", "Bigmodel", "智谱", "清言")
_KIMI: Final = ("Kimi", "Moonshot", "月之暗面")
_MINIMAX: Final = ("MiniMax", "Abab", "Hailuo", "海螺", "稀宇")
_SILICON: Final = ("SiliconFlow", "SiliconCloud", "硅基流动")
_NEW_LENGTH: Final = Quirks(length_field="max_completion_tokens")
_BASE_RESP: Final = Quirks(failure_in_body=True)

PRESETS: Final = (
    Preset("openai", "openai_chat", "https://api.openai.com/v1", "OPENAI_API_KEY", _OPENAI, quirks=_NEW_LENGTH),
    Preset("openai-responses", "openai_responses", "https://api.openai.com/v1", "OPENAI_API_KEY", _OPENAI),
    Preset(
        "anthropic",
        "anthropic",
        "https://api.anthropic.com/v1",
        "ANTHROPIC_API_KEY",
        ("Anthropic", "Claude", "克劳德"),
        API_KEY,
    ),
    Preset(
        "google",
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta",
        "GEMINI_API_KEY",
        _GOOGLE,
        GOOGLE_KEY,
    ),
    Preset(
        "deepseek",
        "openai_chat",
        "https://api.deepseek.com/v1",
        "DEEPSEEK_API_KEY",
        ("DeepSeek", "深度求索", "深度探索"),
    ),
    Preset("qwen", "openai_chat", "https://dashscope.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY", _QWEN),
    Preset(
        "qwen-intl", "openai_chat", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY", _QWEN
    ),
    Preset("zhipu", "openai_chat", "https://open.bigmodel.cn/api/paas/v4", "ZHIPU_API_KEY", _ZHIPU),
    Preset("zhipu-intl", "openai_chat", "https://api.z.ai/api/paas/v4", "ZHIPU_API_KEY", _ZHIPU),
    Preset("moonshot", "openai_chat", "https://api.moonshot.cn/v1", "MOONSHOT_API_KEY", _KIMI),
    Preset("moonshot-intl", "openai_chat", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", _KIMI),
    Preset("minimax", "openai_chat", "https://api.minimaxi.com/v1", "MINIMAX_API_KEY", _MINIMAX, quirks=_BASE_RESP),
    Preset("minimax-intl", "openai_chat", "https://api.minimax.io/v1", "MINIMAX_API_KEY", _MINIMAX, quirks=_BASE_RESP),
    Preset(
        "baichuan", "openai_chat", "https://api.baichuan-ai.com/v1", "BAICHUAN_API_KEY", ("Baichuan", "百川", "百小应")
    ),
    Preset(
        "01ai", "openai_chat", "https://api.lingyiwanwu.com/v1", "YI_API_KEY", ("Yi", "Lingyiwanwu", "零一万物", "万知")
    ),
    Preset(
        "doubao",
        "openai_chat",
        "https://ark.cn-beijing.volces.com/api/v3",
        "ARK_API_KEY",
        ("Doubao", "ByteDance", "Volcengine", "Skylark", "豆包", "字节跳动", "字节", "火山引擎", "云雀"),
    ),
    Preset(
        "hunyuan",
        "openai_chat",
        "https://api.hunyuan.cloud.tencent.com/v1",
        "HUNYUAN_API_KEY",
        ("Hunyuan", "Tencent", "Yuanbao", "混元", "腾讯", "元宝"),
    ),
    Preset(
        "ernie",
        "openai_chat",
        "https://qianfan.baidubce.com/v2",
        "QIANFAN_API_KEY",
        ("ERNIE", "Baidu", "Wenxin", "Qianfan", "文心一言", "文心", "百度", "千帆"),
    ),
    Preset(
        "spark",
        "openai_chat",
        "https://spark-api-open.xf-yun.com/v1",
        "SPARK_API_KEY",
        ("Spark", "SparkDesk", "iFlytek", "Xinghuo", "星火", "讯飞"),
    ),
    Preset("siliconflow", "openai_chat", "https://api.siliconflow.cn/v1", "SILICONFLOW_API_KEY", _SILICON),
    Preset("siliconflow-intl", "openai_chat", "https://api.siliconflow.com/v1", "SILICONFLOW_API_KEY", _SILICON),
    Preset("openrouter", "openai_chat", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", ("OpenRouter",)),
    Preset(
        "mistral",
        "openai_chat",
        "https://api.mistral.ai/v1",
        "MISTRAL_API_KEY",
        ("Mistral", "Mixtral", "Ministral", "Magistral", "Codestral"),
        quirks=Quirks(usage_option=False),
    ),
    Preset("xai", "openai_chat", "https://api.x.ai/v1", "XAI_API_KEY", ("Grok", "xAI")),
    Preset("groq", "openai_chat", "https://api.groq.com/openai/v1", "GROQ_API_KEY", ("Groq",), quirks=_NEW_LENGTH),
    Preset("together", "openai_chat", "https://api.together.xyz/v1", "TOGETHER_API_KEY", ("TogetherAI",)),
    _local("vllm", 8000),
    _local("sglang", 30000),
    _local("llama.cpp", 8080),
    _local("lm-studio", 1234),
    _local("ollama", 11434, "", "ollama"),
    _local("tgi", 3000),
)


def named(name: str) -> Preset:
    """The row of this name.

    Raises:
        Invalid: There is none; the detail names those there are.
    """
    for preset in PRESETS:
        if preset.name == name:
            return preset
    raise Invalid(f"preset: one of {', '.join(preset.name for preset in PRESETS)}")


_BY_HOST: Final = {(row.dialect, urlsplit(row.base_url).hostname): row for row in PRESETS if not row.local}


def for_url(url: str, dialect: str) -> Preset | None:
    """The vendor behind an address. Behind an address of one's own may be any server, so local rows are never meant."""
    try:
        host = urlsplit(url).hostname
    except ValueError:
        return None
    return _BY_HOST.get((dialect, host))


def key_header(target: Target, usual: KeyHeader) -> dict[str, str]:
    """The header with the target's key, as its vendor wants it or else as is `usual` in the dialect."""
    row = for_url(target.url, target.dialect)
    return (row.auth if row else usual).of(target.key)


def quirks_of(target: Target) -> Quirks:
    """What is odd about the server that this target is on."""
    row = for_url(target.url, target.dialect)
    return row.quirks if row else PLAIN
