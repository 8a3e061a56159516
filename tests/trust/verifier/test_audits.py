"""The gate's decisions are computed again from the published files, and a weight that is not the gate's is named."""

from __future__ import annotations

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import numpy as np
import pytest

from arena.adapters.store import endpoints
from arena.usecases.integrity.gate_rounds import GateState
from arena.usecases.votes import erasure
from arena_trust.integrity.audits import AuditFile, Audits
from tests.trust.verifier.arenas import PublishedArena, judged_arena, publish_after
from tests.usecases.integrity.test_gate_rounds import MONDAY, attacked, rounds, two_weeks


@pytest.fixture(scope="module")
def arena(tmp_path_factory) -> PublishedArena:
    return judged_arena(tmp_path_factory.mktemp("judged"), 3_000)


def test_decisions_are_computed_again_as_far_as_the_files_reach(arena):
    audit = arena.audit
    findings = arena.verified(audits=(audit,))
    assert findings.faults == []
    assert "are the gate's on 4200 votes" in str(findings)
    assert "to 2026-W02" in str(findings)
    assert "decisions on weights are taken as the log has them" in str(arena.verified())
    zipped = arena.folder / "audit.jsonl.gz"
    zipped.write_bytes(gzip.compress(audit.read_bytes()))
    assert arena.verified(audits=(zipped,)).holds


def changed(arena, tmp_path, change):
    """The findings with an audit file whose lines were changed."""
    lines = [json.loads(line) for line in arena.audit.read_text().splitlines()]
    path = tmp_path / "audit.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in change(lines)))
    return arena.verified(audits=(path,))


def test_a_file_that_ends_before_a_decision_leaves_it_open_and_one_after_all_is_a_fault(arena, tmp_path):
    early = changed(arena, tmp_path, lambda lines: [lines[0] | {"last_decision": 0}, *lines[1:]])
    assert "newer than the audit files: not checkable yet" in str(early)
    assert "weighs 1 by the log, and" in str(early)
    late = changed(arena, tmp_path, lambda lines: [lines[0] | {"last_decision": 10_000}, *lines[1:]])
    assert late.faults == ["decision 10000 of the audit file of 2026-W02 is not in the log"]


def test_votes_that_no_file_has_are_counted_and_files_that_are_none_are_one_error(arena, tmp_path):
    part = changed(arena, tmp_path, lambda lines: lines[:-7])
    assert "7 counted votes are in no audit file" in str(part)
    more = changed(arena, tmp_path, lambda lines: [*lines, lines[-1] | {"number": 99_999}])
    assert more.holds
    assert "1 vote of the audit files was not judged" in str(more)
    broken = changed(arena, tmp_path, lambda lines: [lines[0], {"number": 1}])
    assert broken.faults == ["The audit files have origins with fields missing."]
    assert len(arena.verified(audits=(arena.export,)).faults) == 1
    assert "nowhere: No such file" in arena.verified(audits=(tmp_path / "nowhere",)).unread


def test_decisions_of_an_unknown_gate_are_one_error(arena, tmp_path):
    unknown = changed(arena, tmp_path, lambda lines: [lines[0] | {"method": "pooled-gate-99"}, *lines[1:]])
    assert len(unknown.faults) == 1
    assert "2026-W02: the gate pooled-gate-99 is not known here" in unknown.faults[0]


def listing(value):
    """An operator's change of whether a model is listed."""

    def change(session) -> None:
        endpoints.by_name(session, "model-001").listed = value

    return lambda database: database.write(change)


async def erasing(database) -> None:
    """Erase three votes of the attackers."""
    theirs = (np.flatnonzero(attacked()[1]) + 1).tolist()
    for number in (theirs[0], theirs[20], theirs[-1]):
        await erasure.erase(database, number, by="the operator", now=MONDAY)


CHANGES = {
    "nothing": (None, None),
    "a model was taken off the board": (None, listing(False)),
    "a model was put on the board": (listing(False), listing(True)),
    "votes were erased": (None, erasing),
}


@pytest.mark.parametrize("change", CHANGES)
def test_decisions_are_computed_again_whatever_changed_between_two_weeks(tmp_path, change):
    async def weeks(database) -> None:
        with ThreadPoolExecutor(1) as executor:
            await two_weeks(database, executor, *CHANGES[change])

    arena = publish_after(tmp_path, weeks)
    findings = arena.verified(audits=arena.audits)
    assert findings.faults == []
    assert "2026-W03" in str(findings)
    judged = {"nothing": 4_800, "a model was put on the board": 4_800, "votes were erased": 4_797}
    assert f"are the gate's on {judged.get(change, '')}" in str(findings)


def test_a_vote_that_the_gate_weighs_less_and_that_no_audit_file_has_is_named(tmp_path):
    async def weeks(database) -> None:
        with ThreadPoolExecutor(1) as executor:
            await two_weeks(database, executor)

    arena = publish_after(tmp_path, weeks)
    log, bots = attacked()
    last = int(np.flatnonzero(bots & ((log.left == 10) | (log.right == 10)))[-1]) + 1
    kept = [line for line in arena.audit.read_text().splitlines(keepends=True) if f'"number":{last},' not in line]
    arena.audit.write_text("".join(kept))
    named = f"vote {last} weighs less by the gate's decision, and no audit file given has it"
    assert named in arena.verified(audits=arena.audits).faults


def test_a_vote_that_was_erased_after_its_decision_and_before_the_end_of_its_week_is_no_fault(tmp_path):
    async def decided_and_erased(database) -> None:
        with ThreadPoolExecutor(1) as executor:
            await rounds(database, GateState(), executor, MONDAY + timedelta(days=6))
        await erasing(database)

    async def weeks(database) -> None:
        with ThreadPoolExecutor(1) as executor:
            await two_weeks(database, executor, decided_and_erased)

    arena = publish_after(tmp_path, weeks)
    assert arena.verified(audits=arena.audits).faults == []


def test_votes_on_a_model_that_is_not_listed_are_not_joined_whichever_side_it_is_on():
    labels = {"network": None, "since": None, "language": "en", "check": None, "client": None}
    origin = {"day": "2026-03-02", "hour": 3, "voter": 1, "age": 0} | labels
    week = AuditFile("2026-W10", "any", 3, 0, frozenset({"ibis"}), dict.fromkeys((1, 2, 3), origin))
    votes = [(1, "ibis", "jay", 0, None), (2, "jay", "ibis", 0, None), (3, "jay", "gull", 0, None)]
    assert Audits([week]).joined(votes).number.tolist() == [3]
