"""Answers by kind of request: a frame that carries the object of the request, for prompts that no note knows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from arena_providers.demo.script import script
from arena_providers.demo.templates import templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from arena_providers.demo.script import Answer, Question
    from arena_providers.demo.templates import Template

_LONGEST: Final = 200
"""Most characters of a prompt that a frame answers."""
_ITEM: Final = re.compile(r"\d+\. |- ")
_NAME: Final = re.compile(r"(?:\b(?:called|named) |(?<=[店馆司牌])叫)(.{2,40})$")
_EDGES: Final = " ,'\"“”"
_FOR_ME: Final = ("给我", "为我", "替我")


class Request(NamedTuple):
    """A prompt without its greeting, or also without its opening, of which `sort` then says how many and which."""

    text: str
    sort: str = ""


def fill_frame(question: Question, choice: Sequence[Template]) -> Answer | None:
    """The frame of the first template that understands the whole prompt, with the object of the prompt in it."""
    text = " ".join(question.text.split())
    if len(text) > _LONGEST or templates().refused.search(text):
        return None
    if choice is templates().advice and templates().unadvised.search(text):
        return None
    requests = list(_requests(text))
    is_about_itself = script().itself.search(text) is not None
    for template in choice:
        if is_about_itself and not template.plain:
            continue
        for pattern in template.patterns:
            for request in requests:
                if match := pattern.fullmatch(request.text):
                    return _answer(question, template, request, match.groupdict(""))
    return None


def _requests(text: str) -> Iterator[Request]:
    """The forms of a prompt that may be those of a pattern, the barest first."""
    trimmed = templates().end.sub("", text)
    greeting = templates().lead.match(trimmed)
    bare = trimmed[greeting.end() :] if greeting else trimmed
    if opening := templates().opening.match(bare):
        yield Request(bare[opening.end() :], (opening["sort"] or opening["zhsort"] or "").strip())
    yield from map(Request, (bare, trimmed, text))


def _answer(question: Question, template: Template, request: Request, groups: Mapping[str, str]) -> Answer | None:
    """The short and the thorough frame, filled; nothing if they cannot keep all that is asked for."""
    frames = question.of(template)
    count = count_of(groups.get("number") or groups.get("days") or request.sort.lstrip("一"))
    if count > max(1, sum(map(_is_item, frames[1].splitlines()))) or _has_further_wish(template, request, groups):
        return None
    words = _words(
        (groups.get("object") or template.nothing[question.zh]).strip(_EDGES),
        (groups.get("other") or groups.get("recipient") or template.nobody[question.zh]).strip(_EDGES),
    )
    for name, phrases in template.options.items():
        part = groups.get(name) or ""
        words[f"{name}_part"] = part and phrases[question.zh].format(**{name: part, name.title(): _capital(part)})
    if question.zh:
        words = {name: word.replace(",", "，") for name, word in words.items()}
    short, thorough = (_shorten(frame, count or template.shown).format(**words) for frame in frames)
    if template.plain:
        return short, thorough
    marks = question.say("frame")
    return f"{short}\n\n{marks[0]}", f"{thorough}\n\n{marks[1]}"


def _has_further_wish(template: Template, request: Request, groups: Mapping[str, str]) -> bool:
    """Whether a request is for a sort of text that the frame is not of, or its object has wishes of its own."""
    sorts = templates().unsaid.sub(" ", f"{request.sort} {groups.get('soft') or ''}".strip())
    if any(map(str.isalnum, re.sub(rf"(?i)(?:{template.keeps})的?", "", sorts))):
        return True
    if templates().clause.search(groups.get("other") or "") or _is_opening(groups.get("object") or "", request.text):
        return True
    if any(templates().form.search(part or "") for name, part in groups.items() if name not in {"soft", "verb"}):
        return True
    if template.states:
        return False
    return any(
        templates().denied.search(part) or not (template.clauses or template.plain or _is_plain(part))
        for part in (groups.get("object") or "", groups.get("other") or "")
    )


def _is_opening(text: str, request: str) -> bool:
    """Whether an object is but the opening of a request: 给我想一个口号 has none."""
    rest = text.removeprefix("我")
    if text and not rest:
        return request.startswith(_FOR_ME)
    return bool(text) and any(map(templates().opening.fullmatch, (text, rest)))


def count_of(text: str) -> int:
    """The first whole number of a text, in figures or words, or 0."""
    match = templates().count.search(text)
    return 0 if match is None else templates().numbers.get(match[0].lower()) or int(match[0])


def _is_item(line: str) -> bool:
    return _ITEM.match(line) is not None


def _shorten(frame: str, count: int) -> str:
    """A frame with no more than `count` items of its list, or all of them if it is 0."""
    lines: list[str] = []
    items = 0
    for line in frame.splitlines():
        items += _is_item(line)
        if not count or items <= count or not _is_item(line):
            lines.append(line)
    return "\n".join(lines)


def _is_plain(phrase: str) -> bool:
    """Whether an object is a plain noun phrase, which a frame may use as a noun: few words, and no clause or verb."""
    return templates().involved.search(phrase) is None


def _words(subject: str, other: str) -> dict[str, str]:
    """The words of a frame: object and second side as they are, without an article, and seen from the other side."""
    title = templates().article.sub("", subject)
    name = _NAME.search(title)
    words = {"object": subject, "title": title, "core": _core(title), "yours": _turn(subject)}
    words["name"] = name[1] if name else title
    words |= {"other": other, "to": templates().article.sub("", other)}
    return words | {name.title(): _capital(word) for name, word in words.items()}


def _capital(text: str) -> str:
    """A text with a capital letter, unless its first word has one inside, such as iPhone."""
    return text if text.partition(" ")[0] != text.partition(" ")[0].lower() else text[:1].upper() + text[1:]


def _core(title: str) -> str:
    """The noun of an object without its additions: a bakery that sells bread is a Bakery, 新开的书店 a 书店."""
    noun = templates().noun.search(templates().addition.sub("", title))
    return noun[0].title() if noun and title.isascii() else title.rpartition("的")[2] or title


def _turn(text: str) -> str:
    """A text as seen from the other side: my dog is your dog."""
    turns = templates().other_side
    if not text.isascii():
        return text.replace("我", turns["我"])
    return " ".join(turns.get(word.lower(), word) for word in text.split())
