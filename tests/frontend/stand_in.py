"""Builds the routes of a fake server once for all tests, since FastAPI takes 50 ms of processor time for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from fastapi import FastAPI


class StandIn:
    """A proxy for the object that `current` returns."""

    def __init__(self, current: Callable[[], object]) -> None:
        vars(self)["_current"] = current

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["_current"](), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(vars(self)["_current"](), name, value)


Fake = TypeVar("Fake")


def with_cached_routes(install: Callable[[FastAPI, Fake], None]) -> Callable[[Fake], FastAPI]:
    """Turn `install` into a function that creates an application; its routes are shared and use the newest fake."""
    newest: list[Fake] = []

    @cache
    def routed() -> FastAPI:
        app = FastAPI(openapi_url=None)
        install(app, cast("Fake", StandIn(lambda: newest[0])))
        return app

    def create(fake: Fake) -> FastAPI:
        newest[:] = [fake]
        app = FastAPI(openapi_url=None)
        app.router.routes.extend(routed().routes)
        app.exception_handlers.update(routed().exception_handlers)
        return app

    return create
