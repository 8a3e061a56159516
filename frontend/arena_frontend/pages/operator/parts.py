"""Views of the operator's page for whoever has signed in: live figures, and forms, which are fetched once."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from pydantic import TypeAdapter

from arena.domain.operators import SHARED_KEY, OperatorRole
from arena.domain.reasons import STOPS, rule_of
from arena.domain.schemas.endpoints import OperatedSummaryView, PresetView
from arena.domain.schemas.integrity import DecisionView, ObjectionView, VotersView
from arena.domain.schemas.labels import LabelTaskView
from arena.domain.schemas.operated_models import AddedView, LocalServerView
from arena.domain.schemas.operators import ActView, FiguresView, OperatorView, PartView
from arena.domain.schemas.shares import ReportedShareView
from arena.domain.schemas.site import OperatedSiteView, ProseView
from arena.domain.schemas.status import LogView, LoopView, NeighbourhoodsView, PaceView
from arena.domain.site import PromptCheck
from arena.evaluations.domain.schemas.evaluations import EvaluationProgressView, EvaluationView, ModelProgressView
from arena.evaluations.domain.schemas.operated_evaluations import CandidateView, ConversionTaskView
from arena_frontend.api_reader import ApiRefusal
from arena_frontend.contents import Content
from arena_frontend.pages.operator import acts, endpoints, gate
from arena_frontend.pages.sentences import fault, vendor
from arena_frontend.texts import texts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from arena_frontend.api_reader import Reading
    from arena_frontend.texts import Texts

Values = dict[str, Any]
_ME: Final = TypeAdapter(OperatorView)
_ENDPOINTS: Final = TypeAdapter(list[OperatedSummaryView])
_EVALUATIONS: Final = TypeAdapter(list[EvaluationView])
_PROGRESS: Final = TypeAdapter(EvaluationProgressView)
_SITE: Final = TypeAdapter(OperatedSiteView)
_PROSE: Final = TypeAdapter(list[ProseView])
_LABELS: Final = TypeAdapter(LabelTaskView)
_CONVERSIONS: Final = TypeAdapter(ConversionTaskView)
_CANDIDATES: Final = TypeAdapter(list[CandidateView])
_PRESETS: Final = TypeAdapter(list[PresetView])
_SERVERS: Final = TypeAdapter(list[LocalServerView])
_ADDED: Final = TypeAdapter(AddedView)
_LISTS: Final[dict[str, tuple[str, TypeAdapter[Any]]]] = {
    "figures": ("/operator/figures", TypeAdapter(FiguresView)),
    "switches": ("/operator/parts", TypeAdapter(list[PartView])),
    "neighbourhoods": ("/operator/neighbourhoods", TypeAdapter(NeighbourhoodsView)),
    "loops": ("/operator/loops", TypeAdapter(list[LoopView])),
    "log": ("/operator/log", TypeAdapter(LogView)),
    "pace": ("/pace", TypeAdapter(PaceView)),
    "objections": ("/operator/objections", TypeAdapter(list[ObjectionView])),
    "voters": ("/operator/voters", TypeAdapter(VotersView)),
    "shares": ("/operator/shares", TypeAdapter(list[ReportedShareView])),
    "evaluations": ("/operator/evaluations", _EVALUATIONS),
}
"""Of each list of the page its address in the API; an arena without one of them shows the others."""
_DECISIONS: Final = TypeAdapter(list[DecisionView])
_ACTS: Final = TypeAdapter(list[ActView])
PAGE: Final = 20
"""Acts that are shown at first, and as many more on request."""
_COUNT: Final = re.compile(r"[1-9]\d{0,9}", re.ASCII)
_ACT_LIMIT: Final = 1000
"""Number of acts that the API lists at once."""
CHECKS: Final = tuple(PromptCheck)
PROTOCOLS: Final = ("pairwise", "stars", "score", "closed")
_CLOSED: Final = "closed"
_NOBODY: Final = "operator"
"""A name that is ignored: whoever has a name of their own reads under that."""


async def read(reading: Reading, query: Mapping[str, str]) -> Content | None:
    """Read the view of this name; None for a name of none.

    Raises:
        ApiRefusal: Nobody has signed in, or their role may not see it.
    """
    name = query.get("view", "")
    if name not in VIEWS or (name in POSTED) != bool(reading.body):
        return None
    me = await reading.private("/operator/me", _ME)
    values = await VIEWS[name](reading, query) | {
        "me": me,
        "has_shared_key": me.name == SHARED_KEY,
        "may": partial(_may, me),
        "model_name": _model_name,
    }
    template = f"operator/{name or 'home'}.html"
    return Content(template, lambda words: values | _functions(words), key=None)


def _may(me: OperatorView, role: str) -> bool:
    return me.role.covers(OperatorRole(role))


def _functions(words: Texts) -> Values:
    """Functions and choices of the templates in the words of a language."""
    functions = {"abilities": endpoints.abilities, "why": endpoints.why, "pending_changes": endpoints.pending_changes}
    functions |= {"gate_reason": gate.reason, "gate_division": gate.division, "headings": _headings}
    functions |= {
        "late_loops": _late_loops,
        "keyless": _keyless,
        "fault": fault,
        "stop_reason": _stop_reason,
        "act_target": acts.target,
        "act_why": acts.why,
    }
    choices = {"checks": ("op.checks", CHECKS), "protocols": ("op.draft", PROTOCOLS)}
    pairs = {name: [(code, words[f"{prefix}.{code}"]) for code in codes] for name, (prefix, codes) in choices.items()}
    return pairs | {name: partial(function, words) for name, function in functions.items()}


def _late_loops(words: Texts, views: list[LoopView]) -> str:
    """The names of the loops that are late."""
    return words.listed([words.named("op.loops", view.name) for view in views if view.late])


def _keyless(words: Texts, figures: FiguresView | None) -> str:
    """The names of the models that are not drawn for want of a key, each with the variable that is not set."""
    models = figures.keyless.items() if figures else ()
    return words.listed([f"{name} ({variable})" if variable else name for name, variable in models])


def _stop_reason(words: Texts, reason: str) -> str:
    """Why a run stopped asking a model, in the reader's language as far as the page knows the reason."""
    if (stated := rule_of(reason, STOPS)) is None:
        return reason
    rule, figures = stated
    state = words.named("own.state", figures.get("state", ""))
    return words.fill(f"op.runs.stop.{rule}", **(figures | {"state": state}))


