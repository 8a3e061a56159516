"""Annotators: invitation by links, public participation, revocation, and withdrawal of annotations."""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from arena.adapters.store import voters
from arena.adapters.store.engine import Database
from arena.adapters.store.engine.transactions import read_transaction, write_transaction
from arena.domain.errors import Invalid
from arena.domain.terms import BotVerdict, Voter
from arena.evaluations.domain.errors import AnnotatorNotFound, EvaluationClosed, EvaluationNotFound
from arena.evaluations.domain.people.designs import is_disputed
from arena.evaluations.domain.people.protocols import is_judged
from arena.evaluations.domain.schemas.operated_evaluations import TEAM, TEAM_LIMIT, AnnotatorStateView
from arena.evaluations.domain.terms import AssignmentState, EvaluationState
from arena.evaluations.store import annotations, annotators, assignments
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.annotations import AnnotationRow, AnnotatorRow
from arena.evaluations.store.tables.evaluations import EvaluationRow
from arena.evaluations.usecases.definition import evaluation_row, questions_of

MAX_INVITED: Final = 1_000
_BYTES: Final = 24


@dataclass(frozen=True, slots=True)
class InvitationTerms:
    """Role and group of invited annotators: reviewers get disputed items; without `hints` no right answer is shown.

    `team` is a kind of annotators, such as onsite or crowd. With `areas` they get only questions of these.
    """

    reviewer: bool = False
    team: str = ""
    hints: bool = True
    areas: tuple[str, ...] = ()


_DEFAULT_TERMS: Final = InvitationTerms()


async def invite(
    database: Database, name: str, number: int, now: datetime, terms: InvitationTerms = _DEFAULT_TERMS
) -> list[tuple[str, str]]:
    """Create annotators and return label and link of each; only the digest of a link is stored.

    Raises:
        EvaluationNotFound: There is none of this name.
        EvaluationClosed: It is closed.
        Invalid: Nobody judges it, there are more than `MAX_INVITED`, the team's name is not allowed, or an area has no
            questions.
    """
    if len(terms.team) > TEAM_LIMIT or not re.match(TEAM, terms.team):
        raise Invalid(f"A team has up to {TEAM_LIMIT} letters, digits, spaces and dashes.")
    if not 1 <= number <= MAX_INVITED:
        raise Invalid(rule="invited", limit=MAX_INVITED)
    return await database.write(add_invited, name, number, now, terms)


def add_invited(
    session: Session, name: str, number: int, now: datetime, terms: InvitationTerms = _DEFAULT_TERMS
) -> list[tuple[str, str]]:
    """Create annotators as `invite` does, in a transaction of the caller.

    Raises:
        EvaluationNotFound: There is none of this name.
        EvaluationClosed: It is closed.
        Invalid: Nobody judges it, or an area has no questions.
    """
    row = evaluation_row(session, name)
    if row.state is EvaluationState.CLOSED:
        raise EvaluationClosed
    if not is_judged(row.protocol):
        raise Invalid(rule="judged_alone", name=name)
    areas = {area: None for question in questions_of(session, row.set_id).values() if (area := question.area)}
    if unknown := [area for area in terms.areas if area not in areas]:
        raise Invalid(f"No question of {name} is of the area {unknown[0]!r}; there are: {', '.join(areas) or 'none'}.")
    links = [secrets.token_urlsafe(_BYTES) for _ in range(number)]
    labels = annotators.new_labels(session, row.id, number)
    for label, link in zip(labels, links, strict=True):
        annotators.add_annotator(
            session, row.id, label, now, link=digest(link), **asdict(terms) | {"areas": [*terms.areas]}
        )
    return list(zip(labels, links, strict=True))


async def join(database: Database, name: str, voter: Voter, now: datetime) -> str:
    """Return a link for a public annotator, which replaces an earlier one.

    Raises:
        EvaluationNotFound: There is no public one of this name; a draft, which nobody may know of, is answered alike.
        EvaluationClosed: It is closed.
        AnnotatorNotFound: They were left out, or failed the bot check of today.
    """
    link = secrets.token_urlsafe(_BYTES)
    try:
        await database.write(_join, name, voter, link, now)
    except IntegrityError:
        # The voter joined at the same time in another transaction.
        await database.write(_join, name, voter, link, now)
    return link


