"""Errors of any request, one for each status that the others refine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from arena.domain.errors.base import ArenaError, Param


class Invalid(ArenaError):
    """`field` names a single invalid field; `problems` has the parameters of each if several are invalid."""

    code = "invalid"
    status = 422
    title = "The request is not valid."
    details: ClassVar[Mapping[str, str]] = {
        "missing": "it is missing",
        "unknown": "there is no such field",
        "type": "wrong type",
        "json": "not valid JSON",
        "utf8": "JSON is sent as UTF-8",
        "choice": "one of {choices}",
        "least": "at least {limit:,}",
        "most": "{limit:,} at most",
        "shortest": "{limit:,} characters at least",
        "longest": "{limit:,} characters at most",
        "form": "invalid format",
        "empty": "cannot be empty",
        "line": "1 to {limit:,} printable characters, no space at either end",
        "text": "1 to {limit:,} characters",
        "ascii": "1 to {limit:,} printable ASCII characters",
        "number": "a number from {low:g} to {high:,.0f}",
        "invisible": "no invisible characters",
        "slash": "no slash, and no dot at either end",
        "letter": "at least one letter or digit",
        "url": "an http or https address without user name, query or fragment",
        "public_https": "a public endpoint is asked over https on port 443",
        "bare_address": "a public endpoint has a name, not a bare address",
        "inside": "this name resolves only inside a private network, or nowhere",
        "host": "the host is not a resolvable name",
        "nowhere": "give an address, or a vendor by its preset",
        "version": "the arena adds the version itself; please leave it out",
        "colour": "a colour such as #1a6fb5",
        "contrast": "white text has to be readable on it: choose a darker colour",
        "elements": "too many parts, or too deep: write it more simply",
        "blank": "fill in or remove {blank} first",
        "bytes": "{limit:,} bytes at most",
        "base64": "an image in base64",
        "site_file": "This is no file of `arena site export`.",
        "site_version": "This file has version {version}, and this arena reads up to {limit}: update it first.",
        "nothing": "There is nothing to change: send at least one field.",
        "models": "A chat has one model, or two different ones.",
        "same": "Two different models are compared.",
        "opinion": "{word!r} is not a valid judgement of the answers of this chat.",
        "remarks": "Remarks have at least one reason or star.",
        "idempotency_key": "An Idempotency-Key has 1 to {limit} printable ASCII characters.",
    }

    def __init__(
        self,
        detail: str | None = None,
        *,
        problems: Sequence[dict[str, Param]] = (),
        retry_after: int | None = None,
        **params: Param,
    ) -> None:
        super().__init__(detail, retry_after=retry_after, **(params or (problems[0] if problems else {})))
        self.problems = problems

    @classmethod
    def sentence(cls, params: Mapping[str, Param]) -> str | None:
        message = super().sentence(params)
        return f"{params['field']}: {message}" if message and "field" in params else message


class TooDeep(Invalid):
    code = "too_deep"
    title = "The request's JSON is nested too deep."


class KeyReused(Invalid):
    code = "idempotency_key_reused"
    title = "This Idempotency-Key was used with another request."


class Malformed(ArenaError):
    code = "malformed"
    status = 400
    title = "This is not a valid HTTP request."


class Refused(ArenaError):
    code = "refused"
    status = 403
    title = "The request is not allowed."


class CrossOrigin(Refused):
    code = "cross_origin"
    title = "Changes are accepted from the arena's own pages only."


class NotFound(ArenaError):
    code = "not_found"
    status = 404
    title = "There is nothing here."


class Conflict(ArenaError):
    code = "conflict"
    status = 409
    title = "The battle is in another state."


class MethodNotAllowed(ArenaError):
    code = "method_not_allowed"
    status = 405
    title = "This method is not allowed here; see the Allow header."


class TooSlow(ArenaError):
    code = "too_slow"
    status = 408
    title = "The request took too long to arrive."


class TooLarge(ArenaError):
    code = "too_large"
    status = 413
    title = "The request is too large."


class FileTooLarge(TooLarge):
    code = "file_too_large"
    title = "The file is too large."
    details: ClassVar[Mapping[str, str]] = {
        "": "The file is larger than {limit:,} megabytes; larger ones are read by the command `arena votes import`."
    }


class HeadersTooLarge(ArenaError):
    code = "headers_too_large"
    status = 431
    title = "The request's headers are too large."


class RateLimited(ArenaError):
    code = "rate_limited"
    status = 429
    title = "Too many requests; please wait a moment."


class Unavailable(ArenaError):
    code = "unavailable"
    status = 503
    title = "The arena is not available right now."


class Busy(Unavailable):
    code = "busy"
    title = "All places are taken; please try again in a moment."


class ShuttingDown(Unavailable):
    code = "shutting_down"
    title = "The arena is restarting; please try again in a moment."


class Closed(Unavailable):
    code = "closed"
    title = "This part of the arena is closed for the moment; what was saved stays saved."

    def __init__(self) -> None:
        super().__init__(retry_after=60)


class StoreUnavailable(Unavailable):
    code = "store_unavailable"
    title = "The arena could not save this; nothing was counted. Please try again."
