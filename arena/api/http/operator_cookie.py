"""The cookie of an operator who signed in: who they are, and by which rule of the operator's file they have a role.

The role itself is not in it: the rule is looked up for each request, so that whoever a changed file no longer names has
no role from the next start on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.api.contract import BASE
from arena.api.http.signed_cookies import SignedCookie
from arena.domain.operators import Operator

if TYPE_CHECKING:
    from fastapi import Request, Response

    from arena.api.http.voter_cookie import Cookies
    from arena.domain.sign_in import OperatorRule, SignInProvider

COOKIE: Final = SignedCookie("arena_operator", f"{BASE}/operator", "operator", same_site="strict")


def keep(response: Response, name: str, provider: SignInProvider, rule: OperatorRule, cookies: Cookies) -> None:
    """Have the browser keep that somebody is an operator, for the hours of the rule."""
    content = {"name": name, "via": provider.name, "rule": rule.digest}
    COOKIE.keep(response, content, rule.hours * 3_600, cookies)


def operator(request: Request) -> Operator | None:
    """The operator who has signed in in this browser, if the rule still stands."""
    state = request.app.state
    content = COOKIE.read(request, state.cookies) if state.entrance else None
    provider = state.entrance.providers.get(content["via"]) if content else None
    rules = provider.rules.operator if provider else ()
    for rule in rules:
        if content and rule.digest == content["rule"]:
            return Operator(content["name"], content["via"], rule.role)
    return None
