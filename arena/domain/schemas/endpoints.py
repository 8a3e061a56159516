"""Endpoints: requests, and the views of owners and the operator."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StrictInt

from arena.domain.schemas import endpoint_fields as fields
from arena.domain.schemas.base import Params, Wire, text_field
from arena.domain.terms import EndpointState, JsonObject, Use


class PresetView(Wire):
    """A vendor or local server that an endpoint may name instead of dialect and URL."""

    name: str
    dialect: str
    base_url: str
    needs_key: bool


class DescriptionRequest(Wire):
    """The owner's description of an endpoint; aliases are names that its answers may have for it.

    `languages`: ISO 639-1 codes; empty means any. `vision`: it accepts images, which its probe checks. Prices are US
    dollars and `energy` kilowatt-hours, each per million tokens; `context_tokens` is the longest prompt with answer.
    """

    description_en: fields.DescriptionText | None = None
    description_zh: fields.DescriptionText | None = None
    licence: fields.Licence | None = None
    link: fields.Url | None = None
    billions: fields.Billions | None = None
    open_weights: StrictBool | None = None
    context_tokens: fields.ContextTokens | None = None
    price_in: fields.PerMillion | None = None
    price_out: fields.PerMillion | None = None
    energy: fields.PerMillion | None = None
    group: fields.Group | None = None
    aliases: fields.Aliases = Field(default=[])
    languages: fields.Languages = Field(default=[])
    vision: StrictBool = False
    listed: StrictBool = True
    system_prompt: fields.SystemPrompt | None = None
    temperature: fields.Temperature | None = None
    top_p: fields.TopP | None = None
    max_tokens: fields.MaxTokens | None = None
    daily_calls: fields.Daily | None = None
    daily_tokens: fields.Daily | None = None


class RegisterRequest(DescriptionRequest):
    """A new endpoint: a preset, or a URL and its dialect."""

    name: Annotated[str, fields.public_name(72)]
    """Shorter than stored names, which have a version number."""
    wire_model: fields.WireModel
    preset: str | None = None
    dialect: str | None = None
    url: fields.Url | None = None
    key: fields.Key | None = None


class ChangeRequest(DescriptionRequest):
    """A partial update: only the fields that are sent change; null clears a field.

    A new URL, preset, dialect or wire model makes a new version, and so do new parameters of an approved endpoint; its
    other public fields change with the operator's approval.
    """

    wire_model: fields.WireModel | None = None
    preset: str | None = None
    dialect: str | None = None
    url: fields.Url | None = None

    @property
    def moves(self) -> bool:
        """Whether the update may make a new version."""
        return not self.model_fields_set.isdisjoint(
            {"wire_model", "preset", "dialect", "url", "system_prompt", "temperature", "top_p", "max_tokens"}
        )


class KeyRequest(Wire):
    """The API key with which the arena calls an endpoint; stored encrypted and never returned."""

    key: fields.Key


class EndpointView(Wire):
    """An endpoint as its owner and the operator see it; `votes` counts votes in the ratings.

    `battles` are counted up to `counted_until`, which is None before the first count. `pending` has the new values of
    fields before the operator's approval. `joins_paused`: its earlier version is paused, and so will it be when it is
    approved. `keyless`: it is active, and paused since the arena has no key for it, or cannot open the stored one.
    `on_standby`: it is a practice model that the setting pauses while two other models are active.
    """

    id: int
    name: str
    state: EndpointState
    family: str
    version: int
    joins_paused: bool = False
    keyless: bool = False
    on_standby: bool = False
    dialect: str
    url: str
    wire_model: str
    preset: str | None
    has_key: bool
    key_origin: str | None
    proven: bool
    created_at: datetime
    battles: int
    counted_until: datetime | None = None
    votes: int
    pending: JsonObject
    description_en: str | None
    description_zh: str | None
    licence: str | None
    link: str | None
    billions: float | None
    context_tokens: int | None
    price_in: float | None
    price_out: float | None
    energy: float | None
    open_weights: bool | None
    group: str | None
    aliases: list[str]
    languages: list[str]
    vision: bool
    listed: bool
    system_prompt: str | None
    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    daily_calls: int | None
    daily_tokens: int | None


class ChangeView(Wire):
    """One state change of an endpoint; `actor` is owner, operator, health or arena (a setting).

    Changes of one moment are in the order of their `number`.

    `reason` is an English sentence; `code` and `params` are the same as data, absent for a reason by a person.
    """

    number: int = 0
    before: EndpointState | None
    after: EndpointState
    actor: str
    reason: str
    code: str | None = None
    params: Params | None = None
    at: datetime


class ProbeView(Wire):
    """The result of a probe: requests to the endpoint as a battle would send them."""

    at: datetime
    passed: bool
    report: JsonObject


class PercentilesView(Wire):
    """Percentiles of a duration in milliseconds."""

    p50: int
    p95: int


class StatsView(Wire):
    """Statistics of an endpoint: all counted votes, and the newest `calls` answers of its battles.

    Figures about battles are as of `as_of` and updated in steps, so that they reveal no battle without a vote.
    `win_rate` is (wins + ties / 2) / votes, as on the board, with its 95 % Wilson interval.
    """

    as_of: datetime | None = None
    battles: int
    votes: int
    win_rate: float | None
    win_rate_low: float | None
    win_rate_high: float | None
    calls: int
    error_rate: float | None
    errors: dict[str, int]
    first_token_ms: PercentilesView | None
    total_ms: PercentilesView | None
    slow: bool | None = None
    """Whether it is in the slower class of speed of today's pool; None before its speed is measured."""


