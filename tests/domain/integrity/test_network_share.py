"""Boards are preliminary while the gate has no reference, and the share cap holds only then."""

import pytest

from arena.domain.integrity.network_share import preliminary


@pytest.mark.parametrize(
    ("state", "reasons"),
    [
        ({"awake": True, "networks": 40}, []),
        ({"awake": True, "networks": 40, "closed": True}, []),
        ({"awake": False, "networks": 2}, ["young"]),
        ({"awake": False, "networks": 1}, ["one_network"]),
        ({"awake": False, "networks": 0}, ["one_network"]),
        ({"awake": False, "networks": 2, "closed": True}, ["closed"]),
    ],
)
def test_a_board_is_preliminary_until_the_gate_has_its_reference(state, reasons):
    assert preliminary(**state) == reasons
