"""A first visitor without a browser: loads the page, asks one question, reads both answers to their end, and votes.

usage: python first_battle.py URL [SECONDS]; SECONDS is how long to wait for the service. Needs only Python. Prints
the Unix times at which the page, the end of the answers and the names arrived.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from http.cookiejar import CookieJar
from urllib.request import HTTPCookieProcessor, Request, build_opener

PROMPT = "What is 12 times 12?"


@dataclass(frozen=True)
class Visit:
    """Unix time of each step, last event of the turn, both answers, and the names in the reveal."""

    page: float
    answered: float
    named: float
    ended: str
    answers: dict[str, str]
    models: list[str]


def visit(url: str, seconds: float) -> Visit:
    """Load the page, hold a battle and vote."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))

    def ask(path: str, body: dict[str, str] | None = None) -> bytes:
        data = None if body is None else json.dumps(body).encode()
        request = Request(url + path, data, {"Content-Type": "application/json"})  # noqa: S310 - an address of the tests
        return browser.open(request, timeout=seconds).read()

    retry(lambda: ask("/"), seconds)
    page = time.time()
    battle = json.loads(ask("/api/v1/battles", {"prompt": PROMPT}))
    answers = {"a": "", "b": ""}
    with browser.open(f"{url}/api/v1/battles/{battle['id']}/stream", timeout=seconds) as stream:
        kind = ""
        for line in map(bytes.decode, stream):
            if line.startswith("event:"):
                kind = line.split(":", 1)[1].strip()
            elif line.startswith("data:") and kind == "delta":
                delta = json.loads(line.split(":", 1)[1])
                answers[delta["side"]] += delta["text"]
            elif kind in {"turn_ready", "turn_failed"}:
                break
    answered = time.time()
    reveal = json.loads(ask(f"/api/v1/battles/{battle['id']}/vote", {"outcome": "tie"}))
    names = [reveal[side]["name"] for side in answers]
    return Visit(page, answered, time.time(), kind, answers, names)


def retry(step, seconds: float) -> None:
    """Repeat a step until it succeeds."""
    until = time.monotonic() + seconds
    while True:
        try:
            step()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return


if __name__ == "__main__":
    json.dump(asdict(visit(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 120)), sys.stdout)
