"""Steps that sign an owner or the operator in on a page that shows their form."""

from __future__ import annotations

from playwright.sync_api import Page

from .fake_owners import OPERATOR_KEY, FakeOwners


def sign_in_owner(page: Page, owners: FakeOwners) -> None:
    """Sign in with the owner's API key, and wait for the account."""
    owners.signed_up = True
    page.fill("#signin-api_key", owners.key)
    page.click("#signin button[type=submit]")
    page.wait_for_selector("#account")


def sign_in_operator(page: Page, key: str = OPERATOR_KEY) -> None:
    page.fill("#operator-in-operator_key", key)
    page.click("#operator-in button[type=submit]")


def show_part(page: Page, name: str) -> None:
    """Turn to a part of the operator's page: models, evaluations, votes or site."""
    page.click(f".a-parts-of [href='#{name}']")
