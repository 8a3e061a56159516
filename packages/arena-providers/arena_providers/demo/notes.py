"""Fixed notes of the scripted models, and the choice of one for a prompt."""

from __future__ import annotations

import re
from functools import cache, reduce
from typing import TYPE_CHECKING, Final

from arena_providers.demo.frames import count_of, fill_frame
from arena_providers.demo.script import Answer, Question, is_idle, notes, read, script
from arena_providers.demo.templates import templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena_providers.demo.script import Note

_SUBJECT: Final = "\0"
"""Stands for a word of the subject that was found."""
_ITEM: Final = re.compile(r"(?m)^(?:[-*]|\d+\.) |^\| (?![-|: ]+$)")
"""The beginning of a list item or of a row of a table."""
_AMOUNT: Final = re.compile("many|much|number|多|几")
_ITSELF: Final = re.compile("you|你")
"""Words of subjects that name a number, or the model itself."""
_NAME: Final = re.compile(r"\b[a-z_]{3,}\b")
_STEM: Final = 4
"""Letters above which a subject matches as a prefix; one of so many is inflected only, so `java` is no javascript."""


def recall_idea(question: Question) -> Answer | None:
    """The answer to one of the prompts that the start page offers."""
    note = _ideas().get(_signs(question.whole))
    return question.of(note) if note else None


@cache
def _ideas() -> dict[str, Note]:
    all_notes = (*notes().writings, *notes().facts)
    return {_signs(read(prompt).whole): note for note in all_notes for prompt in note.prompts}


def _signs(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def recall_note(question: Question) -> Answer | None:
    """The nearest writing on a subject, a frame, other writing, a fact, or a frame for advice, in this order."""
    writing, fact = (_nearest(question, notes_of_kind) for notes_of_kind in (notes().writings, notes().facts))
    if writing and " " in writing[0]:
        return question.of(writing[1])
    if "\n" in question.text:  # a request about an attached text, which a note cannot answer
        return question.of(fact[1]) if fact else None
    return (
        fill_frame(question, templates().forms)
        or (question.of(writing[1]) if writing else None)
        or (question.of(fact[1]) if fact else None)
        or fill_frame(question, templates().advice)
    )


def _nearest(question: Question, notes: Sequence[Note]) -> tuple[str, Note] | None:
    """The note with the longest subject that leaves little of the prompt out, with that subject."""
    matches = _find_notes(question, notes)
    return next((match for match in matches if _is_whole(question, *match)), None)


def _is_whole(question: Question, subject: str, note: Note) -> bool:
    """Whether each word of a prompt is one of a subject, of a kind that the note has, or changes nothing."""
    text = question.text.lower()
    if not _is_so_asked(text, subject, note, question.of(note)):
        return False
    for word in sorted(subject.split(), key=len, reverse=True):
        pattern = rf"(?<![a-z]){re.escape(word.replace('_', ' '))}[a-z]*" if word.isascii() else word
        text, count = re.subn(pattern, _SUBJECT, text)
        if not count and not word.isascii():  # it is only a part of a longer word of the subject
            return False
    if not _has_amount(text, note) or any(f"```{name}" not in note.en[1] for name in script().languages.findall(text)):
        return False
    rest = reduce(lambda rest, pattern: pattern.sub(" ", rest), _allowed(_kinds(text)), text)
    if "```" in note.en[1]:  # names that a prompt gives to what a program works on
        rest = _NAME.sub(lambda match: "" if all(match[0] in code.lower() for code in note.en) else match[0], rest)
    return is_idle(rest)


def _is_so_asked(text: str, subject: str, note: Note, texts: Answer) -> bool:
    """Whether a note answers a question of this sort: of a kind, about the model itself, for a number or a time."""
    kinds = _kinds(text)
    if (note.kind and note.kind not in kinds) or kinds - {note.kind, *note.also, *_kinds(subject.replace("_", " "))}:
        return False
    if script().dating.search(text) and not all(map(script().number.search, texts)):
        return False
    is_about_itself = script().itself.search(text) is not None
    is_counting = script().counting.search(text) is not None
    return not (is_about_itself and not _ITSELF.search(subject)) and not (is_counting and not _AMOUNT.search(subject))


def _allowed(kinds: set[str]) -> Iterator[re.Pattern[str]]:
    """The patterns of the words that ask for a number of things, a language of code, or a kind of answer."""
    yield from (script().amount, script().languages, *(script().kinds[kind] for kind in kinds))


def _has_amount(text: str, note: Note) -> bool:
    """Whether both texts of a note have as many items as a prompt asks for, if it names a number above one."""
    match = script().amount.search(text)
    amount = count_of(match["amount"] or match["zhamount"]) if match else 0
    return amount <= 1 or all(len(_ITEM.findall(answer)) == amount for answer in note.en)


def _kinds(text: str) -> set[str]:
    """The kinds of answer that a text asks for in so many words, such as code, a recipe, or a reason."""
    return {name for name, pattern in script().kinds.items() if pattern.search(text)}


def _find_notes(question: Question, notes: Sequence[Note]) -> Iterator[tuple[str, Note]]:
    """The notes with a subject whose words are all in the prompt, with that subject, the longest first."""
    text = question.text.lower()
    words = _words(text)
    both = f"{words}\n{text}"
    hits = [
        (subject, note)
        for note in notes
        for subject, beginnings in note.subjects
        if all(map(both.__contains__, beginnings))
        and all(_has(word, words if word.isascii() else text) for word in subject.split())
    ]
    return iter(sorted(hits, key=lambda hit: -_letters(hit[0])))


def _words(text: str) -> str:
    """The Latin words of a text, each after a space."""
    return " ".join(["", *re.findall(r"[a-z0-9'-]+", text), *re.findall(r"(?<=-)[a-z]+", text)])


def _has(word: str, text: str) -> bool:
    """Whether a text contains a Latin word or phrase (`so_written`) at a word start, or a Han word."""
    if not word.isascii():
        return word in text
    word_start = f" {word.replace('_', ' ')}"
    if len(word) > _STEM or word_start not in text:
        return word_start in text
    ending = "(?:e?s|e?d|ing)?" if len(word) == _STEM else "s?"
    return re.search(f"{re.escape(word_start)}{ending}(?![a-z])", text) is not None


def _letters(text: str) -> int:
    """The size of a text in letters; a Han character counts as two."""
    return sum(1 + ("\u3400" <= sign <= "\u9fff") for sign in text if not sign.isspace())
