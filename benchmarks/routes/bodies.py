"""Bodies of requests and ids of paths, where a sample of the schema would only be refused."""

from __future__ import annotations

from typing import Any, Final

from benchmarks.routes.evaluations import CLOSED, OPEN

BASE: Final = "/api/v1"
ENDPOINT: Final = {
    "name": "acme-7b",
    "url": "https://models.example/v1",
    "dialect": "openai_chat",
    "wire_model": "a",
}
SUMS: Final = "sums"
"""An evaluation that its operator has drafted."""
VOTED: Final = ("crowd", "reasoning", "receipt", "remarks", "reveal", "pages")
"""Parts of a battle that are shown after its vote alone."""
_ADDRESS: Final = {"url": ENDPOINT["url"]}


def draft(name: str, models: list[str]) -> dict[str, Any]:
    """An evaluation of 200 questions."""
    content = "".join(f"{number}. What is {number} + {number}?\n" for number in range(1, 201))
    return {"name": name, "content": content, "models": models}


def bodies(models: list[str]) -> dict[str, Any]:
    """JSON bodies by route; the chat and the evaluation have two of these models."""
    described = {"description_en": "A model of a benchmark."}
    values = {
        "POST /battles": {"prompt": "What is two and two?", "terms": 1},
        "POST /battles/{battle_id}/remarks": {"a": {"reasons": ["useful"]}},
        "POST /battles/{battle_id}/vote": {"outcome": "a"},
        "POST /chats": {"prompt": "Hello", "models": models, "terms": 1},
        "POST /endpoints": ENDPOINT | {"name": "acme-8b"},
        "POST /endpoints/batch": _ADDRESS | {"models": [{"name": "acme-9b", "wire_model": "b"}]},
        "POST /endpoints/discoveries": _ADDRESS,
        "POST /endpoints/twins": _ADDRESS | {"first": "a", "second": "b"},
        "PATCH /endpoints/{endpoint_id}": described,
        "PUT /endpoints/{endpoint_id}/uses/{use}": {"allowed": True},
        "PUT /annotate/{link}/items/{number}": {"said": {"outcome": "a"}},
        "PATCH /operator/endpoints/{endpoint_id}": described,
        "PATCH /operator/site": {"accent": "#1a6fb5", "pages": {"imprint": {"en": "We."}}},
        "PUT /operator/parts/{part}/closed": {"reason": "a benchmark"},
        "POST /operator/evaluations": draft("more sums", models),
        "PATCH /operator/evaluations/{evaluation}": {"least_right": 0.5},
        "POST /operator/evaluations/{evaluation}/annotators": {"number": 2, "address": "https://arena.example"},
        "POST /operator/evaluations/{evaluation}/open": {"partial": True},
        "POST /operator/evaluations/{evaluation}/close": {"incomplete": True},
    }
    return {route.replace(" ", f" {BASE}", 1): body for route, body in values.items()}


def route_ids(paths: list[str], voted: str) -> dict[str, str]:
    """Ids by path and name of a parameter, where the path needs another one than others."""
    battles = {f"{BASE}/battles/{{battle_id}}/{last} battle_id": voted for last in VOTED}
    evaluations = {
        f"{path} evaluation": SUMS if path.startswith(f"{BASE}/operator") else OPEN if "annotators" in path else CLOSED
        for path in paths
    }
    return battles | evaluations | {f"{BASE}/operator/decisions/{{decision}}/undo decision": "1"}
