"""Signing out, as several processes see it."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from arena.adapters.store import voters
from arena.domain.sittings import ENDS_KEPT, INVITATION_DAYS
from arena.usecases.people.sittings import EndedSittings
from tests.conftest import START


async def test_another_process_knows_of_a_sign_out_at_its_next_look(database):
    here, there = EndedSittings(), EndedSittings()
    first, second, other = [await here.begin(database, person) for person in ("ada", "ada", "eve")]
    await here.end(database, [first], START, everywhere=False)
    assert not there.has_ended(first)
    await there.look(database)
    assert [there.has_ended(sitting) for sitting in (first, second, other)] == [True, False, False]
    await here.end(database, [second], START, everywhere=True)
    await there.look(database)
    new = await there.begin(database, "ada")
    assert [there.has_ended(sitting) for sitting in (first, second, new, other)] == [True, True, False, False]


async def test_two_who_sign_one_person_out_at_once_both_succeed(database):
    here, there = EndedSittings(), EndedSittings()
    sitting = await here.begin(database, "ada")
    await asyncio.gather(*(process.end(database, [sitting], START, everywhere=True) for process in (here, there)))
    assert await database.read(voters.sitting_generation, "ada") == 2


async def test_ends_are_forgotten_when_no_cookie_can_be_valid_any_more(database):
    ended = EndedSittings()
    for days, person in ((0, "ada"), (ENDS_KEPT.days + 1, "eve")):
        sitting = await ended.begin(database, person)
        await ended.end(database, [sitting], START + timedelta(days=days), everywhere=True)
    assert list(ended.generations) == ["eve"]
    assert timedelta(days=INVITATION_DAYS) < ENDS_KEPT
