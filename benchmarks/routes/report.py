"""The benchmark of routes: the dearest ones by processor time on the event loop, and the loop's lag."""

from __future__ import annotations

import asyncio
import io
import json
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import unquote

import typer
from PIL import Image

from benchmarks.load.store import sqlite
from benchmarks.results import Row
from benchmarks.routes.calls import BYTES, JSON, Call, calls
from benchmarks.routes.filled_arena import KEY, filled
from benchmarks.routes.flood import flooded
from benchmarks.routes.loop_cost import Answer, Client, watched

if TYPE_CHECKING:
    from benchmarks.routes.filled_arena import FilledArena

GOAL_MS: Final = 5.0
TRIES: Final = 3
_BASE: Final = "/api/v1"
_IMAGES: Final = f"{_BASE}/images"
_SHOWN: Final = 10
_UPLOAD: Final = 10_000_000
_ENDPOINT: Final = {"name": "acme-7b", "url": "https://models.example/v1", "dialect": "openai_chat", "wire_model": "a"}


def measure(
    votes: Annotated[int, typer.Option(min=100, help="Votes of the arena.")] = 5_000,
    every: Annotated[bool, typer.Option("--every", help="Print all routes, not the ten dearest.")] = False,
    flood: Annotated[float, typer.Option(min=0, max=60, help="Seconds for which each open route is flooded.")] = 0,
) -> Iterator[Row]:
    """Measure the processor time of every route of the OpenAPI document on the event loop, and the loop's lag."""
    yield from asyncio.run(_measure(votes, every=every, flood=flood))


async def _measure(votes: int, *, every: bool, flood: float) -> list[Row]:
    with sqlite() as (folder, url):
        async with filled(folder, url, votes) as arena, watched() as lag:
            visit = Visit(arena)
            await visit.fill()
            # First, as the operator's calls below change which models play.
            floods = dearest_first(await visit.flood_rows(flood)) if flood else []
            lag.ms = 0.0
            costs = [await visit.cost(call) for call in visit.calls()]
            rows = dearest(costs, None if every else _SHOWN)
            rows.append(Row("all routes", "longest lag of the loop", lag.ms, "ms", note=f"{len(costs)} calls"))
            rows += [await visit.upload_row(route) for route in visit.uploads()]
            return [*rows, *floods]


