"""Authorisation of operators' routes: the operator, the role that a route needs, and the act that it records."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from hmac import compare_digest
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

from fastapi import Depends, Request

from arena.adapters.store.engine import Database
from arena.api.dependencies import DatabaseDep, Holder, OwnerRulesDep, RuntimeDep, WindowsDep, bearer
from arena.api.http import signed_cookies
from arena.domain.errors import BadApiKey, RoleRequired
from arena.domain.operators import BY_KEY, SHARED_KEY, Act, ActKind, Operator, OperatorRole
from arena.domain.terms import JsonObject
from arena.usecases.people import acts as operator_acts
from arena.usecases.people import operators

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

_REASONS: Final = ("reason", "text")
"""Fields of a request in which an operator says why."""


async def _operator(
    request: Request, rules: OwnerRulesDep, windows: WindowsDep, asker: Holder, database: DatabaseDep
) -> Operator:
    """Authenticate an operator. Only wrong keys are limited: nobody can lock out the right one."""
    if "authorization" not in request.headers and (person := signed_cookies.operator(request)):
        return person
    key = bearer(request)
    if rules.operator_key and compare_digest(key.encode(), rules.operator_key.encode()):
        return Operator(SHARED_KEY, BY_KEY, OperatorRole.OWNER)
    try:
        return await operators.of_key(database, key)
    except BadApiKey:
        await windows.limits.count(windows.wrong_keys, asker.address)
        log.warning("a wrong operator key came from %s", asker.address)
        raise


OperatorDep = Annotated[Operator, Depends(_operator)]


@dataclass(slots=True)
class Acting:
    """An operator's act; `database` stores its row in the transaction of what the act writes."""

    operator: Operator
    act: Act
    database: Database

    def on(self, target: str) -> None:
        """Set the target, where the path does not name it."""
        self.act.target = target

    def changed(self, **values: object) -> None:
        """Say before the reason what is changed, by the names of the fields."""
        self.act.changed(**values)


def person(operator: Operator, name: str) -> str:
    """Name of the person who acts: `name` if several people share the key, else the operator's own."""
    return name if operator.shared else operator.name


def reader(operator: Operator, name: str) -> str:
    """Published name of the person who labels a prompt: `name` as for `person`, else the operator's pseudonym."""
    return name if operator.shared else operator.pseudonym


def asks(role: OperatorRole) -> Any:  # noqa: ANN401 - as FastAPI types it
    """Require this role or a higher one."""

    async def check_role(operator: OperatorDep) -> Operator:
        if not operator.role.covers(role):
            raise RoleRequired(rule=role.value)
        return operator

    return Depends(check_role)


def acts(role: OperatorRole, kind: ActKind) -> Any:  # noqa: ANN401 - as above
    """Require this role or a higher one, and record the act under the operator's name."""
    return Depends(_recorder(role, kind))


def _recorder(role: OperatorRole, kind: ActKind) -> Callable[..., Awaitable[Acting]]:
    requirement = asks(role)  # a default, since annotations are evaluated where `role` is not defined

    async def record_act(request: Request, runtime: RuntimeDep, operator: Operator = requirement) -> Acting:
        act = Act(kind, "/".join(map(str, request.path_params.values())), await _why(request))
        return Acting(operator, act, operator_acts.recorded(runtime.database, operator, act, runtime.now))

    return record_act


async def _why(request: Request) -> str:
    """The reason in the JSON body of a request, or nothing; a file is left for its route to read."""
    if request.headers.get("content-type") == "application/octet-stream":
        return ""
    try:
        body: Any = json.loads(await request.body() or b"{}")
    except ValueError:
        return ""
    fields = cast("JsonObject", body) if isinstance(body, dict) else {}
    return next((fields[field] for field in _REASONS if isinstance(fields.get(field), str)), "")
