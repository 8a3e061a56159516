"""The assessment of a vote by its prompts and answers: its category, its style, and whether it counts.

It is slow, so it is made before the transaction that stores the vote.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Final

from arena.adapters.store import vote_batches, voters
from arena.domain.blinding.identity import asks_identity
from arena.domain.errors import BattleNotFound
from arena.domain.labels.categories import VISION, WEB, category_of
from arena.domain.terms import BattleKind, BotVerdict, NotCounted, Side
from arena.domain.web_pages.hidden_text import hidden_texts
from arena_rating.answer_style import style_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import date

    from sqlalchemy.orm import Session

    from arena.adapters.store.vote_batches import Identity, Transcript
    from arena.domain.terms import TurnState
    from arena.usecases.votes.ballot import Ballot


LONGEST_READING: Final = 10.0
"""Upper bound of the reading time in seconds, since a long answer may be judged without reading all of it."""
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A ballot with the transcript of its battle and the identities of its endpoints.

    `checked` is false if the voter has to do a bot check and has done it neither on the day (UTC) of the vote nor on
    that of the battle; `tier` is the verdict of the check on the day of the vote.
    """

    ballot: Ballot
    transcript: Transcript
    identities: tuple[Identity, Identity]
    checked: bool = True
    tier: BotVerdict = BotVerdict.UNKNOWN


@dataclass(frozen=True, slots=True)
class Assessment:
    """The category and style of a vote, its images, and why it would not count.

    `last` is number, generation and state of the turn that was assessed; the assessment holds for its answers alone.
    `style` has the counts of `style_of` for side A, then those for side B. `tier` is the verdict of the bot check.
    """

    last: tuple[int, int, TurnState]
    not_counted: NotCounted | None
    category: str | None
    style: list[int]
    tier: BotVerdict = BotVerdict.UNKNOWN
    images: Sequence[str] = ()


def load(session: Session, ballots: Sequence[Ballot]) -> list[Evidence | BattleNotFound]:
    """The evidence for each ballot; BattleNotFound if its battle is unknown or another voter's."""
    transcripts = vote_batches.transcripts(session, [ballot.battle_id for ballot in ballots])
    identities = vote_batches.identities(session, {number for entry in transcripts.values() for number in entry.sides})
    checks = _checks(session, ballots, transcripts.values())
    tiers = _tiers(session, ballots)
    results: list[Evidence | BattleNotFound] = []
    for ballot in ballots:
        transcript = transcripts.get(ballot.battle_id)
        if transcript is None or transcript.voter_key != ballot.voter.key:
            results.append(BattleNotFound())
        else:
            a, b = transcript.sides
            key = ballot.voter.key
            sides, tier = (identities[a], identities[b]), tiers.get((key, ballot.place.day), BotVerdict.UNKNOWN)
            has_check = not checks.isdisjoint({(key, ballot.place.day), (key, _day(transcript))})
            results.append(Evidence(ballot, transcript, sides, has_check or not _must_check(ballot), tier))
    return results


def _tiers(session: Session, ballots: Sequence[Ballot]) -> dict[tuple[str, date], BotVerdict]:
    """The verdicts of voters' bot checks by voter and day of the vote; a batch may lie on both sides of midnight."""
    keys: dict[date, set[str]] = defaultdict(set)
    for ballot in ballots:
        keys[ballot.place.day].add(ballot.voter.key)
    verdicts = ((day, voters.verdicts(session, voter_keys, day)) for day, voter_keys in keys.items())
    return {(key, day): verdict for day, by_key in verdicts for key, verdict in by_key.items()}


def _checks(session: Session, ballots: Sequence[Ballot], transcripts: Collection[Transcript]) -> set[tuple[str, date]]:
    """The bot checks (voter key, day) of voters who have to do one, on the days of these votes and battles."""
    voters_to_check = {ballot.voter.key for ballot in ballots if _must_check(ballot)}
    days = {*(ballot.place.day for ballot in ballots), *map(_day, transcripts)}
    return voters.checked(session, voters_to_check, days) if voters_to_check else set()


def _must_check(ballot: Ballot) -> bool:
    """Whether the vote counts only after a bot check; members need none, since they have signed in."""
    return ballot.bounds.bot_check and not ballot.voter.member


def _day(transcript: Transcript) -> date:
    return transcript.created_at.astimezone(UTC).date()


def assess(evidence: Evidence) -> Assessment:
    """Decide whether the vote would count, label its prompts, and measure the style of its answers."""
    transcript = evidence.transcript
    return Assessment(
        last=transcript.last,
        not_counted=_not_counted(evidence),
        category=_category(transcript),
        style=[count for side in Side for count in style_of(_answers(transcript, side))],
        tier=evidence.tier,
        images=transcript.images,
    )


def _category(transcript: Transcript) -> str | None:
    if transcript.kind is BattleKind.WEB_PAGE:
        return WEB
    return VISION if transcript.images else category_of(transcript.prompts)


def _readable(evidence: Evidence, side: Side) -> list[str]:
    """The texts of a side that its voter may have read; of web pages also hidden texts and what the browser showed."""
    answers = _answers(evidence.transcript, side)
    if evidence.transcript.kind is not BattleKind.WEB_PAGE:
        return answers
    hidden = (text for page in answers for text in hidden_texts(page))
    return [*answers, *hidden, evidence.ballot.seen.get(side, "")]


def _answers(transcript: Transcript, side: Side) -> list[str]:
    return [text for author, text in transcript.replies if author is side]


def _not_counted(evidence: Evidence) -> NotCounted | None:
    """The reason why the vote does not count, if any; names and aliases are those at the start of the battle."""
    transcript = evidence.transcript
    for side, identity in zip(Side, evidence.identities, strict=True):
        if identity.names_at(transcript.created_at).disclosed_by(_readable(evidence, side)):
            return NotCounted.IDENTITY_TOLD
    if asks_identity(transcript.prompts):
        return NotCounted.IDENTITY_ASKED
    if transcript.stopped:
        return NotCounted.STOPPED
    if reason := _too_fast(evidence) or (None if evidence.checked else NotCounted.BOT_CHECK):
        return reason
    return NotCounted.WEB_PAGE if transcript.kind is BattleKind.WEB_PAGE else None


def _too_fast(evidence: Evidence) -> NotCounted | None:
    """TOO_FAST if the vote comes sooner after the first text of the last answers than the shorter one can be read."""
    transcript, ballot = evidence.transcript, evidence.ballot
    if not ballot.bounds.reading_speed or transcript.shown_at is None:
        return None
    seconds = (ballot.now - transcript.shown_at).total_seconds()
    if seconds >= LONGEST_READING:
        return None
    answers = [text for _, text in transcript.replies[-len(Side) :]]
    return NotCounted.TOO_FAST if seconds < reading_seconds(answers, ballot.bounds.reading_speed) else None


def reading_seconds(answers: Iterable[str], speed: float) -> float:
    """Seconds to read the shortest answer at `speed` characters a second, where a Han character counts twice."""
    return min(LONGEST_READING, *((len(answer) + len(_HAN.findall(answer))) / speed for answer in answers))
