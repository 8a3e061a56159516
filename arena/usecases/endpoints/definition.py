"""Definition of an endpoint: address, description, aliases and listing, with checks against other rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal

from arena.adapters.store import endpoints, log_leaves, owners, track_records, votes
from arena.domain.blinding.identity import OwnNames, find_well_known, own_names
from arena.domain.errors import AliasUncounts, Invalid, ResultsStay, UnlistedLimit
from arena.domain.schemas.endpoints import DescriptionRequest, NameWarningView
from arena.domain.terms import EndpointState, JsonObject
from arena.usecases.endpoints.states import OPERATOR, Step, because, record
from arena_providers import presets
from arena_trust.tlog.leaves import LeafKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.adapters.store.engine import Database
    from arena.adapters.store.tables.endpoints import EndpointRow
    from arena_providers.presets import VendorPreset
    from arena_providers.transport.egress import Policy

USUAL: Final = "openai_chat"


@dataclass(frozen=True, slots=True)
class Address:
    """Address and wire model of an endpoint; a change of either makes a new version."""

    preset: str | None
    dialect: str
    url: str
    wire_model: str

    @property
    def row(self) -> VendorPreset | None:
        """The data of the preset."""
        return presets.preset_named(self.preset) if self.preset else None


def address(preset: str | None, dialect: str | None, url: str | None, wire_model: str) -> Address:
    """Complete an address from a preset; explicit values take precedence.

    Raises:
        Invalid: Preset or dialect are unknown, or there is no address.
    """
    from arena_providers import registry  # imports all dialects, which only a new address needs

    row = presets.preset_named(preset) if preset else None
    if preset and row is None:
        raise Invalid(field="preset", rule="choice", choices=[entry.name for entry in presets.PRESETS])
    if url is None and row is None:
        raise Invalid(field="url", rule="nowhere")
    dialect = dialect or (row.dialect if row else USUAL)
    if dialect not in (dialects := registry.dialects()):
        raise Invalid(field="dialect", rule="choice", choices=list(dialects))
    return Address(preset, dialect, url or (row.base_url if row else ""), wire_model)


def check_public(url: str, policy: Policy) -> None:
    """Check that the egress policy may allow an owner's address, as far as its text shows.

    Raises:
        Invalid: It is not public, and the operator has not opened it.
    """
    if objection := policy.objection(url):
        words = f"url: {Invalid.details[objection]}; only the operator of this arena can open other addresses"
        raise Invalid(words, field="url", rule=objection)


def open_presets(policy: Policy) -> list[VendorPreset]:
    """Presets that an owner may use: all vendors, and the local servers that the operator has opened."""
    return [row for row in presets.PRESETS if not row.local or policy.objection(row.base_url) is None]


FIELDS: Final = tuple(DescriptionRequest.model_fields)
COMPETITOR: Final = frozenset({"system_prompt", "temperature", "top_p", "max_tokens"})
"""Fields whose change makes an endpoint another competitor."""
CAPS: Final = frozenset({"daily_calls", "daily_tokens"})
"""Fields that concern only the owner; the others are public or affect votes and draws."""
_COLUMNS: Final = {field: "group_name" if field == "group" else field for field in FIELDS}


def described(row: EndpointRow) -> JsonObject:
    """The descriptive fields of a row."""
    return {field: getattr(row, column) for field, column in _COLUMNS.items()}


def describe(row: EndpointRow, fields: Mapping[str, object]) -> None:
    """Write the descriptive ones of `fields` into the row."""
    for field in fields.keys() & _COLUMNS.keys():
        setattr(row, _COLUMNS[field], fields[field])


ANSWERS: Final = 2_000
"""Number of newest answers in which names are searched; those of the model itself are of all its versions."""
SHARE: Final = 0.02
"""Largest share of the votes on them that new aliases may leave uncounted."""


OTHERS: Final = 0.01
"""Largest share of other models' answers that may contain names or aliases of a model."""
_FEWEST: Final = 2
"""Smallest number of such answers that is refused, since a single one may be chance."""


def disclosing_names(row: EndpointRow, aliases: Collection[str]) -> OwnNames:
    """The names that would disclose an endpoint with these aliases in its answers."""
    return own_names([row.name, row.family or row.name], aliases, row.owner.name, row.wire_model or "")


def check_past(session: Session, row: EndpointRow, aliases: Collection[str]) -> None:
    """Check that new aliases would not have left too many counted votes uncounted.

    Raises:
        AliasUncounts: They would have; the error has the new aliases and the share.
    """
    new = [alias for alias in aliases if alias not in row.aliases]
    if not new:
        return
    check_others(session, row, aliases)
    names = disclosing_names(row, new)
    names = OwnNames(tuple(name for name in names.anywhere if name in new), names.itself[1:])
    battles: set[str] = set()
    disclosing: set[str] = set()
    for battle_id, text in track_records.counted_answers(session, endpoints.family(session, row), ANSWERS):
        battles.add(battle_id)
        if battle_id not in disclosing and names.disclosed_by([text]):
            disclosing.add(battle_id)
    if len(disclosing) > SHARE * len(battles):
        share = len(disclosing) / len(battles)
        raise AliasUncounts(
            field="aliases", names=list(new), count=len(disclosing), votes=len(battles), share=share, most=SHARE
        )


