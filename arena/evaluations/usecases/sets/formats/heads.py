"""Usual heads of the columns of tables of questions, as teachers and benchmarks write them, by field."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import Final

HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "prompt": (
        *("prompt", "question", "questions", "question text", "task text", "prompt示例", "prompt example"),
        *(
            "问题",
            "题目",
            "试题",
            "题干",
            "提问",
            "题目内容",
            "问题内容",
            "問題",
            "題目",
            "試題",
            "題幹",
            "題目內容",
            "問題內容",
        ),
    ),
    "turns": ("turns",),
    "reference": (
        *("reference", "reference answer", "answer", "answers", "correct answer", "expected answer", "solution"),
        *("model answer", "ideal answer", "sample answer", "suggested answer", "gold answer", "gold"),
        *("ground truth", "expected output"),
        *("参考答案", "标准答案", "正确答案", "答案", "参考回答", "解答", "示范答案", "示例答案", "范文", "参考范文"),
        *("參考答案", "標準答案", "正確答案", "參考回答", "示範答案", "範例答案", "範文", "參考範文"),
    ),
    "answers": ("answers",),
    "id": (
        *("id", "prompt_id", "prompt id", "question_id", "question id", "no", "no.", "nr", "number", "#"),
        *("编号", "序号", "题号", "编码", "編號", "序號", "題號", "編碼"),
    ),
    "area": (
        *("area", "domain area", "major areas", "subject", "domain", "field", "topic"),
        *("一级类目", "一级分类", "领域", "科目", "学科", "课程", "类别", "分类", "类目"),
        *("一級類目", "一級分類", "領域", "學科", "課程", "類別", "分類", "類目"),
    ),
    "category": (
        *("category", "tasks", "二级类目", "二级分类", "类别", "分类", "类目", "知识点", "章节"),
        *("二級類目", "二級分類", "類別", "分類", "類目", "知識點", "章節"),
    ),
    "task": ("task", "任务", "题型", "任務", "題型"),
    "difficulty": ("difficulty", "level", "难度", "難度"),
    "hint": ("hint", "提示"),
    "options": ("options", "choices", "选项", "選項"),
    "key": ("key", "correct option", "正确选项", "正確選項"),
}
"""Heads in lower case; of a field's columns the first head counts, and one column fills one field."""
_OPTION: Final = re.compile(r"(?:选项|選項|option)[ _]?([a-z])")


def columns_of(header: Sequence[str], names: Iterable[str] = ()) -> dict[str, str]:
    """The column of each field that a header has, and of each option by its letter; not those in `names`."""
    rest = {_plain(name): name for name in reversed(header) if name and name not in set(names)}
    result = _taken(rest, HEADS)
    for head, name in rest.items():
        letter = name if len(name) == 1 else (mark[1].upper() if (mark := _OPTION.fullmatch(head)) else "")
        if letter and letter in ascii_uppercase:
            result[letter] = name
    return result


def columns_by(heads: Mapping[str, tuple[str, ...]], header: Sequence[str]) -> dict[str, str]:
    """The column of each field that a header has by these heads."""
    return _taken({_plain(name): name for name in reversed(header) if name}, heads)


def _taken(rest: dict[str, str], fields: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The column of each field, taken out of the columns by their heads in lower case."""
    result: dict[str, str] = {}
    for field, heads in fields.items():
        if (head := next((head for head in heads if head in rest), None)) is not None:
            result[field] = rest.pop(head)
    return result


def _plain(name: str) -> str:
    """A head in lower case without spaces around it, marks of required columns and remarks in brackets."""
    text = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(re.sub(r"\([^()]*\)", "", text).split()).strip("*: ") or text.strip()
