"""A frame's address opens one page for some minutes and does not reveal which."""

from __future__ import annotations

import pytest

from arena.api.frames.addresses import LIFETIME, FrameAddresses, framed
from arena.domain.errors import NotFound
from arena.domain.terms import Side
from arena.usecases.battles.web_pages import PagePlace

PLACE = PagePlace("battle-id-of-22-signs", 2, 1, Side.B)


def token(address: str) -> str:
    return address.rpartition("/")[2]


def test_an_address_leads_to_its_page_and_no_two_are_the_same():
    frames = FrameAddresses(b"secret")
    one, two = frames.of(PLACE), frames.of(PLACE)
    assert one != two
    assert {frames.place(token(one)), frames.place(token(two))} == {PLACE}
    assert frames.place(token(one)).side is Side.B


def test_addresses_of_all_places_of_a_battle_look_alike():
    frames = FrameAddresses(b"secret")
    addresses = [frames.of(PLACE._replace(side=side, number=number)) for side in Side for number in (1, 2)]
    assert len({len(address) for address in addresses}) == 1
    assert not any("battle" in address for address in addresses)


def test_an_address_dies_after_its_time():
    now = [1_000.0]
    frames = FrameAddresses(b"secret", clock=lambda: now[0])
    address = token(frames.of(PLACE))
    now[0] += LIFETIME - 1
    assert frames.place(address) == PLACE
    now[0] += 2
    with pytest.raises(NotFound):
        frames.place(address)


@pytest.mark.parametrize("made_up", ["", "x", "a" * 90, "=" * 40])
def test_what_was_made_up_altered_or_made_elsewhere_opens_nothing(made_up):
    frames = FrameAddresses(b"secret")
    true = token(frames.of(PLACE))
    elsewhere, altered = token(FrameAddresses(b"x").of(PLACE)), ("B" if true[0] == "A" else "A") + true[1:]
    for address in (made_up, true[:-2], altered, elsewhere):
        with pytest.raises(NotFound):
            frames.place(address)


def test_another_site_is_named_where_there_is_one():
    assert FrameAddresses(b"secret", "https://pages.example").of(PLACE).startswith("https://pages.example/frames/")


@pytest.mark.parametrize(
    ("source", "before"),
    [
        ("<!DOCTYPE html><html></html>", "<!DOCTYPE html>"),
        ("\n<!-- x -->\n<!doctype html>\n<script>1</script>", "\n<!-- x -->\n<!doctype html>"),
        ("<script>evil()</script><!doctype html>", ""),
        ("<h1>fragment</h1>", ""),
    ],
)
def test_the_prelude_stands_behind_the_doctype_or_first_of_all(source, before):
    document = framed(source)
    assert document.startswith(f"{before}<script>")
    assert document.endswith(source[len(before) :])


def test_thousands_of_comments_are_read_once_and_the_doctype_behind_them_is_seen():
    comments = "<!---->" * 5_000
    assert not framed(f"{comments}<p>hi").startswith("<!--")
    assert framed(f"{comments}<!doctype html><p>hi").startswith(f"{comments}<!doctype html><script>")
