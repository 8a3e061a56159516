"""Circuit breaker, bulkhead and Retry-After of an endpoint: each rule alone, and all of them against a naive model."""

import math

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from arena.adapters.breaker import LONGEST_REST, Breaker, BreakerRules, CallVerdict, CircuitBreakers

ONE, OTHER = 1, 2


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def health(clock):
    return CircuitBreakers(BreakerRules(at_once=3), clock)


def call(health, verdict, endpoint=ONE, **how):
    calls = health.enter([endpoint])
    assert calls is not None
    calls[endpoint].report(verdict, **how)
    calls[endpoint].close()


def open_it(health, endpoint=ONE):
    for _ in range(10):
        call(health, CallVerdict.FAULT, endpoint)


def breaker(health, endpoint=ONE):
    return health.condition(endpoint).breaker


def test_ten_failures_in_thirty_seconds_open_it_and_no_other(health):
    for _ in range(9):
        call(health, CallVerdict.FAULT)
    assert health.callable(ONE)
    call(health, CallVerdict.FAULT)
    assert not health.callable(ONE)
    assert health.callable(OTHER)
    assert health.enter([ONE, OTHER]) is None
    assert health.condition(OTHER).in_flight == 0


def test_failures_that_are_spread_do_not_open_it(health, clock):
    for _ in range(40):
        call(health, CallVerdict.FAULT)
        clock.now += 3.4
    assert health.callable(ONE)


def test_what_is_not_the_endpoints_fault_never_opens_it(health):
    for _ in range(100):
        call(health, CallVerdict.NOTHING)
        call(health, CallVerdict.WELL)
    assert health.callable(ONE)


def test_a_hopeless_endpoint_is_open_at_once(health):
    call(health, CallVerdict.HOPELESS)
    assert breaker(health) is Breaker.OPEN


def test_a_probe_may_begin_every_ten_seconds_and_one_at_a_time(health, clock):
    open_it(health)
    assert health.due() == []
    assert health.probe(ONE) is None
    clock.now += 10
    assert health.due() == [ONE]
    probe = health.probe(ONE)
    assert breaker(health) is Breaker.HALF_OPEN
    clock.now += 60
    assert health.probe(ONE) is None
    assert not health.callable(ONE)
    probe.close()
    assert breaker(health) is Breaker.OPEN


def test_a_good_probe_closes_and_a_bad_one_opens_again(health, clock):
    open_it(health)
    clock.now += 10
    bad = health.probe(ONE)
    bad.report(CallVerdict.FAULT)
    bad.close()
    assert breaker(health) is Breaker.OPEN
    clock.now += 9.9
    assert health.probe(ONE) is None
    clock.now += 0.2
    good = health.probe(ONE)
    good.report(CallVerdict.WELL)
    good.close()
    assert breaker(health) is Breaker.CLOSED
    assert health.callable(ONE)


def test_after_closing_it_takes_ten_new_failures(health, clock):
    open_it(health)
    clock.now += 10
    probe = health.probe(ONE)
    probe.report(CallVerdict.WELL)
    probe.close()
    for _ in range(9):
        call(health, CallVerdict.FAULT)
    assert health.callable(ONE)


def test_a_late_answer_of_an_earlier_call_decides_nothing(health):
    early = health.enter([ONE])[ONE]
    open_it(health)
    early.report(CallVerdict.WELL)
    early.close()
    assert breaker(health) is Breaker.OPEN


def test_an_endpoint_rests_for_as_long_as_it_said(health, clock):
    call(health, CallVerdict.FAULT, rest=42)
    assert not health.callable(ONE)
    clock.now += 41.9
    assert not health.callable(ONE)
    clock.now += 0.2
    assert health.callable(ONE)


@pytest.mark.parametrize("seconds", [1e12, math.inf])
def test_no_rest_is_longer_than_an_hour(health, clock, seconds):
    call(health, CallVerdict.FAULT, rest=seconds)
    clock.now += LONGEST_REST
    assert health.callable(ONE)


def test_a_full_endpoint_takes_no_more_until_one_leaves(health):
    calls = [health.enter([ONE])[ONE] for _ in range(3)]
    assert health.enter([ONE]) is None
    assert health.condition(ONE).in_flight == 3
    calls[0].close()
    calls[0].close()
    assert health.condition(ONE).in_flight == 2
    assert health.enter([ONE]) is not None


class Model(RuleBasedStateMachine):
    """Reference implementation of the rules, which keeps the whole history and searches it every time."""

    def __init__(self):
        super().__init__()
        self.clock = Clock()
        self.health = CircuitBreakers(BreakerRules(failures=3, window=30, pause=10, at_once=2), self.clock)
        self.calls = []
        self.probe = None
        self.faults = []
        self.open = False
        self.tried = self.rest = -math.inf

    @property
    def may(self):
        return not self.open and self.clock.now >= self.rest and len(self.calls) < 2

    @property
    def may_probe(self):
        return self.open and self.probe is None and self.clock.now >= max(self.tried + 10, self.rest)

    @rule(seconds=st.integers(0, 15))
    def wait(self, seconds):
        self.clock.now += seconds

    @rule()
    def enter(self):
        calls = self.health.enter([ONE])
        assert (calls is not None) == self.may
        if calls:
            self.calls.append(calls[ONE])

    @precondition(lambda self: self.calls)
    @rule(verdict=st.sampled_from(CallVerdict), rest=st.one_of(st.none(), st.integers(0, 20)), leaves=st.booleans())
    def hear(self, verdict, rest, leaves):
        self.calls[0].report(verdict, rest=rest)
        if rest is not None:
            self.rest = max(self.rest, self.clock.now + rest)
        if not self.open and verdict in {CallVerdict.FAULT, CallVerdict.HOPELESS}:
            self.faults.append(self.clock.now)
            recent = [at for at in self.faults if at > self.clock.now - 30]
            if verdict is CallVerdict.HOPELESS or len(recent) >= 3:
                self.open, self.tried = True, self.clock.now
        if leaves:
            self.calls.pop(0).close()

    @rule()
    def begin_probe(self):
        probe = self.health.probe(ONE)
        assert (probe is not None) == self.may_probe
        if probe:
            self.probe, self.tried = probe, self.clock.now

    @precondition(lambda self: self.probe)
    @rule(verdict=st.sampled_from([*CallVerdict, None]))
    def end_probe(self, verdict):
        if verdict:
            self.probe.report(verdict)
        self.probe.close()
        self.open, self.probe, self.faults = verdict is not CallVerdict.WELL, None, []

    @invariant()
    def agrees(self):
        assert self.health.callable(ONE) == self.may
        assert self.health.due() == ([ONE] if self.may_probe else [])
        assert self.health.condition(ONE).in_flight == len(self.calls) + (self.probe is not None)
        expected = Breaker.CLOSED if not self.open else Breaker.HALF_OPEN if self.probe else Breaker.OPEN
        assert self.health.condition(ONE).breaker is expected


TestAgainstAModel = Model.TestCase
TestAgainstAModel.settings = settings(max_examples=100, stateful_step_count=60)


@pytest.mark.heavy
class TestLongAgainstAModel(Model.TestCase):
    settings = settings(max_examples=3_000, stateful_step_count=60)
