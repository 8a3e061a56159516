"""No request is sent to a thread: for a vote, that would cost more than all the rest of it."""

import inspect

from fastapi.routing import APIRoute, iter_route_contexts

from arena.api.http.voter_cookie import Cookies
from arena.serving.composition import whole_app
from arena.usecases.endpoints.ownership import OwnerRules


def calls(dependant):
    yield dependant.call
    for dependency in dependant.dependencies:
        yield from calls(dependency)


def test_every_route_and_whatever_it_is_given_is_a_coroutine(runtime):
    app = whole_app(runtime, Cookies(b"a secret of the tests"), rules=OwnerRules(operator_key="the operator's key"))
    routes = [context.original_route for context in iter_route_contexts(app.routes)]
    calls_of_routes = {call for route in routes if isinstance(route, APIRoute) for call in calls(route.dependant)}
    assert {call.__name__ for call in calls_of_routes} >= {"cast_vote", "_holder", "_operator", "open_battle"}
    assert [call.__name__ for call in calls_of_routes if not inspect.iscoroutinefunction(call)] == []
