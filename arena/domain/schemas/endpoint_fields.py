"""Types of the fields that describe an endpoint; each rejects invalid values with `Invalid`, which names the field.

The bounds of a type appear in its JSON Schema. Views have plain types, since stored rows need no second check.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, SecretStr, StrictFloat, StrictInt
from pydantic_core import core_schema

from arena.domain.blinding.identity import distinctive
from arena.domain.errors import AliasCommon, Invalid
from arena.domain.schemas.base import documented
from arena.domain.terms import LANGUAGES, JsonObject
from arena.domain.text import name_line, one_line, well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, JsonValue

ALIASES: Final = 20
ALIAS_LIMIT: Final = 60
KEY_LIMIT: Final = 4_000
URL_LIMIT: Final = 500
_SEPARATORS: Final = frozenset("?# \\")
"""Characters at which URL parsers disagree most."""


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """Pydantic metadata: a check of (field name, value), and bounds for the JSON Schema."""

    check: Callable[[str, Any], None]
    bounds: dict[str, JsonValue]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.with_info_after_validator_function(self._validate, handler(source))

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> JsonObject:
        return handler(schema) | self.bounds

    def _validate(self, value: object, info: core_schema.ValidationInfo) -> object:
        self.check(info.field_name or "", value)
        return value


def line(limit: int) -> Checked:
    """One line of at most `limit` printable characters."""
    return Checked(partial(one_line, limit=limit), {"minLength": 1, "maxLength": limit})


def public_name(limit: int) -> Checked:
    """A line that is usable as a name in URLs, tables and files."""
    return Checked(partial(name_line, limit=limit), {"minLength": 1, "maxLength": limit})


def text(limit: int) -> Checked:
    """Text, perhaps of several lines."""
    return Checked(partial(_text, limit=limit), {"minLength": 1, "maxLength": limit})


def between(low: float, high: float) -> Checked:
    """A number in an inclusive range, which nan is not."""
    return Checked(partial(_number, low=low, high=high), {"minimum": low, "maximum": high})


def _text(field: str, value: str, limit: int) -> None:
    if not value.strip() or len(value) > limit or well_formed(value) != value:
        raise Invalid(field=field, rule="text", limit=limit)


def _number(field: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise Invalid(field=field, rule="number", low=low, high=high)


def _url(field: str, url: str) -> None:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    else:
        fits = fits and _SEPARATORS.isdisjoint(url) and "@" not in parts.netloc
    if not fits or len(url) > URL_LIMIT or not url.isprintable():
        raise Invalid(field=field, rule="url")


def _aliases(field: str, aliases: Sequence[str]) -> None:
    if len(aliases) > ALIASES:
        raise Invalid(field=field, rule="most", limit=ALIASES)
    for alias in aliases:
        one_line(field, alias, ALIAS_LIMIT)
        if not distinctive(alias):
            raise AliasCommon(field=field, name=alias)


def _languages(field: str, codes: Sequence[str]) -> None:
    if not set(codes) <= set(LANGUAGES) or len(set(codes)) < len(codes):
        raise Invalid(field=field, rule="choice", choices=list(LANGUAGES))


def _key(key: SecretStr) -> SecretStr:
    """The key without the line end that pasted keys often have; the rest has to fit into a header."""
    bare = key.get_secret_value().strip()
    if not 1 <= len(bare) <= KEY_LIMIT or not bare.isascii() or not bare.isprintable():
        raise Invalid(field="key", rule="ascii", limit=KEY_LIMIT)
    return SecretStr(bare)


Url = Annotated[str, Checked(_url, {"minLength": 1, "maxLength": URL_LIMIT})]
WireModel = Annotated[str, line(200)]
DescriptionText = Annotated[str, line(500)]
Licence = Annotated[str, line(80)]
Group = Annotated[str, line(40)]
Aliases = Annotated[list[str], Checked(_aliases, {"maxItems": ALIASES})]
Languages = Annotated[list[str], Checked(_languages, {"maxItems": len(LANGUAGES)})]
SystemPrompt = Annotated[str, text(4_000)]
Temperature = Annotated[StrictFloat, between(0, 5)]
TopP = Annotated[StrictFloat, between(0, 1)]
MaxTokens = Annotated[StrictInt, between(1, 1_000_000)]
Billions = Annotated[StrictFloat, between(0, 1_000_000)]
ContextTokens = Annotated[StrictInt, between(1, 1_000_000_000)]
PerMillion = Annotated[StrictFloat, between(0, 1_000_000)]
"""An amount per million tokens, of money or energy."""
Daily = Annotated[StrictInt, between(1, 1_000_000_000)]
Key = Annotated[SecretStr, AfterValidator(_key), documented(minLength=1, maxLength=KEY_LIMIT)]
