"""The sample that people label, to measure labellers: 300 conversations over all labels, each read twice."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import labels, votes
from arena.adapters.store.engine.transactions import read_transaction
from arena.adapters.store.labels import PERSON
from arena.adapters.store.tables.labels import LabelSampleRow
from arena.domain.errors import AlreadyAnnotated, Invalid, NotFound
from arena.domain.labels.categories import category_of
from arena.domain.labels.endpoint_rubric import label_request, request_digest
from arena.domain.labels.label_sets import CAST, LABEL_RULES, LabelSource, label_set, rule_source
from arena.domain.schemas.labels import LabelItemView, LabelTaskView
from arena.domain.terms import JsonObject

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from random import Random

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.schemas.labels import LabelReadingRequest

SIZE: Final = 300
READINGS: Final = 2
"""Readings of each item, by two people or by one at two times."""
_CANDIDATES: Final = 10 * SIZE
"""Number of random votes from which a sample is drawn."""


async def draw(database: Database, name: str, questions: Sequence[str], rng: Random, now: datetime) -> int:
    """Draw the sample of a set from votes, or from `questions` (sets), or if it exists, renew its labels by rules.

    Returns the number of items.

    Raises:
        Invalid: There is nothing to draw from.
        QuestionSetNotFound: There is no such set of questions.
    """
    items = await database.read(_items, name, questions, rng)
    return await database.write(_draw, name, items, now)


@read_transaction
def work(session: Session, name: str, reader: str, reading: int) -> LabelTaskView:
    """The next item that needs a reading and has none by this reader with this number."""
    rows, readings = labels.sample(session, name), labels.readings(session, name)
    item: LabelItemView | None = None
    for row in rows:
        earlier = readings.get(row.number, [])
        has_read = any((person, number) == (reader, reading) for person, number, _ in earlier)
        if not has_read and len(earlier) < READINGS and (prompts := labels.sample_prompts(session, row)):
            item = LabelItemView(number=row.number, prompts=prompts)
            break
    return LabelTaskView(
        item=item, labels=label_set(name).labels, items=len(rows), readings=sum(map(len, readings.values()))
    )


async def read(database: Database, reading: LabelReadingRequest, now: datetime) -> None:
    """Store a reading of an item.

    Raises:
        NotFound: The sample has no such item.
        Invalid: A label is not in the set, or comes twice.
        AlreadyAnnotated: The reader has read the item before, or it has all its readings.
    """
    try:
        await database.write(_read, reading, now)
    except IntegrityError:
        raise AlreadyAnnotated from None


def _items(session: Session, name: str, questions: Sequence[str], rng: Random) -> list[dict[str, object]]:
    """The items of the sample in their stored form, with the labels by the current rules.

    This is done outside of the writing transaction, since the rules take seconds for all candidates.
    """
    if rows := labels.sample(session, name):
        samples = ((row.number, labels.sample_prompts(session, row)) for row in rows)
        # A withdrawn conversation has no prompts, so its labels do not change.
        return [{"number": number, "by_rules": _by_rules(name, prompts)} for number, prompts in samples if prompts]
    subject, label_set_ = "question_id" if questions else "vote_number", label_set(name)
    order = enumerate(_spread(name, _candidates(session, questions, rng), rng), 1)
    return [
        {
            "number": number,
            subject: key,
            "digest": request_digest(label_request(label_set_, prompts)),
            "by_rules": _by_rules(name, prompts),
        }
        for number, (key, prompts) in order
    ]


def _draw(session: Session, name: str, items: Sequence[JsonObject], now: datetime) -> int:
    rows = {row.number: row for row in labels.sample(session, name)}
    if not rows and not items:
        raise Invalid("There is nothing to draw from: no votes on prompts; name sets of questions.")
    for fields in items:
        if "digest" not in fields:
            rows[fields["number"]].by_rules = fields["by_rules"]
        elif not rows:  # otherwise another sample was drawn since, which stays
            session.add(LabelSampleRow(label_set=name, created_at=now, **fields))
    return len(rows) or len(items)


def _candidates(session: Session, questions: Sequence[str], rng: Random) -> dict[int, list[str]]:
    if questions:
        # A source without labels, so that every question of these sets is a candidate.
        no_source = LabelSource("", "", 0)
        results: dict[int, list[str]] = {}
        for question_set in questions:
            results |= labels.unlabelled_questions(session, no_source, question_set)
        return results
    last = votes.last_number(session)
    return labels.prompts_of(session, rng.sample(range(1, last + 1), min(last, _CANDIDATES)))


def _spread(name: str, candidates: Mapping[int, list[str]], rng: Random) -> list[tuple[int, list[str]]]:
    """`SIZE` candidates of all labels in turn, so that rare labels are measured too, in random order."""
    groups: dict[str, list[tuple[int, list[str]]]] = defaultdict(list)
    for key in rng.sample(sorted(candidates), len(candidates)):
        first = next(iter(LABEL_RULES[name](candidates[key])), "")
        groups[str(first)].append((key, candidates[key]))
    turns = chain.from_iterable(zip_longest(*(groups[label] for label in sorted(groups))))
    sample = [turn for turn in turns if turn is not None][:SIZE]
    rng.shuffle(sample)
    return sample


def _by_rules(name: str, prompts: Sequence[str]) -> dict[str, list[str]]:
    result = {str(rule_source(name)): [str(label) for label in LABEL_RULES[name](prompts)]}
    if name == CAST.set:
        result[str(CAST)] = [str(label) for label in (category_of(prompts),) if label]
    return result


def _read(session: Session, reading: LabelReadingRequest, now: datetime) -> None:
    row = labels.sample_item(session, reading.set, reading.number)
    if row is None:
        raise NotFound
    labels_of_set = label_set(reading.set).labels
    if any(value not in labels_of_set for value in reading.values) or len(set(reading.values)) < len(reading.values):
        raise Invalid(field="values", rule="choice", choices=", ".join(labels_of_set))
    if len(labels.readings(session, reading.set).get(reading.number, [])) >= READINGS:
        raise AlreadyAnnotated
    source = LabelSource(reading.set, f"{PERSON}{reading.reader}", reading.reading)
    if row.vote_number is not None:
        labels.add_votes(session, source, {row.vote_number: reading.values}, now)
    elif row.question_id is not None:
        labels.add_questions(session, source, {row.question_id: reading.values}, now)
