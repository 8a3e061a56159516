"""Adding a real endpoint as an operator does: it is active at once."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from arena.endpoints.builtin import give_way
from arena.endpoints.checking import check
from arena.endpoints.states import OPERATOR, Step, move
from arena.errors import Invalid, NameTaken
from arena.providers.egress import PUBLIC_ONLY
from arena.store import endpoints
from arena.store.locks import one_at_a_time
from arena.store.tables import EndpointRow
from arena.terms import EndpointState

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from arena.endpoints.builtin import Demo
    from arena.providers.egress import Policy
    from arena.store.engine import Database

_OPENING: Final = "for a server of your own, the operator adds --private or names host:port in ARENA_EGRESS_ALLOW"


@dataclass(frozen=True, slots=True)
class NewEndpoint:
    """What an operator says of an endpoint; `key_env` names the environment variable that holds its key.

    `private` lets requests to exactly this URL go anywhere, also without TLS and inside the operator's network.
    """

    name: str
    owner: str
    url: str
    wire_model: str
    private: bool = False
    dialect: str = "openai_chat"
    key_env: str | None = None
    system_prompt: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    weight: float = 1.0
    group: str | None = None
    aliases: tuple[str, ...] = ()
    licence: str | None = None
    link: str | None = None
    preset: str | None = None


async def add(database: Database, new: NewEndpoint, demo: Demo, now: datetime, *, policy: Policy = PUBLIC_ONLY) -> int:
    """Register an endpoint and make it active, whereupon built-in ones may retire. Returns how many did.

    `policy` is what the operator has opened besides public HTTPS.

    Raises:
        Invalid: A field does not fit; the detail says which.
        NameTaken: Another endpoint has this name.
    """
    check(asdict(new))
    if not new.private and (objection := policy.objection(new.url)):
        raise Invalid(f"url: {objection}; {_OPENING}")
    return await database.write(_add, new, demo, now)


def _add(session: Session, new: NewEndpoint, demo: Demo, now: datetime) -> int:
    one_at_a_time(session, "settle")
    row = endpoints.by_name(session, new.name)
    if row is not None and row.state is not EndpointState.IMPORTED:
        raise NameTaken
    owner = endpoints.owner(session, new.owner, now)
    if row is None:
        row = EndpointRow(name=new.name, created_at=now)
    row.owner, row.demo, row.listed = owner, False, True
    row.dialect, row.url, row.wire_model, row.key_env = new.dialect, new.url, new.wire_model, new.key_env
    row.private, row.preset = new.private, new.preset
    row.system_prompt, row.temperature, row.top_p = new.system_prompt, new.temperature, new.top_p
    row.max_tokens, row.weight, row.group_name = new.max_tokens, new.weight, new.group
    row.aliases, row.licence, row.link = list(new.aliases), new.licence, new.link
    session.add(row)
    move(session, row, EndpointState.ACTIVE, Step(OPERATOR, "added by the operator", now))
    return give_way(session, demo)
