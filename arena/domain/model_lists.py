"""Lists of models from servers and proxies, read in one way; implausible figures are left out.

Sources: the answers of `GET /v1/models` of OpenRouter (`context_length`, `architecture`, `pricing`), vLLM
(`max_model_len`), llama.cpp (`meta`, `models`) and Ollama; `GET /api/v0/models` of LM Studio (`type`,
`max_context_length`); `GET /v1/model/info` of LiteLLM (`model_name`, `model_info`).
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from arena.domain.errors import Invalid
from arena.domain.terms import JsonObject
from arena.domain.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Entry = JsonObject

MAX_MODELS: Final = 1_000
"""Most models of a list; longer lists are refused, since nobody could choose from them."""
MAX_BYTES: Final = 2 * 2**20
MAX_CONTAINERS: Final = 50_000
"""Largest list, and most objects and lists in it: the parser lets no other thread run, for 50 ms at these bounds."""
_NAMES: Final = ("id", "model_name", "model", "name")
_CONTEXTS: Final = (
    ("context_length",),
    ("max_model_len",),
    ("max_context_length",),
    ("context_window",),
    ("model_info", "max_input_tokens"),
    ("meta", "n_ctx"),
    ("meta", "n_ctx_train"),
)
_PRICES_IN: Final = (("pricing", "prompt"), ("model_info", "input_cost_per_token"))
_PRICES_OUT: Final = (("pricing", "completion"), ("model_info", "output_cost_per_token"))
"""Fields of prices per token in US dollars; prices in other fields are ignored."""
_TEXT_KINDS: Final = frozenset({"chat", "completion", "responses", "llm", "vlm", "model", "language", "base"})
_LONGEST: Final = 1_000_000_000
_DEAREST: Final = 1_000_000.0


class ListTooLong(ValueError):
    """The list has more than `MAX_MODELS` models: `count`."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} models")
        self.count = count