class BudgetView(Wire):
    """Calls and tokens used today (UTC), those of battles as of the last step, and the owner's daily limits."""

    day: date
    calls: int
    tokens: int
    daily_calls: int | None
    daily_tokens: int | None


class HealthView(Wire):
    """State of the endpoint's circuit breaker in this process: `open` stops calls after failures.

    `in_flight` has for the owner the calls of chats only. Breakers are open in `processes` processes, since `since`.
    """

    state: Literal["closed", "open", "half_open"] = "closed"
    since: datetime | None = None
    in_flight: int = 0
    processes: int = 0


class FingerprintView(Wire):
    """The newest comparison of an endpoint's answers with those at approval."""

    checked_at: datetime
    p_value: float | None
    flagged: bool


class ChallengeView(Wire):
    """The URL at which an owner publishes a token to prove control of the host."""

    url: str
    token: str


class UseRequest(Wire):
    """An owner's choice about a use beyond battles; null means no cap of calls per day (UTC)."""

    allowed: StrictBool
    daily_calls: fields.Daily | None = None


class UseView(Wire):
    """A use of an endpoint beyond battles, with its daily cap and its calls today (UTC)."""

    use: Use
    allowed: bool
    daily_calls: int | None
    calls: int


class SameWeightsView(Wire):
    """Another model that serves the same weights as an endpoint, as one or both of their owners say.

    `stated`: the endpoint's own owner says so, or it is confirmed; `confirmed`: both do, or an operator does.
    """

    model: str
    stated: bool
    confirmed: bool


class NewerVersionView(Wire):
    """The newest version of a model that has been replaced, or is about to be."""

    id: int
    name: str


class OwnedEndpointView(EndpointView):
    """Everything an owner may see of an endpoint; `challenge` is null once control of the host is proven.

    `key_stored_at` is the time at which its key was stored; probes before it had another key or none. `last_move` is
    the change that brought it into its state; newer ones among `changes` are of other fields. `newer` is the newest
    version of the model, if this is an earlier one.
    """

    changes: list[ChangeView]
    last_move: ChangeView | None = None
    newer: NewerVersionView | None = None
    probes: list[ProbeView]
    stats: StatsView
    budget: BudgetView
    health: HealthView
    fingerprint: FingerprintView | None
    uses: list[UseView]
    challenge: ChallengeView | None
    same_as: list[SameWeightsView] = Field(default=[])
    key_stored_at: datetime | None = None


class StepRequest(Wire):
    """The operator's reason for a state change, which the owner sees.

    A decision about a `revision` that is not the newest is rejected, since the endpoint has changed.
    """

    reason: Annotated[str | None, text_field(200)] = None
    revision: StrictInt | None = None


class AbilitiesRequest(StepRequest):
    """Abilities of an endpoint that the operator sets in place of its owner; those that are not sent stay."""

    languages: fields.Languages | None = None
    vision: StrictBool | None = None

    @property
    def abilities(self) -> dict[str, list[str] | bool]:
        """The abilities that were sent, by field."""
        fields = {"languages": self.languages, "vision": self.vision}
        return {field: value for field, value in fields.items() if value is not None}


class NameWarningView(Wire):
    """A well-known vendor whose name, or that of a model, occurs in a field of an endpoint or its owner."""

    field: Literal["name", "owner", "aliases"]
    text: str
    vendor: str


class OperatedSummaryView(EndpointView):
    """An endpoint in the operator's list, with its owner; `revision` grows with every change.

    Figures of battles are the published ones. `changes` has the newest change, `last_move` the one that brought it into
    its state, `probes` the newest one of an endpoint that is not active yet. `share_in_others` is the share of other
    models' newest answers that contain its names or aliases; None unless it waits for an approval and there are
    answers. `remarks` are problems that the newest probe found though it was passed, each with a code and its
    parameters.
    """

    changes: list[ChangeView]
    probes: list[ProbeView]
    stats: StatsView
    health: HealthView
    fingerprint: FingerprintView | None
    owner: str
    revision: int
    warnings: list[NameWarningView]
    share_in_others: float | None = None
    remarks: list[JsonObject] = Field(default=[])
    last_move: ChangeView | None = None


class OperatedEndpointView(OwnedEndpointView, OperatedSummaryView):
    """One endpoint as the operator sees it: all that its owner sees, with the current figures of battles."""
