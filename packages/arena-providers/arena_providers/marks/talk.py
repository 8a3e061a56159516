"""Whether a conversation speaks of marks, so that its answers may show some."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final, cast

from arena_providers.marks.grammar import MARK, MarkKind, kind_of

MAX_TALK: Final = 20_000
"""Most characters of the questions that are read, from the end: reading them takes up to ten milliseconds."""
_ASKER: Final = "user"
_TOPIC: Final = re.compile(
    r"\btokens?\b|\btokeni[sz]|chat ?ml|\b(?:chat|prompt|instruct\w*)[ -](?:template|format)|\bspecial (?:tag|mark)"
    r"|\b(?:think|reasoning|control|stop|turn)[ -]?(?:tag|tags|marker|markers)\b|\bdelimiter|\bend[ -]of[ -]turn"
    r"|\bprompts?\b[^.?!\n]{0,30}\bformat|\bformat[^.?!\n]{0,30}\bprompts?\b"
    r"|令牌|词元|詞元|标记|標記|模板|範本|分隔符|结束符|結束符|控制符|特殊(?:符|字符|字元)|思考标签|思考標籤",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(
    _TOPIC.pattern + r"|\btags?\b|\bhtml\b|\bxml\b|\bmarkup\b|\bsyntax\b|\bregex|\bregular expression|\bcode\b|\bprompt"
    r"|\boperators?\b|\btemplates?\b|\bstrike|\bcross(?:ed|ing)?\b|删除线|刪除線|划掉|劃掉|\bf#|\bocaml\b|\brust\b|\bc\+\+|\bshell\b|\bllms?\b"
    r"|\blanguage models?\b|\breasoning models?\b|标签|標籤|代码|代碼|程式|语法|語法|正则|正則|运算符|運算子"
    r"|提示词|提示詞|推理模型|大模型|语言模型|語言模型",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"\bturns?\b|\bsequences?\b|\bmark(?:er|ing)?s?\b|\bsymbols?\b|\btags?\b|结束|結束|结尾|結尾|开头|開頭|符号|符號|标签|標籤",
    re.IGNORECASE,
)
"""Words of a question whose answer may be a mark and nothing else."""
_FORMS: Final = re.compile(r"\bformat|\belements?\b|\bsections?\b|\bfields?\b|格式|元素|字段|欄位", re.IGNORECASE)
"""Words of a question that asks for markup."""
_THOUGHTS: Final = re.compile(
    r"thought|\bthink|\breasons?\b|\breasoning|\bprocess\b|\bresponse\b|思考|思路|推理|理由|过程|過程", re.IGNORECASE
)
"""Words of a question whose answer may state thoughts."""


def speaks(text: str) -> bool:
    """Whether a text has a mark, or a word with which people speak of them or of code."""
    return MARK.search(text) is not None or _WORDS.search(text) is not None


class Talk:
    """The words of a request about marks; `body` is its JSON. It is read when the first mark asks."""

    def __init__(self, body: Mapping[str, object] | None = None) -> None:
        self._body = body or {}

    @cached_property
    def _text(self) -> str:
        return "\n".join(_texts(self._body, within=False))[-MAX_TALK:]

    @cached_property
    def speaks(self) -> bool:
        """Whether it has marks, or words with which people speak of them or of code."""
        return self.has_marks or speaks(self._text)

    @cached_property
    def has_marks(self) -> bool:
        """Whether it has marks."""
        return MARK.search(self._text) is not None

    @cached_property
    def names(self) -> bool:
        """Whether it has marks, or words that mean them."""
        return self.has_marks or _TOPIC.search(self._text) is not None

    @cached_property
    def asks(self) -> bool:
        """Whether a mark alone may answer it."""
        return self.names or _ENDS.search(self._text) is not None

    @cached_property
    def asks_for_thoughts(self) -> bool:
        """Whether an answer may announce thoughts because of it."""
        return _THOUGHTS.search(self._text) is not None

    def asks_for(self, word: str) -> bool:
        """Whether it asks for markup with this word."""
        is_named = word != "" and re.search(rf"\b{re.escape(word)}\b", self._text, re.IGNORECASE) is not None
        return is_named and (self.speaks or _FORMS.search(self._text) is not None)

    @cached_property
    def names_thinking(self) -> bool:
        """Whether it has a mark of reasoning."""
        kinds = {kind_of(match[0]) for match in MARK.finditer(self._text)}
        return not kinds.isdisjoint({MarkKind.THINK, MarkKind.THOUGHT})


def _texts(value: object, *, within: bool) -> Iterator[str]:
    """The texts of the questions in a request; instructions of the system are its owner's and say nothing here."""
    if isinstance(value, str) and within:
        yield value
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _texts(item, within=within)
    elif isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        is_turn = fields.get("role") == _ASKER
        for name, item in fields.items():
            if name not in ("role", "data", "image_url", "inline_data", "inlineData", "images"):
                yield from _texts(item, within=within or is_turn)