def _headings(words: Texts, prefix: str, *names: str) -> list[str]:
    return [words[f"{prefix}.{name}"] for name in names]


async def _home(reading: Reading, query: Mapping[str, str]) -> Values:
    views = await reading.private("/operator/endpoints", _ENDPOINTS)
    lists: Values = {name: await _optional(reading, *where) for name, where in _LISTS.items()}
    reason, count = query.get("reason", ""), query.get("acts", "")
    count = min(int(count), _ACT_LIMIT) if _COUNT.fullmatch(count) else PAGE
    about = f"?{urlencode({'reason': reason})}" if reason else ""
    runs: list[EvaluationView] = lists["evaluations"] or []
    values = {
        "endpoints": sorted((view for view in views if not endpoints.is_imported(view)), key=endpoints.place),
        "imported": sorted(filter(endpoints.is_imported, views), key=lambda view: view.name.casefold()),
        "open_acts": endpoints.open_acts,
        "queue": sum(view.state == "pending" or bool(view.pending) for view in views),
        "is_unsustained": _is_unsustained,
        "has_gaps": _has_gaps,
        "missing_answers": _missing_answers,
        "counted": _counted,
        "decisions": await _optional(reading, f"/operator/decisions{about}", _DECISIONS),
        "reason": reason,
        "acts": await _optional(reading, f"/operator/acts?limit={count}", _ACTS),
        "act_count": count,
        "act_limit": _ACT_LIMIT,
        "runs": [await _progress(reading, view) for view in runs],
    }
    return lists | values


def _is_unsustained(pace: PaceView) -> bool:
    """Whether a rate is set by hand that no model sustains."""
    return pace.by_hand and any(view.rate == pace.rate and not view.share for view in pace.sustained)


