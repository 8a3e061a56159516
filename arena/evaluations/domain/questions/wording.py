"""Parser of closed questions that an endpoint or a person wrote as one JSON object."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from string import ascii_uppercase
from typing import Final, cast

from pydantic import ValidationError

from arena.domain.schemas.questions import OPTIONS, WordingView

_NAMES: Final = {
    "question": ("question", "问题", "题目"),
    "options": ("options", "choices", "选项"),
    "answer": ("answer", "key", "答案"),
}
_LETTERS: Final = ascii_uppercase[:OPTIONS]
_MOST_BRACES: Final = 20
"""Most opening braces at which a JSON object is searched."""
_MARK: Final = r"[(（]?([A-Z])(?:[.．、:：)）]+\s*|\s*$)"
_LETTERED: Final = re.compile(_MARK)
_INLINE: Final = re.compile(rf"(?:^|(?<=\s)){_MARK}")
_OPTIONS_IN_QUESTION: Final = re.compile(r"(?ms)^[^\S\n]*A[.．、:：)）].*^[^\S\n]*B[.．、:：)）]")
_DECODER: Final = json.JSONDecoder(strict=False)


class Unreadable(Exception):
    """A text has no closed question; the message is the reason."""


def read_wording(text: str) -> WordingView:
    """The closed question in a text: a JSON object with `question`, `options` and `answer`.

    Options are a list, an object by letter, or one text with a letter before each; the answer is a letter, with or
    without the text of its option.

    Raises:
        Unreadable: There is none, or it has not exactly four different options and one right letter.
    """
    fields = _fields(text)
    options = _options(fields["options"])
    if len(options) != OPTIONS:
        raise Unreadable(f"it has {len(options)} options, not {OPTIONS}")
    if len({_normalise(option) for option in options}) < OPTIONS:
        raise Unreadable("two options are the same")
    if _OPTIONS_IN_QUESTION.search(str(fields["question"])):
        raise Unreadable("its question repeats the options, whose order will be changed")
    content = {"question": fields["question"], "options": options, "key": _letter(fields["answer"], options)}
    try:
        return WordingView.model_validate(content)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        raise Unreadable(f"{'.'.join(map(str, detail['loc']))}: {detail['msg']}") from None


def read_question(text: str) -> str:
    """The question in a text: a JSON object with `question`.

    Raises:
        Unreadable: It has none.
    """
    for fields in _objects(text):
        question = _first_value(fields, _NAMES["question"])
        if isinstance(question, str) and question.strip():
            return question.strip()
    raise Unreadable("it has no JSON object with a question")


def _fields(text: str) -> dict[str, object]:
    for result in _objects(text):
        fields = {name: _first_value(result, names) for name, names in _NAMES.items()}
        if fields["question"] is not None:
            if absent := [name for name, value in fields.items() if value is None]:
                raise Unreadable(f"its object has no {absent[0]}")
            return fields
    raise Unreadable("it has no JSON object with a question")


def _objects(text: str) -> Iterator[dict[str, object]]:
    for brace in islice(re.finditer(r"\{", text), _MOST_BRACES):
        try:
            result, _ = _DECODER.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        yield cast("dict[str, object]", result)


def _first_value(fields: dict[str, object], names: tuple[str, ...]) -> object:
    return next((fields[name] for name in names if name in fields), None)


def _options(value: object) -> list[str]:
    """Texts of the options without the letters before them."""
    if isinstance(value, dict):
        by_letter = cast("dict[str, object]", value)
        if sorted(by_letter) != list(_LETTERS):
            raise Unreadable("its options are not lettered A to D")
        return [_text(by_letter[letter]) for letter in _LETTERS]
    if isinstance(value, str):
        _, *parts = _INLINE.split(value)
        letters, options = "".join(parts[::2]), [part.strip() for part in parts[1::2]]
        if letters != ascii_uppercase[: len(letters)]:
            raise Unreadable("its options are not lettered in order")
        return options
    if not isinstance(value, list):
        raise Unreadable("its options are no list")
    texts = [_text(entry) for entry in cast("list[object]", value)]
    marks = [_LETTERED.match(text) for text in texts]
    if [mark[1] for mark in marks if mark] == list(ascii_uppercase[: len(texts)]):
        return [text[mark.end() :] for text, mark in zip(texts, marks, strict=True) if mark]
    return texts


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Unreadable("an option is no text")
    return str(value).strip()


def _letter(value: object, options: list[str]) -> str:
    text = unicodedata.normalize("NFKC", value).strip() if isinstance(value, str) else ""
    mark = _LETTERED.match(text)
    letter, tail = (mark[1], text[mark.end() :]) if mark else ("", text)
    if (
        letter not in _LETTERS
        or not letter
        or (tail and _normalise(tail) != _normalise(options[_LETTERS.index(letter)]))
    ):
        raise Unreadable("its answer is not one letter of A to D")
    return letter


def _normalise(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
