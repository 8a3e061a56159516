"""The input of a scripted model: a prompt without invisible characters, and whether to answer in Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LIMIT: Final = 400
"""Characters; in a longer prompt the numbers and names are hardly all that is asked about."""
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_UNSEEN = re.compile(r"[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_LETTER = re.compile(r"[^\W\d_]")
_ASKING = re.compile(
    r"(?:[\s.,!?;:'\"“”‘’「」《》，。？！：；、…=]"
    r"|(?:what|s|is|are|was|were|who|the|a|an|please|explain|define|describe|tell|me|about|give|write|short|little|in|one"
    r"|two|sentence|sentences|briefly|simply|simple|words|do|you|know|can|could|mean|by|of|to|for|hi|hello|hey|and|it"
    r"|calculate|compute|evaluate|solve|work|out|how|much|many|result|value|equal|equals|find|answer|it|x|y|only)\b"
    r"|请|帮我|帮忙|麻烦|你好|您好|你|能|会|可以|用|一句话|一两句话|简单|简短|简要|短|小|地|来|解释|介绍|说明|讲讲|说说|谈谈|告诉我|给我|我"
    r"|一下|什么|是|叫|何谓|哪里|哪儿|哪个|哪座|城市|在|谁|吗|呢|吧|啊|的|写|作|背|一首|首|计算|算|求|解|等于|得|多少|几|结果|答案|值|出|方程|下|道|题)*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt; earlier ones are not looked at."""

    text: str
    zh: bool

    def say(self, en: str, zh: str) -> str:
        """The text in the language of the prompt; every language but Chinese is answered in English."""
        return zh if self.zh else en


def read(prompt: str) -> Question:
    """The prompt in half-width letters, digits and signs."""
    text = _UNSEEN.sub(" ", prompt[: LIMIT + 1]).translate(_FULL_WIDTH).strip()
    han = 0 if _KANA.search(text) else len(_HAN.findall(text))
    return Question(text, zh=han > 0 and han * 5 >= len(_LETTER.findall(text)))


def only_asks(rest: str) -> bool:
    """Whether what a skill has not understood of a prompt is nothing but words of asking."""
    return _ASKING.fullmatch(rest) is not None