class Visit:
    """Calls of one visitor, who is an owner and an operator too."""

    def __init__(self, arena: FilledArena) -> None:
        self._contract: dict[str, Any] = arena.app.openapi()
        self._app = arena.app
        self._client = Client(arena.app)
        self._ids = arena.ids
        self._key = ""
        self._image = io.BytesIO()
        Image.new("RGB", (64, 64), "red").save(self._image, "PNG")

    async def fill(self) -> None:
        """Make what no command has made: an owner with an endpoint, battles, a chat and an evaluation."""
        owner = await self._json("POST", "/owners", {"name": "Acme", "contact": "a@acme.example"})
        self._key = owner["key"]
        self._ids["endpoint_id"] = str((await self._json("POST", "/endpoints", _ENDPOINT))["id"])
        models = [model["name"] for model in await self._json("GET", "/models")]
        playing = [name for name in models if not name.startswith("competitor-")]
        voted, self._ids["battle_id"] = [await self._battle(f"What is {number} + 2?") for number in range(2)]
        await self._json("POST", f"/battles/{voted}/vote", {"outcome": "a"})
        self._ids["token"] = (await self._json("POST", f"/battles/{voted}/share"))["token"]
        chat = {"prompt": "Hello", "models": playing[:2], "terms": 1}
        self._ids["chat_id"] = (await self._json("POST", "/chats", chat))["id"]
        sets = await self._json("GET", "/questions")
        self._ids |= {"name": models[0], "set_name": sets[0]["name"], "language": "en", "a": models[0], "b": models[1]}
        image = await self._send(Call("POST", _IMAGES, _IMAGES, self._image.getvalue(), BYTES))
        self._ids["image_id"] = json.loads(image.body)["id"]
        await self._evaluation(playing[:2])

    def calls(self) -> Iterator[Call]:
        """A call of every route."""
        bodies = {
            f"POST {_BASE}/battles": {"prompt": "What is two and two?", "terms": 1},
            f"POST {_IMAGES}": self._image.getvalue(),
            f"POST {_BASE}/endpoints": _ENDPOINT | {"name": "acme-8b"},
            f"POST {_BASE}/battles/{{battle_id}}/vote": {"outcome": "a"},
        }
        return calls(self._contract, self._ids, bodies)

    def uploads(self) -> Iterator[str]:
        """The paths of the routes that take a file of rows."""
        for path, operations in self._contract["paths"].items():
            content = operations.get("post", {}).get("requestBody", {}).get("content", {})
            if BYTES in content and not path.endswith("/images"):
                yield path

    async def cost(self, call: Call) -> tuple[Call, list[Answer]]:
        """Answers to a call; what changes nothing is sent several times."""
        return call, [await self._send(call) for _ in range(TRIES if call.method == "GET" else 1)]

    async def upload_row(self, path: str) -> Row:
        """The loop's lag while the route reads many bytes of rows, each of which has an id that is there already."""
        row = b'{"model_a":"a-7b","model_b":"b-7b","winner":"model_a","question_id":"same"}\n'
        body = row * (_UPLOAD // len(row))
        async with watched() as lag:
            answer = await self._send(Call("POST", path, f"{path}?name=rows.jsonl", body, BYTES))
        work = f"POST {path} with {_UPLOAD // 1_000_000} MB of rows with one id"
        return Row("uploads", work, lag.ms, "ms of lag", note=_outcome(answer), figures={"loop_ms": answer.cpu_ms})

    def open_calls(self) -> Iterator[Call]:
        """A call of every route that needs no operator's key."""
        return (call for call in self.calls() if not call.template.startswith(f"{_BASE}/operator"))

    async def flood_rows(self, seconds: float) -> list[Row]:
        """A row of each open route, which is flooded while somebody reads, and votes once."""
        calls_of_routes = list(self.open_calls())
        battles = await asyncio.gather(
            *(self._battle(f"What is flood {number}?") for number in range(len(calls_of_routes)))
        )
        return [
            await flooded(self._app, call, seconds, partial(self._vote, battle))
            for call, battle in zip(calls_of_routes, battles, strict=True)
        ]

    async def _vote(self, battle: str) -> None:
        await self._json("POST", f"/battles/{battle}/vote", {"outcome": "a"})

    async def _battle(self, prompt: str) -> str:
        battle = (await self._json("POST", "/battles", {"prompt": prompt, "terms": 1}))["id"]
        while (await self._json("GET", f"/battles/{battle}"))["turns"][-1]["state"] == "running":  # noqa: ASYNC110 - as a page polls
            await asyncio.sleep(0.1)
        return battle

    async def _evaluation(self, models: list[str]) -> None:
        content = "".join(f"{number}. What is {number} + {number}?\n" for number in range(1, 200))
        draft = {"name": "sums", "content": content, "models": models}
        await self._json("POST", "/operator/evaluations", draft)
        self._ids["evaluation"] = "sums"

    async def _json(self, method: str, path: str, body: Any = None) -> Any:  # noqa: ANN401 - any JSON
        path = f"{_BASE}{path}"
        answer = await self._send(Call(method, path, path, b"" if body is None else json.dumps(body).encode(), JSON))
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.body.decode()}")
        return json.loads(answer.body or b"null")

    async def _send(self, call: Call) -> Answer:
        key = KEY if "/operator" in call.template else self._key
        needs_key = call.template.startswith((f"{_BASE}/operator", f"{_BASE}/owners/me", f"{_BASE}/endpoints"))
        answer = await self._client.send(call, {"authorization": f"Bearer {key}"} if needs_key and key else {})
        await asyncio.sleep(0)
        return answer


def dearest_first(rows: list[Row]) -> list[Row]:
    """Rows by value, the highest first."""
    return sorted(rows, key=lambda row: -row.value)


def dearest(costs: list[tuple[Call, list[Answer]]], count: int | None) -> list[Row]:
    """Rows of the `count` dearest routes, each by its dearest call, and by the least of several answers to it."""
    rows = defaultdict[str, list[Row]](list)
    for call, answers in costs:
        best = min(answer.cpu_ms for answer in answers)
        note = "; ".join(filter(None, (_outcome(answers[-1]), unquote(call.target.partition("?")[2]))))
        figures = {"first_ms": answers[0].cpu_ms}
        rows[call.route].append(Row("routes", call.route, best, "ms", f"≤ {GOAL_MS:.0f}", note, figures))
    worst = [max(candidates, key=lambda row: row.value) for candidates in rows.values()]
    return dearest_first(worst)[:count]


def _outcome(answer: Answer) -> str:
    code = ""
    if answer.status >= 400 and answer.body.startswith(b"{"):
        code = f" {json.loads(answer.body).get('code', '')}"
    return f"{answer.status}{code}"
