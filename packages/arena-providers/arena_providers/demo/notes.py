"""Fixed notes of the scripted models, and the choice of one for a prompt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arena_providers.demo.frames import count_of, fill_frame
from arena_providers.demo.script import Answer, Question, notes, script
from arena_providers.demo.templates import templates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from arena_providers.demo.script import Note

_FURTHER: Final = 0.34
"""Largest share of a prompt's letters, without words of asking and fillers, that the subject of a note leaves out.

A prompt with more than that asks about something else: a joke about cats is not any joke.
"""
_SUBJECT: Final = "\0"
"""Stands for a word of the subject that was found."""
_COMPOUND: Final = re.compile(rf"{_SUBJECT}[\u4e00-\u9fff]")
"""A subject that begins a longer word: gravity within gravity waves."""
_OWNER: Final = re.compile(rf"[\u4e00-\u9fff]{{2}}的{_SUBJECT}")
"""A thing that the subject belongs to: the price of something is not any price."""
_WORD: Final = re.compile(r"[a-z]{3}|(?![部本首款道家种])[\u4e00-\u9fff]{2}")
"""The least that names a sort of things to recommend."""
_ITEM: Final = re.compile(r"(?m)^(?:[-*]|\d+\.) |^\| (?![-|: ]+$)")
"""The beginning of a list item or of a row of a table."""
_STEM: Final = 4
"""Letters above which a subject matches as a prefix; one of so many is inflected only, so `java` is no javascript."""


def recall_fact(question: Question) -> Answer | None:
    """The fact that a prompt asks for, if it asks for nothing else."""
    for subject, note in _find_notes(question, notes().facts):
        if subject and _further_letters(question) <= _letters(subject):
            return question.of(note)
    return None


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
    return next((match for match in matches if match[0] in match[1].wherever or _is_whole(question, *match)), None)


def _is_whole(question: Question, subject: str, note: Note) -> bool:
    """Whether the prompt asks for a subject, for a thing that the note is, and for hardly anything else."""
    text = question.text.lower()
    kinds = _kinds(text)
    if (note.kind and note.kind not in kinds) or kinds - {note.kind, *note.also, *_kinds(subject)}:
        return False
    for word in sorted(subject.split(), key=len, reverse=True):
        pattern = rf"(?<![a-z]){re.escape(word.replace('_', ' '))}[a-z]*" if word.isascii() else word
        text, count = re.subn(pattern, _SUBJECT, text)
        if not count and not word.isascii():  # it is only a part of a longer word of the subject
            return False
    if _is_narrowed(text) or not _has_both_sides(question, subject) or not _has_amount(text, note):
        return False
    if any(f"```{language}" not in note.en[1] for language in script().languages.findall(text)):
        return False
    for kind in kinds:
        text = script().kinds[kind].sub(" ", text)
    return _leaves_little(question, subject, script().filler.sub(" ", text))


def _is_narrowed(text: str) -> bool:
    """Whether words turn, limit or detail what a prompt asks for."""
    return any(pattern.search(text) for pattern in (script().turning, script().limiting, script().topic))


def _leaves_little(question: Question, subject: str, text: str) -> bool:
    """Whether a prompt without its subject and its fillers has no other thing, and little else."""
    if _OWNER.search(text) or script().beside.search(text):
        return False
    text = script().asking.sub(" ", text)
    if (" " not in subject and _COMPOUND.search(text)) or (
        script().choosing.search(question.text) and _WORD.search(text)
    ):
        return False
    further = _letters(text.replace(_SUBJECT, ""))
    return further <= _FURTHER * (further + _letters(subject))


def _has_amount(text: str, note: Note) -> bool:
    """Whether a note has as many items as a prompt asks for, if it names a number."""
    match = script().amount.search(text)
    amount = count_of(match["amount"] or match["zhamount"]) if match else 0
    return len(_ITEM.findall(note.en[1])) >= amount


def _kinds(text: str) -> set[str]:
    """The kinds of answer that a text asks for in so many words, such as code, a recipe, or a reason."""
    return {name for name, pattern in script().kinds.items() if pattern.search(text)}


def _has_both_sides(question: Question, subject: str) -> bool:
    """Whether a subject has a word of either side, if the prompt compares two things."""
    match = script().comparing.search(question.text.lower())
    sides = [side for side in match.groups() if side] if match else []
    return all(any(_has(word, _words(side) if word.isascii() else side) for word in subject.split()) for side in sides)


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


def _further_letters(question: Question) -> int:
    return _letters(script().asking.sub("", question.text.lower()))