class ListTooLarge(ValueError):
    """The list has more than `MAX_BYTES` or `MAX_CONTAINERS`."""


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model that a server offers; None where it states no plausible value.

    Prices are US dollars per million tokens; `modalities` are those of its prompts.
    """

    wire_model: str
    context_tokens: int | None = None
    modalities: tuple[str, ...] = ("text",)
    price_in: float | None = None
    price_out: float | None = None

    @property
    def vision(self) -> bool:
        """Whether the server says that it accepts images."""
        return "image" in self.modalities


@dataclass(frozen=True, slots=True)
class ModelList:
    """The models of a list that write text, in its order, and numbers of entries.

    `nameless` entries have no usable name, `silent` ones write no text (embeddings, images, speech), and `doubtful`
    ones have an implausible context or price, which is left out.
    """

    models: tuple[OfferedModel, ...] = ()
    nameless: int = 0
    silent: int = 0
    doubtful: int = 0


def entries(document: bytes) -> list[Entry]:
    """The entries of an answer's list, or of all its lists if it has several.

    Raises:
        ValueError: It has no list of models.
        ListTooLong: A list has more than `MAX_MODELS`.
        ListTooLarge: It has more than `MAX_BYTES` or `MAX_CONTAINERS`, and is not parsed.
    """
    if len(document) > MAX_BYTES or document.count(b"{") + document.count(b"[") > MAX_CONTAINERS:
        raise ListTooLarge("too large a list")
    try:
        parsed: object = json.loads(document)
    except (RecursionError, UnicodeDecodeError) as error:
        raise ValueError("no JSON") from error
    candidates = (parsed, _at(parsed, ("data",)), _at(parsed, ("models",)))
    lists = [cast("list[object]", part) for part in candidates if isinstance(part, list)]
    if not lists:
        raise ValueError("no list of models")
    if (count := max(map(len, lists))) > MAX_MODELS:
        raise ListTooLong(count)
    return [cast("Entry", entry) if isinstance(entry, dict) else {} for part in lists for entry in part]


def read(*lists: Iterable[Entry]) -> ModelList:
    """Merge lists: entries of one name are one model, with the first value of each fact; only the first adds models."""
    merged: dict[str, list[Entry]] = {}
    nameless = 0
    for number, part in enumerate(lists):
        for entry in part:
            name = _name(entry)
            if name is None:
                nameless += 1
            elif number == 0 or name in merged:
                merged.setdefault(name, []).append(entry)
    text_models = {name: facts for name, facts in merged.items() if _writes_text(facts)}
    models = [_model(name, facts) for name, facts in text_models.items()]
    doubtful = sum(is_doubtful for _, is_doubtful in models)
    return ModelList(tuple(model for model, _ in models), nameless, len(merged) - len(text_models), doubtful)


def _model(name: str, facts: Sequence[Entry]) -> tuple[OfferedModel, bool]:
    """The model, and whether one of its figures is implausible."""
    context, odd_context = _figure(facts, _CONTEXTS, _LONGEST)
    price_in, odd_in = _figure(facts, _PRICES_IN, _DEAREST / 1e6)
    price_out, odd_out = _figure(facts, _PRICES_OUT, _DEAREST / 1e6)
    if context is not None and (context < 1 or context != int(context)):
        context, odd_context = None, True
    return (
        OfferedModel(
            wire_model=name,
            context_tokens=None if context is None else int(context),
            modalities=_modalities(facts),
            price_in=_per_million(price_in),
            price_out=_per_million(price_out),
        ),
        odd_context or odd_in or odd_out,
    )


def _per_million(price: float | None) -> float | None:
    return None if price is None else round(price * 1e6, 6)


def _name(entry: Entry) -> str | None:
    """The wire model of an entry; None without a name that a request could carry."""
    name = next((entry[key] for key in _NAMES if isinstance(entry.get(key), str)), "")
    try:
        one_line("wire_model", name, 200)
    except Invalid:
        return None
    return name


def _at(value: object, path: tuple[str, ...]) -> object:
    for key in path:
        value = cast("Entry", value).get(key) if isinstance(value, dict) else None
    return value


def _figure(facts: Sequence[Entry], paths: Sequence[tuple[str, ...]], limit: float) -> tuple[float | None, bool]:
    """The first value in the order of `paths`, None for -1; and whether it is not a number from 0 to `limit`."""
    values = (_at(entry, path) for path in paths for entry in facts)
    value = next((value for value in values if value is not None), None)
    if value is None:
        return None, False
    try:
        number = math.nan if isinstance(value, bool) else float(cast("str", value))
    except (TypeError, ValueError, OverflowError):
        return None, True
    if number == -1:  # OpenRouter's price of a router, which depends on the chosen model
        return None, False
    return (number, False) if 0 <= number <= limit else (None, True)


def _words(facts: Sequence[Entry], path: tuple[str, ...]) -> Iterator[str]:
    """The texts of a list in lower case, or the names of a mapping's true entries."""
    for entry in facts:
        value = _at(entry, path)
        if isinstance(value, dict):
            yield from (name for name, on in cast("Entry", value).items() if on is True)
        elif isinstance(value, list):
            yield from (word.lower() for word in cast("list[object]", value) if isinstance(word, str))


def _modalities(facts: Sequence[Entry]) -> tuple[str, ...]:
    """Text, and images where one of the fields for them says so."""
    image_words = {"image", "vision", "multimodal"} & {
        *_words(facts, ("architecture", "input_modalities")),
        *_words(facts, ("capabilities",)),
    }
    has_flag = any(
        _at(entry, ("model_info", "supports_vision")) is True or entry.get("type") == "vlm" for entry in facts
    )
    return ("text", "image") if image_words or has_flag else ("text",)


def _writes_text(facts: Sequence[Entry]) -> bool:
    """Whether a model writes text; True where no field says otherwise."""
    kinds = {str(_at(entry, path)).lower() for entry in facts for path in (("type",), ("model_info", "mode"))}
    outputs = set(_words(facts, ("architecture", "output_modalities")))
    return kinds - {"none"} <= _TEXT_KINDS and (not outputs or "text" in outputs)
