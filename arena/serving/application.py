"""The whole application: the API of the arena with the routes of evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.api.app import NOBODY_ASKED, create_app
from arena.evaluations import api as evaluations

if TYPE_CHECKING:
    from fastapi import FastAPI

    from arena.api.http.voter_cookie import Cookies
    from arena.usecases.battles import Runtime
    from arena.usecases.endpoints import OwnerRules


def whole_app(runtime: Runtime, cookies: Cookies, *, rules: OwnerRules = NOBODY_ASKED, **options: Any) -> FastAPI:  # noqa: ANN401 - as `create_app` takes them
    """Build the application on `runtime`; routes of an operator exist only if `rules` name a key."""
    more = (*evaluations.PUBLIC, *(evaluations.OPERATED if rules.operator_key else ()))
    return create_app(runtime, cookies, rules=rules, more=more, **options)
