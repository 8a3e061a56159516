"""The bot check of the page: unseen, once a day, and again where it failed."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Route

from arena.adapters.bot_checks.proof_of_work import ProofOfWork
from tests.conftest import START

from .test_battle_page import ask, begin, ready

pytestmark = pytest.mark.alone


def test_a_page_that_stays_open_does_the_check_of_each_day_and_again_after_a_failure(page: Page) -> None:
    check, done = ProofOfWork(b"s" * 32, cost=1, counters=5), []
    challenge = check._challenge("somebody", START.date())
    answers = iter([500, 200, 200])

    def answer(route: Route) -> None:
        posted = route.request.method == "POST"
        status = next(answers) if posted else 200
        done.extend([status] * posted)
        view = {"mode": "require", "verdict": "unknown", "challenge": None if posted else challenge}
        route.fulfill(status=status, content_type="application/json", body=json.dumps(view))

    page.route("**/api/v1/bot-check", answer)
    page.clock.install(time="2026-03-02T20:00:00Z")
    begin(page)
    for question, count in (("One?", 1), ("Two?", 2), ("Three?", 2)):
        ask(page, question)
        ready(page)
        while len(done) < count:
            page.wait_for_timeout(50)
        page.click("#skip")
    page.clock.fast_forward("06:00:00")
    ask(page, "Four?")
    while len(done) < 3:
        page.wait_for_timeout(50)
    assert done == [500, 200, 200]
