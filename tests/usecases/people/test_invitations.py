"""Invitations: what has ended stays ended, whatever the clock says afterwards."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arena.domain.errors import InvitationRefused
from arena.usecases.people import invitations
from arena.usecases.people.sittings import EndedSittings
from tests.conftest import START


async def test_an_invitation_that_was_refused_as_ended_does_not_open_when_the_clock_is_set_back(database):
    token = await invitations.invite(database, "Class 7b", 3, 1, START)
    await invitations.take_seat(database, token, START + timedelta(hours=23))
    for hours, rule in ((25, "ended"), (25, "ended"), (23, "full")):
        with pytest.raises(InvitationRefused) as refusal:
            await invitations.take_seat(database, token, START + timedelta(hours=hours))
        assert refusal.value.params["rule"] == rule


async def test_a_member_by_invitation_stays_signed_out_as_long_as_the_cookie_lasts(database):
    ended = EndedSittings()
    token = await invitations.invite(database, "Class 7b", 3, invitations.DAYS, START)
    seat = await invitations.take_seat(database, token, START)
    sitting = await ended.begin(database, seat.subject)
    await ended.end(database, [sitting], START, everywhere=False)
    # Another sign-out forgets the ends of cookies that have expired; then the clock is set back by an hour.
    other = await ended.begin(database, "eve")
    await ended.end(database, [other], seat.until + timedelta(minutes=30), everywhere=False)
    assert ended.has_ended(sitting)