def check_others(session: Session, row: EndpointRow, aliases: Collection[str]) -> None:
    """Check that names and aliases are not ordinary words, which many answers of other models would contain.

    Raises:
        AliasUncounts: They are; the error has the aliases and the share.
    """
    count, answers = count_in_others(session, row, aliases)
    if count >= _FEWEST and count > OTHERS * answers:
        raise AliasUncounts(
            field="aliases",
            rule="others",
            names=list(aliases),
            count=count,
            votes=answers,
            share=count / answers,
            most=OTHERS,
        )


def count_in_others(session: Session, row: EndpointRow, aliases: Collection[str]) -> tuple[int, int]:
    """The number of newest answers of other models that contain the model's names or aliases, and that of all."""
    family = set(endpoints.family(session, row)) if row.id else set[int]()
    names = disclosing_names(row, aliases)
    texts = list(track_records.answers_of_others(session, family, ANSWERS))
    return sum(names.disclosed_by([text]) for text in texts), len(texts)


def shares_in_others(session: Session, rows: Sequence[EndpointRow]) -> dict[int, float]:
    """Of endpoints that wait for an approval, the share of others' newest answers with their names or aliases."""
    waiting = [row for row in rows if row.state is EndpointState.PENDING or row.pending]
    answers = track_records.newest_answers(session, ANSWERS) if waiting else []
    shares: dict[int, float] = {}
    for row in waiting:
        owned = (other for other in rows if other.owner_id == row.owner_id)
        family = {other.id for other in owned if (other.family or other.name) == (row.family or row.name)}
        texts = [text for number, text in answers if number not in family]
        names = disclosing_names(row, (row.pending or {}).get("aliases", row.aliases))
        if texts:
            shares[row.id] = sum(names.disclosed_by([text]) for text in texts) / len(texts)
    return shares


UNLISTED: Final = 3
"""Variants per owner that may be unlisted at once; more would let an owner publish the luckiest of many."""
WINDOW: Final = timedelta(days=90)
STAY: Final = 200
"""Counted votes after which results cannot be taken off the board."""


def claim_unlisted(session: Session, owner_id: int, now: datetime) -> None:
    """Check that one more unlisted variant is allowed; concurrent requests of one owner are serialised.

    Raises:
        UnlistedLimit: The owner has as many as are allowed.
    """
    owners.for_update(session, owner_id)
    if endpoints.count_unlisted(session, owner_id, now - WINDOW) >= UNLISTED:
        raise UnlistedLimit(limit=UNLISTED, days=WINDOW.days)


def check_unlisting(session: Session, row: EndpointRow, now: datetime) -> None:
    """Check that an endpoint's results may be taken off the board.

    Raises:
        ResultsStay: They have too many counted votes.
        UnlistedLimit: The owner has as many unlisted variants as are allowed.
    """
    if track_records.count_votes(session, row.id) >= STAY:
        raise ResultsStay(votes=STAY)
    claim_unlisted(session, row.owner_id, now)


def set_listed(session: Session, row: EndpointRow, listed: bool, step: Step) -> None:  # noqa: FBT001 - it is the value
    """Put an endpoint's results on the board or take them off.

    Raises:
        ResultsStay, UnlistedLimit: As in `check_unlisting`.
    """
    if row.listed == listed:
        return
    if not listed:
        check_unlisting(session, row, step.now)
    row.listed = listed
    log_leaves.add(session, LeafKind.LISTING, model=row.name, listed=listed)
    record(session, row, step, row.state)


async def list_settled(database: Database, now: datetime, after: int = 0) -> tuple[list[str], int]:
    """List every unlisted variant with `STAY` counted votes or more, of those with votes numbered above `after`.

    Returns their names, and the number of the newest vote, from which the next call goes on.
    """
    last = await database.read(votes.last_number)
    if last <= after:
        return [], after
    numbers = await database.read(_unlisted_with_votes, after)
    return await database.write(_list, numbers, now) if numbers else [], last


def _unlisted_with_votes(session: Session, after: int) -> list[int]:
    variants = endpoints.unlisted(session)
    voted = votes.endpoints_after(session, after) if after and variants else variants.keys()
    return [number for number in variants.keys() & voted if track_records.count_votes(session, number) >= STAY]


def _list(session: Session, numbers: list[int], now: datetime) -> list[str]:
    rows = [row for number in numbers if (row := endpoints.locked(session, number)) and not row.listed]
    for row in rows:
        set_listed(session, row, True, Step(OPERATOR, because("settled", votes=STAY), now))
    return [row.name for row in rows]


def warnings(row: EndpointRow) -> list[NameWarningView]:
    """Each well-known name in the endpoint's name, in its owner's, and in current and pending aliases.

    On a vendor's own server, names and aliases of that vendor's models are left out, but not in the owner's name.
    Built-in models have no warnings.
    """
    if row.demo:
        return []
    preset = presets.for_url(row.url, row.dialect)
    vendors = {model.vendor for alias in (preset.aliases if preset else ()) for model in find_well_known(alias)}
    results = (
        NameWarningView(field=field, text=text, vendor=model.vendor)
        for field, text in _names(row)
        for model in find_well_known(text)
        if field == "owner" or model.vendor not in vendors
    )
    return list({(result.field, result.text, result.vendor): result for result in results}.values())


def _names(row: EndpointRow) -> Iterator[tuple[Literal["name", "owner", "aliases"], str]]:
    yield "name", row.name
    yield "owner", row.owner.name
    for alias in dict.fromkeys([*row.aliases, *(row.pending or {}).get("aliases", ())]):
        yield "aliases", alias
