"""Definition of an evaluation: its set, models, protocol and design, checked before any call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import IntegrityError

from arena.adapters.store import endpoints, owners, questions
from arena.adapters.store.engine.transactions import read_transaction
from arena.adapters.store.tables.endpoints import EndpointRow
from arena.domain.errors import Conflict, Invalid, QuestionSetNotFound
from arena.domain.terms import EndpointState, Use
from arena.evaluations.domain.errors import EvaluationNotFound
from arena.evaluations.domain.people.designs import DESIGNS
from arena.evaluations.domain.people.protocols import check_questions, check_reference, is_closed, is_judged, protocol
from arena.evaluations.domain.terms import Design, EvaluationState
from arena.evaluations.store import evaluations
from arena.evaluations.store import evaluations as stored
from arena.evaluations.store.tables.evaluations import ConfigurationRow, EvaluationRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.domain.schemas.questions import QuestionView

NAME_LIMIT: Final = 80
MOST_ATTEMPTS: Final = 4
"""Most times that an annotator gets one item, as in LLMEval."""
MARGIN: Final = 20.0
"""Points within which a model is called not worse than another, unless an evaluation has others."""
MARGIN_LIMIT: Final = 400


@dataclass(frozen=True, slots=True)
class NewEvaluation:
    """Settings of a new evaluation: `models` are endpoints or configurations, answers of `others` come from files.

    All models are compared with the `baseline` only, if there is one: an endpoint, or else a model of files. The worker
    leaves out annotators below `least_consistency` and `least_right` (see `Thresholds`). Repeated items are shown until
    there are `attempts` annotations by one person. A model is called not worse than another within `margin` points.
    """

    name: str
    questions: str
    protocol: str
    models: Sequence[str] = ()
    others: Sequence[str] = ()
    baseline: str | None = None
    version: int | None = None
    design: str = "all"
    per_item: int = 3
    overlap: int = 0
    repeats: float = 0.02
    attempts: int = 2
    least_consistency: float | None = None
    least_right: float | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    margin: float = MARGIN
    seed: int = 1
    public: bool = False


async def create(database: Database, draft: NewEvaluation, now: datetime) -> int:
    """Store a new evaluation and return the number of its questions.

    Raises:
        Invalid: A setting is invalid, or an endpoint may not be used.
        QuestionSetNotFound: There is no such set.
        Conflict: Its name is taken.
    """
    try:
        return await database.write(add_draft, draft, now)
    except IntegrityError:
        raise Conflict(rule="evaluation_taken", name=draft.name.strip()) from None


def evaluation_row(session: Session, name: str) -> EvaluationRow:
    """The evaluation of this name.

    Raises:
        EvaluationNotFound: There is none.
    """
    row = stored.by_name(session, name)
    if row is None:
        raise EvaluationNotFound
    return row


def locked_evaluation(session: Session, name: str) -> EvaluationRow:
    """The evaluation of this name, which nobody else changes or adds to until the end of this transaction.

    Raises:
        EvaluationNotFound: There is none.
    """
    row = stored.locked(session, name)
    if row is None:
        raise EvaluationNotFound
    return row


def questions_of(session: Session, set_id: int) -> dict[int, QuestionView]:
    """The questions of a set by the ids of their rows, in order."""
    from arena.domain.schemas.questions import QuestionView

    return {row.id: QuestionView.model_validate(row.body) for row in questions.list_all(session, set_id)}


@read_transaction
def unseen_choices(session: Session, name: str) -> int:
    """The number of questions whose options models are not shown, since people judge the answers.

    Raises:
        EvaluationNotFound: There is no evaluation of this name.
    """
    row = evaluation_row(session, name)
    return sum(map(is_closed, questions_of(session, row.set_id).values())) if is_judged(row.protocol) else 0


def check_settings(session: Session, draft: NewEvaluation) -> None:
    """Check what needs no file: all settings, and whether the models may be asked; files may bring further models.

    Raises:
        Invalid: A setting is invalid, or a model may not be asked.
        Conflict: Its name is taken.
    """
    _check(draft)
    if stored.by_name(session, draft.name.strip()) is not None:
        raise Conflict(rule="evaluation_taken", name=draft.name.strip())
    configurations = _configurations(session, draft.models)
    for name in draft.models:
        _endpoint_of(session, name, configurations)
    if not is_judged(draft.protocol):
        _check_number(draft.models)


def _check(draft: NewEvaluation) -> None:
    protocol(draft.protocol)
    models = [*draft.models, *draft.others]
    if draft.baseline is not None:
        _check_baseline(draft, models)
        models.append(draft.baseline)
    name = draft.name.strip()
    # No URL can have a name of dots, so it could not be reached again.
    if not draft.name.isprintable() or not name.strip(".") or len(name) > NAME_LIMIT or set("/\\?#") & set(name):
        raise Invalid(rule="evaluation_name", limit=NAME_LIMIT)
    if any(not name.strip() or len(name) > NAME_LIMIT for name in models):
        raise Invalid(rule="model_name", limit=NAME_LIMIT)
    check_design(draft.design, draft.protocol, baseline=draft.baseline is not None)
    if len(set(models)) < len(models):
        raise Invalid(rule="model_twice")
    if draft.others and not is_judged(draft.protocol):
        raise Invalid(rule="asked_alone", protocol=draft.protocol)
    _check_people(draft)


def _check_number(models: Sequence[str]) -> None:
    if len(models) < 2:
        raise Invalid(rule="two_models")


def _check_people(draft: NewEvaluation) -> None:
    if draft.per_item < 1 or draft.overlap < 0 or not 0 <= draft.repeats <= 0.5:  # half of all work
        raise Invalid("An item has at least one annotation, overlap is 0 or more items, repeats are 0 to 0.5.")
    if not MOST_ATTEMPTS >= draft.attempts > 1:
        raise Invalid(f"`attempts` must be between 2 and {MOST_ATTEMPTS}.")
    check_margin(draft.margin)
    check_thresholds(draft.least_consistency, draft.least_right)


def check_margin(margin: float) -> None:
    """Return if a model can be called not worse within this margin.

    Raises:
        Invalid: It cannot.
    """
    if not 0 < margin <= MARGIN_LIMIT:
        raise Invalid(f"A margin is above 0 and up to {MARGIN_LIMIT} points.")


def check_design(design: str, name: str, *, baseline: bool = False) -> None:
    """Return if a protocol allows this design.

    Raises:
        Invalid: It does not, or there is no such design.
    """
    if design not in DESIGNS:
        raise Invalid(f"There is no design {design!r}; there are: {', '.join(DESIGNS)}.")
    if design == Design.DRAWN and (baseline or not protocol(name).pairwise):
        raise Invalid(f"The design {Design.DRAWN} needs a protocol that compares two answers, and no baseline.")


def pair_probabilities(
    session: Session, design: str, models: Sequence[tuple[str, int | None]]
) -> dict[str, object] | None:
    """The probabilities of the pairs of these models (name, endpoint), None unless the design draws pairs.

    Raises:
        Invalid: The arena cannot draw pairs of these models.
    """
    if design != Design.DRAWN:
        return None
    # Importing NumPy takes a tenth of a second, which commands that list evaluations save.
    from arena.evaluations.usecases.people.pair_draws import draw_probabilities

    return draw_probabilities(session, models)


def check_thresholds(*shares: float | None) -> None:
    """Return if these shares can be thresholds of annotators; None is no threshold.

    Raises:
        Invalid: One cannot.
    """
    if any(not 0 < share <= 1 for share in shares if share is not None):
        raise Invalid(rule="thresholds")


def _check_baseline(draft: NewEvaluation, candidates: list[str]) -> None:
    if draft.baseline in candidates:
        raise Invalid(f"The baseline {draft.baseline} is also a candidate; a model is compared with others.")
    if not protocol(draft.protocol).pairwise:
        raise Invalid(
            f"A baseline needs a protocol that compares two answers, as pairwise does; {draft.protocol} does not."
        )


def add_draft(session: Session, draft: NewEvaluation, now: datetime) -> int:
    """Store a new evaluation as `create` does, in the transaction of the caller."""
    _check(draft)
    _check_number([*draft.models, *draft.others, *filter(None, [draft.baseline])])
    questions_row = questions.version(session, draft.questions, draft.version)
    if questions_row is None:
        raise QuestionSetNotFound
    entries = questions_of(session, questions_row.id).values()
    check_questions(protocol(draft.protocol), entries)
    for question in entries if draft.models else ():
        check_reference(protocol(draft.protocol), question)
    configurations = _configurations(session, draft.models)
    endpoints = [(name, _endpoint_of(session, name, configurations)) for name in draft.models]
    baseline = [(draft.baseline, _endpoint_if_any(session, draft.baseline))] if draft.baseline is not None else []
    participants = [*baseline, *endpoints, *((name, None) for name in draft.others)]
    row = EvaluationRow(
        name=draft.name.strip(),
        set_id=questions_row.id,
        protocol=draft.protocol,
        design=Design.BASELINE if baseline else Design(draft.design),
        draw=pair_probabilities(session, draft.design, participants),
        per_item=draft.per_item,
        overlap=draft.overlap,
        repeats=draft.repeats,
        attempts=draft.attempts,
        least_consistency=draft.least_consistency,
        least_right=draft.least_right,
        temperature=draft.temperature,
        max_tokens=draft.max_tokens,
        margin=draft.margin,
        seed=draft.seed,
        public=draft.public,
        state=EvaluationState.DRAFT,
        created_at=now,
    )
    session.add(row)
    session.flush()
    stored.add_models(session, row.id, participants)
    for model in stored.models(session, row.id):
        if configuration := configurations.get(model.name):
            model.configuration = {
                "version": configuration.version,
                "digest": configuration.digest,
                "settings": configuration.settings,
            }
    return questions_row.questions


def _configurations(session: Session, names: Sequence[str]) -> Mapping[str, ConfigurationRow]:
    """The configurations among these names.

    An active model precedes a configuration that had its name before: an operator approved the model's name, and
    whoever has any model names configurations.
    """
    rows = {name: row for name in names if (row := evaluations.newest_configuration(session, name))}
    models = {row.name for row in endpoints.active(session)} if rows else set[str]()
    return {name: row for name, row in rows.items() if name not in models}


def _endpoint_of(session: Session, name: str, configurations: Mapping[str, ConfigurationRow]) -> int:
    """The id of the endpoint of a model or a configuration."""
    if name not in configurations:
        return callable_endpoint(session, name)
    return callable_endpoint(session, session.get_one(EndpointRow, configurations[name].endpoint_id).name)


def endpoint_of(session: Session, name: str) -> int:
    """The id of the endpoint of a model or configuration that evaluations may ask.

    Raises:
        Invalid: There is none, or it may not be asked.
    """
    return _endpoint_of(session, name, _configurations(session, [name]))


def _endpoint_if_any(session: Session, name: str) -> int | None:
    return callable_endpoint(session, name) if endpoints.by_name(session, name) else None


def callable_endpoint(session: Session, name: str) -> int:
    """The id of an endpoint that evaluations may ask.

    Raises:
        Invalid: There is none of this name, it is not active, or its owner does not allow it.
    """
    from arena.adapters.store import budgets

    row = endpoints.by_name(session, name)
    if row is None:
        raise Invalid(
            f"There is no endpoint {name!r}; a model whose answers come from a file is named by"
            " `arena evaluations create --from-file`.",
            rule="no_model",
            name=name,
        )
    if row.state is not EndpointState.ACTIVE:
        raise Invalid(rule="model_state", name=name, state=row.state)
    if not budgets.is_allowed(session, row, Use.EVALUATIONS):
        raise Invalid(
            f"{name} is for battles only; {way_to_allow(session, row, Use.EVALUATIONS)}.",
            rule="model_barred",
            name=name,
        )
    return row.id


def way_to_allow(session: Session, row: EndpointRow, use: Use) -> str:
    """The way to allow a use of an endpoint, as a part of a sentence: of its owner alone, or of an operator."""
    if owners.alone_allow(session, row):
        return f"{row.owner.name}, who pays for its calls, can allow it on the owner page, under Uses beyond battles"
    return f"allow it: arena endpoints use {row.name} {use}"
