import pytest

from benchmarks.gate.schools import frame


@pytest.mark.parametrize(("seed", "share"), [(20_006, 0.05), (20_003, 0.1)])
def test_attackers_who_sink_a_model_from_a_school_make_nobody_elsewhere_look_guilty(seed, share):
    school = frame(seed, share)
    assert school.undefended < -60
    assert abs(school.gated) < abs(school.undefended) / 4
    assert school.largest < school.honest + 5
    assert school.lost < 1
