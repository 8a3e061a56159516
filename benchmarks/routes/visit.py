"""A visitor of a filled arena, who is an owner and an operator too."""

from __future__ import annotations

import asyncio
import io
import json
from typing import TYPE_CHECKING, Any, Final, Protocol

from PIL import Image

from benchmarks.routes.bodies import BASE, ENDPOINT, SUMS, bodies, draft, route_ids
from benchmarks.routes.calls import BYTES, JSON, Call, calls
from benchmarks.routes.filled_arena import KEY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks.routes.loop_cost import Answer

_IMAGES: Final = f"{BASE}/images"


class Sender(Protocol):
    """Sends calls to an arena."""

    async def send(self, call: Call, headers: Mapping[str, str]) -> Answer:
        """Send a call and wait for its whole answer."""
        ...


class Visit:
    """Calls of one visitor."""

    def __init__(self, sender: Sender, contract: dict[str, Any], ids: dict[str, str]) -> None:
        self._contract = contract
        self._sender = sender
        self._ids = ids
        self._key = ""
        self._playing: list[str] = []
        self._image = io.BytesIO()
        Image.new("RGB", (64, 64), "red").save(self._image, "PNG")

    async def fill(self) -> None:
        """Make what no command has made: an owner with an endpoint, battles, a chat and a draft of an evaluation."""
        owner = await self._json("POST", "/owners", {"name": "Acme", "contact": "a@acme.example"})
        self._key = owner["key"]
        self._ids["endpoint_id"] = str((await self._json("POST", "/endpoints", ENDPOINT))["id"])
        models = [model["name"] for model in await self._json("GET", "/models")]
        self._playing = [name for name in models if not name.startswith("competitor-")][:2]
        voted, self._ids["battle_id"] = [await self.battle(f"What is {number} + 2?") for number in range(2)]
        await self.vote(voted)
        self._ids["token"] = (await self._json("POST", f"/battles/{voted}/share"))["token"]
        chat = {"prompt": "Hello", "models": self._playing, "terms": 1}
        self._ids["chat_id"] = (await self._json("POST", "/chats", chat))["id"]
        sets = await self._json("GET", "/questions")
        self._ids |= {"name": models[0], "set_name": sets[0]["name"], "language": "en", "a": models[0], "b": models[1]}
        self._ids |= {"use": "judging", "part": "registration", "page": "imprint", "week": "2026-W01"}
        image = await self.send(Call("POST", _IMAGES, _IMAGES, self._image.getvalue(), BYTES))
        self._ids["image_id"] = json.loads(image.body)["id"]
        await self._json("POST", "/operator/evaluations", draft(SUMS, self._playing))
        self._ids |= route_ids(list(self._contract["paths"]), voted)

    def calls(self) -> Iterator[Call]:
        """A call of every route."""
        chosen = bodies(self._playing) | {f"POST {_IMAGES}": self._image.getvalue()}
        return calls(self._contract, self._ids, chosen)

    def open_calls(self) -> Iterator[Call]:
        """A call of every route that needs no operator's key."""
        return (call for call in self.calls() if not call.template.startswith(f"{BASE}/operator"))

    def uploads(self) -> Iterator[str]:
        """The paths of the routes that take a file of rows."""
        for path, operations in self._contract["paths"].items():
            content = operations.get("post", {}).get("requestBody", {}).get("content", {})
            if BYTES in content and path != _IMAGES:
                yield path

    async def vote(self, battle: str) -> None:
        """Vote on a battle."""
        await self._json("POST", f"/battles/{battle}/vote", {"outcome": "a"})

    async def battle(self, prompt: str) -> str:
        """Begin a battle and wait for its answers; returns its id."""
        battle = (await self._json("POST", "/battles", {"prompt": prompt, "terms": 1}))["id"]
        while (await self._json("GET", f"/battles/{battle}"))["turns"][-1]["state"] == "running":  # noqa: ASYNC110 - as a page polls
            await asyncio.sleep(0.1)
        return battle

    async def send(self, call: Call) -> Answer:
        """Send a call with the key that its route needs."""
        key = KEY if "/operator" in call.template else self._key
        needs_key = call.template.startswith((f"{BASE}/operator", f"{BASE}/owners/me", f"{BASE}/endpoints"))
        answer = await self._sender.send(call, {"authorization": f"Bearer {key}"} if needs_key and key else {})
        await asyncio.sleep(0)
        return answer

    async def _json(self, method: str, path: str, body: Any = None) -> Any:  # noqa: ANN401 - any JSON
        path = f"{BASE}{path}"
        answer = await self.send(Call(method, path, path, b"" if body is None else json.dumps(body).encode(), JSON))
        if not 200 <= answer.status < 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.body.decode()}")
        return json.loads(answer.body or b"null")