def _has_gaps(view: EvaluationProgressView, *, endpoints: bool) -> bool:
    """Whether models have fewer answers than there are questions; of `endpoints` alone, which can be called."""
    return any(model.answered < view.questions and (model.endpoint or not endpoints) for model in view.models)


def _model_name(model: CandidateView | ModelProgressView) -> str:
    """The name of a model; that of a configuration with the name of its model."""
    return f"{model.name} ({model.model})" if model.model else model.name


def _missing_answers(view: EvaluationProgressView) -> dict[str, int]:
    """The number of answers that each model lacks, failed ones too, of those that lack any."""
    gaps = {_model_name(model): view.questions - model.answered for model in view.models}
    return {name: gap for name, gap in gaps.items() if gap > 0}


def _counted(counts: Mapping[str, int]) -> list[str]:
    """Each name with its number."""
    return [f"{name} {count:,}" for name, count in counts.items()]


async def _optional(reading: Reading, path: str, kind: TypeAdapter[Any]) -> Any:  # noqa: ANN401 - as the adapter's
    """Return a view of the API, or None if it refuses it."""
    try:
        return await reading.private(path, kind)
    except ApiRefusal:
        return None


async def _progress(reading: Reading, view: EvaluationView) -> EvaluationView:
    """Return an evaluation with the progress of its models as long as it is not closed."""
    if view.state == _CLOSED:
        return view
    path = f"/operator/evaluations/{quote(view.name, safe='')}"
    return await _optional(reading, path, _PROGRESS) or view


async def _evaluations(reading: Reading, _query: Mapping[str, str]) -> Values:
    views = await reading.private("/operator/evaluations", _EVALUATIONS)
    return {"evaluations": [view for view in views if view.state != _CLOSED and view.judged]}


async def _draft(reading: Reading, _query: Mapping[str, str]) -> Values:
    return {"candidates": await reading.private("/operator/evaluation-models", _CANDIDATES)}


async def _add(reading: Reading, _query: Mapping[str, str]) -> Values:
    presets = await reading.view("/presets", _PRESETS)
    words = texts(reading.language)
    return {"vendors": [(preset.name, vendor(words, preset.name)) for preset in presets]}


async def _local(reading: Reading, _query: Mapping[str, str]) -> Values:
    return {"servers": await reading.private("/operator/local-servers", _SERVERS)}


async def _added(reading: Reading, _query: Mapping[str, str]) -> Values:
    return {"result": await reading.post("/operator/endpoints", _ADDED)}


async def _site(reading: Reading, _query: Mapping[str, str]) -> Values:
    return {"settings": await reading.private("/operator/site", _SITE)}


async def _page(reading: Reading, query: Mapping[str, str]) -> Values:
    return await _site(reading, query) | {"name": query.get("page", ""), "language": query.get("language", "")}


async def _preview(reading: Reading, _query: Mapping[str, str]) -> Values:
    return {"blocks": await reading.post("/operator/site/preview", _PROSE)}


async def _label(reading: Reading, query: Mapping[str, str]) -> Values:
    by = {"set": query.get("set", ""), "reader": query.get("reader") or _NOBODY, "reading": query.get("reading", "1")}
    return {"task": await reading.private(f"/operator/labels?{urlencode(by)}", _LABELS), "by": by}


async def _conversion(reading: Reading, query: Mapping[str, str]) -> Values:
    by = {"questions": query.get("questions", ""), "reviewer": query.get("reviewer") or _NOBODY}
    return {"task": await reading.private(f"/operator/conversions?{urlencode(by)}", _CONVERSIONS), "by": by}


VIEWS: Final[dict[str, Callable[[Reading, Mapping[str, str]], Awaitable[Values]]]] = {
    "": _home,
    "evaluations": _evaluations,
    "draft": _draft,
    "add": _add,
    "local": _local,
    "added": _added,
    "site": _site,
    "page": _page,
    "preview": _preview,
    "label": _label,
    "conversion": _conversion,
}
POSTED: Final = frozenset({"preview", "added"})
"""Views of a posted body."""