@write_transaction
def revoke(session: Session, name: str, label: str, now: datetime) -> None:
    """Revoke a link; annotations by it stay.

    Raises:
        EvaluationNotFound: There is no such evaluation.
        AnnotatorNotFound: It has no such annotator.
    """
    annotator = _annotator(session, name, label)
    annotator.revoked_at = annotator.revoked_at or now


def leave_out(session: Session, name: str, label: str, reason: str, now: datetime, *, panel: bool = False) -> int:
    """Revoke an annotator's link and withdraw their annotations, so that others get the items; returns their number.

    With `panel` only reviewers get these items; without, they have none whose dispute has ended thereby.

    Raises:
        EvaluationNotFound: There is no such evaluation.
        EvaluationClosed: It is closed.
        AnnotatorNotFound: It has no such annotator.
    """
    row = evaluation_row(session, name)
    if stored.hold_state(session, row.id) is EvaluationState.CLOSED:
        raise EvaluationClosed
    annotator = _annotator(session, name, label)
    annotator.revoked_at = annotator.revoked_at or now
    for assignment in assignments.in_states(session, annotator.id, AssignmentState.SHOWN, AssignmentState.DONE):
        if not assignment.attempt and assignment.state is AssignmentState.SHOWN:
            assignments.free_place(session, assignment.item_id)
        assignment.state = AssignmentState.EXPIRED
    items = annotations.first_items(session, annotator.id)
    for item in items:
        assignments.free_place(session, item)
        if panel:
            assignments.dispute(session, item)
    disputed = set[int]() if panel else _disputed(session, row, items)
    number = annotations.withdraw_all(session, annotator.id, reason, now)
    for item in disputed - _disputed(session, row, disputed):
        assignments.settle(session, item, row.per_item)
    return number


def _disputed(session: Session, row: EvaluationRow, items: Collection[int]) -> set[int]:
    """The items among these that people disagree about."""
    values = annotations.first_values(session, AnnotationRow.item_id.in_(items)) if items else {}
    return {item for item, outcomes in values.items() if is_disputed(outcomes, row.per_item)}


take_back = write_transaction(leave_out)


@read_transaction
def states(session: Session, name: str) -> list[AnnotatorStateView]:
    """List the annotators of an evaluation.

    Raises:
        EvaluationNotFound: There is none of this name.
    """
    row = evaluation_row(session, name)
    networks, counts = annotators.networks(session, row.id), annotations.by_annotator(session, row.id)
    return [
        AnnotatorStateView(
            label=annotator.label,
            team=annotator.team,
            hints=annotator.hints,
            areas=annotator.areas,
            reviewer=annotator.reviewer,
            invited=annotator.link is not None and annotator.voter_key is None,
            revoked=annotator.revoked_at is not None,
            done=counts.get(annotator.id, 0),
            networks=networks.get(annotator.id, 0),
        )
        for annotator in annotators.annotators(session, row.id)
    ]


def digest(link: str) -> str:
    """The stored digest of a link."""
    return sha256(link.encode()).hexdigest()


def closed_to_annotators(session: Session, evaluation_id: int, name: str) -> EvaluationClosed:
    """The error for annotators of a closed evaluation, which says whether they can read its report."""
    rule = "published" if stored.has_report(session, evaluation_id) else "unpublished"
    return EvaluationClosed(rule=rule, name=name)


def _join(session: Session, name: str, voter: Voter, link: str, now: datetime) -> None:
    row = evaluation_row(session, name)
    if not row.public or row.state is EvaluationState.DRAFT:
        raise EvaluationNotFound
    if row.state is EvaluationState.CLOSED:
        raise closed_to_annotators(session, row.id, name)
    if voters.verdict(session, voter.key, now.date()) is BotVerdict.FAIL:
        raise AnnotatorNotFound
    annotator = annotators.of_voter(session, row.id, voter.key)
    if annotator is None:
        (label,) = annotators.new_labels(session, row.id, 1)
        annotators.add_annotator(session, row.id, label, now, link=digest(link), voter_key=voter.key)
    elif annotator.revoked_at is None:
        annotator.link = digest(link)
    else:
        raise AnnotatorNotFound


def _annotator(session: Session, name: str, label: str) -> AnnotatorRow:
    row = evaluation_row(session, name)
    for annotator in annotators.annotators(session, row.id):
        if annotator.label == label:
            return annotator
    raise AnnotatorNotFound(f"{name} has no annotator {label!r}.")
