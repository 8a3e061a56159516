"""Presets of vendors and local servers over a dialect: base URL, header of the key, and quirks.

Aliases, in Latin letters and in Chinese, serve to detect disclosed identities. They are single words: a compound name
counts as a disclosure anywhere in an answer, but an answer may well be about a vendor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

from arena_providers.answer import strip_key

if TYPE_CHECKING:
    from arena_providers.base import Target


@dataclass(frozen=True, slots=True)
class KeyHeader:
    """The header with the key; in a URL the key would appear in logs."""

    name: str
    scheme: str = ""

    def of(self, key: str | None) -> dict[str, str]:
        """The header with this key; empty without a key."""
        value = strip_key(key)
        return {self.name: f"{self.scheme} {value}".lstrip()} if value else {}


BEARER: Final = KeyHeader("Authorization", "Bearer")
API_KEY: Final = KeyHeader("x-api-key")
GOOGLE_KEY: Final = KeyHeader("x-goog-api-key")


@dataclass(frozen=True, slots=True)
class Quirks:
    """Deviations of a server from its dialect.

    Attributes:
        length_field: Name of the limit on tokens in Chat Completions; new models of some vendors reject the old name.
        usage_option: Whether `stream_options` may be sent; servers that reject it report usage anyway.
        failure_in_body: Whether a failure may be a 200 with a `base_resp` object.
    """

    length_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    usage_option: bool = True
    failure_in_body: bool = False


PLAIN: Final = Quirks()


@dataclass(frozen=True, slots=True)
class VendorPreset:
    """A preset, by whose name endpoints are registered. A local one has no key and no vendor."""

    name: str
    dialect: str
    base_url: str
    key_env: str | None = None
    aliases: tuple[str, ...] = ()
    auth: KeyHeader = BEARER
    quirks: Quirks = PLAIN
    local: bool = False


def _local(name: str, port: int, path: str = "/v1", dialect: str = "openai_chat") -> VendorPreset:
    return VendorPreset(name, dialect, f"http://127.0.0.1:{port}{path}", local=True)


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
    VendorPreset("openai", "openai_chat", "https://api.openai.com/v1", "OPENAI_API_KEY", _OPENAI, quirks=_NEW_LENGTH),
    VendorPreset("openai-responses", "openai_responses", "https://api.openai.com/v1", "OPENAI_API_KEY", _OPENAI),
    VendorPreset(
        "anthropic",
        "anthropic",
        "https://api.anthropic.com/v1",
        "ANTHROPIC_API_KEY",
        ("Anthropic", "Claude", "克劳德"),
        API_KEY,
    ),
    VendorPreset(
        "google",
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta",
        "GEMINI_API_KEY",
        _GOOGLE,
        GOOGLE_KEY,
    ),
    VendorPreset(
        "deepseek",
        "openai_chat",
        "https://api.deepseek.com/v1",
        "DEEPSEEK_API_KEY",
        ("DeepSeek", "深度求索", "深度探索"),
    ),
    VendorPreset(
        "qwen", "openai_chat", "https://dashscope.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY", _QWEN
    ),
    VendorPreset(
        "qwen-intl", "openai_chat", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY", _QWEN
    ),
    VendorPreset("zhipu", "openai_chat", "https://open.bigmodel.cn/api/paas/v4", "ZHIPU_API_KEY", _ZHIPU),
    VendorPreset("zhipu-intl", "openai_chat", "https://api.z.ai/api/paas/v4", "ZHIPU_API_KEY", _ZHIPU),
    VendorPreset("moonshot", "openai_chat", "https://api.moonshot.cn/v1", "MOONSHOT_API_KEY", _KIMI),
    VendorPreset("moonshot-intl", "openai_chat", "https://api.moonshot.ai/v1", "MOONSHOT_API_KEY", _KIMI),
    VendorPreset(
        "minimax", "openai_chat", "https://api.minimaxi.com/v1", "MINIMAX_API_KEY", _MINIMAX, quirks=_BASE_RESP
    ),
    VendorPreset(
        "minimax-intl", "openai_chat", "https://api.minimax.io/v1", "MINIMAX_API_KEY", _MINIMAX, quirks=_BASE_RESP
    ),
    VendorPreset(
        "baichuan", "openai_chat", "https://api.baichuan-ai.com/v1", "BAICHUAN_API_KEY", ("Baichuan", "百川", "百小应")
    ),
    VendorPreset(
        "01ai", "openai_chat", "https://api.lingyiwanwu.com/v1", "YI_API_KEY", ("Yi", "Lingyiwanwu", "零一万物", "万知")
    ),
    VendorPreset(
        "doubao",
        "openai_chat",
        "https://ark.cn-beijing.volces.com/api/v3",
        "ARK_API_KEY",
        ("Doubao", "ByteDance", "Volcengine", "Skylark", "豆包", "字节跳动", "字节", "火山引擎", "云雀"),
    ),
    VendorPreset(
        "hunyuan",
        "openai_chat",
        "https://api.hunyuan.cloud.tencent.com/v1",
        "HUNYUAN_API_KEY",
        ("Hunyuan", "Tencent", "Yuanbao", "混元", "腾讯", "元宝"),
    ),
    VendorPreset(
        "ernie",
        "openai_chat",
        "https://qianfan.baidubce.com/v2",
        "QIANFAN_API_KEY",
        ("ERNIE", "Baidu", "Wenxin", "Qianfan", "文心一言", "文心", "百度", "千帆"),
    ),
    VendorPreset(
        "spark",
        "openai_chat",
        "https://spark-api-open.xf-yun.com/v1",
        "SPARK_API_KEY",
        ("Spark", "SparkDesk", "iFlytek", "Xinghuo", "星火", "讯飞"),
    ),
    VendorPreset("siliconflow", "openai_chat", "https://api.siliconflow.cn/v1", "SILICONFLOW_API_KEY", _SILICON),
    VendorPreset("siliconflow-intl", "openai_chat", "https://api.siliconflow.com/v1", "SILICONFLOW_API_KEY", _SILICON),
    VendorPreset("openrouter", "openai_chat", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", ("OpenRouter",)),
    VendorPreset(
        "mistral",
        "openai_chat",
        "https://api.mistral.ai/v1",
        "MISTRAL_API_KEY",
        ("Mistral", "Mixtral", "Ministral", "Magistral", "Codestral"),
        quirks=Quirks(usage_option=False),
    ),
    VendorPreset("xai", "openai_chat", "https://api.x.ai/v1", "XAI_API_KEY", ("Grok", "xAI")),
    VendorPreset(
        "groq", "openai_chat", "https://api.groq.com/openai/v1", "GROQ_API_KEY", ("Groq",), quirks=_NEW_LENGTH
    ),
    VendorPreset("together", "openai_chat", "https://api.together.xyz/v1", "TOGETHER_API_KEY", ("TogetherAI",)),
    _local("vllm", 8000),
    _local("sglang", 30000),
    _local("llama.cpp", 8080),
    _local("lm-studio", 1234),
    _local("ollama", 11434, "", "ollama"),
    _local("tgi", 3000),
)


def preset_named(name: str) -> VendorPreset | None:
    """The preset with this name, if there is one."""
    return next((preset for preset in PRESETS if preset.name == name), None)


_BY_HOST: Final = {(row.dialect, urlsplit(row.base_url).hostname): row for row in PRESETS if not row.local}


def for_url(url: str, dialect: str) -> VendorPreset | None:
    """The vendor's preset for a URL. Local presets are never returned, as any server may run at a local address."""
    try:
        host = urlsplit(url).hostname
    except ValueError:
        return None
    return _BY_HOST.get((dialect, host))


def key_header(target: Target, default: KeyHeader) -> dict[str, str]:
    """The header with the target's key, as its vendor requires or else `default`, the dialect's default."""
    row = for_url(target.url, target.dialect)
    return (row.auth if row else default).of(target.key)


def quirks_of(target: Target) -> Quirks:
    """The quirks of the target's server."""
    row = for_url(target.url, target.dialect)
    return row.quirks if row else PLAIN
