"""A provider that others have written (npm: oidc-provider), on this machine: people sign in and out."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import Browser, Page, expect

from tests.paths import ROOT
from tests.processes import NEWCOMER, Process
from tests.servers import free_port

from .test_sign_in_page import ask

pytestmark = pytest.mark.heavy

FILE = """
[[provider]]
name = "example"
title = "Example University"
issuer = "{issuer}"
client_id = "arena"
client_secret = "a secret of this test, and of nothing else"
scope = "openid email groups"
domains = ["example.edu"]
groups = ["students", "staff"]

[[provider.operator]]
role = "operator"
groups = ["staff"]
"""


@contextmanager
def provided(port: int, arena: str) -> Iterator[str]:
    """The provider, for an arena at this address."""
    node, _ = compute_driver_executable()
    script = Path(__file__).with_name("openid_provider.mjs")
    with subprocess.Popen([node, script, str(port), arena], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline() == "ready\n"
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    if not (ROOT / "node_modules" / "oidc-provider").is_dir():
        pytest.skip("the npm package oidc-provider is not installed")
    folder, port = tmp_path_factory.mktemp("arena"), free_port()
    file = folder / "sign_in.toml"
    settings = {**NEWCOMER, "ARENA_DATA": str(folder), "ARENA_FRAME_SECONDS": "0.02", "ARENA_GRACE_SECONDS": "0"}
    arena = Process(folder, "serve", **settings, ARENA_ACCESS="members", ARENA_SIGN_IN=str(file))
    arena.environment["ARENA_PUBLIC_URL"] = arena.url
    with provided(port, arena.url) as issuer:
        file.write_text(FILE.format(issuer=issuer))
        arena.start()
        yield arena
        arena.stop()


@pytest.fixture
def page(browser: Browser, arena: Process) -> Iterator[Page]:
    context = browser.new_context(locale="en-US", base_url=arena.url)
    yield context.new_page()
    context.close()


def enter(page: Page, name: str) -> None:
    """Sign in at the provider, and let it tell the arena."""
    page.get_by_role("link", name="Sign in with Example University").click()
    page.fill("[name=login]", name)
    page.fill("[name=password]", "whatever")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()


def test_a_person_signs_in_votes_and_signs_out_of_the_arena_and_of_the_provider(page: Page) -> None:
    page.goto("/")
    enter(page, "ada")
    ask(page, "What is a key?")
    expect(page.locator("html")).to_have_attribute("data-phase", "ready", timeout=30_000)
    page.goto("/mine")
    page.click("#mine-out button")
    expect(page.get_by_role("status")).to_have_text("You are signed out of this arena.")
    page.goto("/")
    expect(page).to_have_url(re.compile("/sign-in"))
    page.goto("/sign-in?left=1")
    page.get_by_role("link", name="Example University").last.click()
    page.get_by_role("button", name="Yes, sign me out").click()
    expect(page).to_have_url(re.compile("/sign-in$"))
    page.get_by_role("link", name="Sign in with Example University").click()
    expect(page.locator("[name=login]")).to_be_visible()  # the provider asks again, too


def test_the_claims_of_a_person_give_them_their_role(page: Page) -> None:
    page.goto("/operator")
    enter(page, "root")
    expect(page.locator("#operator-me")).to_have_text("root@example.edu, operator")


def test_who_says_no_at_the_provider_reads_so(page: Page) -> None:
    page.goto("/sign-in")
    page.get_by_role("link", name="Sign in with Example University").click()
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("alert")).to_be_visible()
