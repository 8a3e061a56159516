"""`arena evaluations invite|annotators|revoke|take-back`: the people who annotate."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import urlsplit

import typer

from arena.cli.context import now, run
from arena.cli.terminal.command_groups import command_group
from arena.cli.terminal.tables import AsJson, show, show_json
from arena.domain.operators import Act, ActKind
from arena.domain.site import is_loopback
from arena.evaluations.domain.terms import LEAST_CHECKED, LEAST_CONSISTENCY
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.adapters.store.engine import Database
    from arena.settings import Settings


class Rule(StrEnum):
    """A published rule by which people are left out."""

    TENCENT = "tencent"


LOWEST: Final = "of two attempts it is 0.5 at least"
"""Sentence on the lowest consistency that there is."""
app = command_group("Have models answer questions, and people judge the answers under a protocol.")


@dataclass(frozen=True, slots=True)
class Invitation:
    """The secret link of an annotator."""

    annotator: str
    link: str


def link_of(settings: Settings, secret: str) -> str:
    """The link of an annotator; browsers do not send the fragment with the secret, so no log has it."""
    return f"{settings.address}/annotate#{secret}"


def warn_of_loopback(settings: Settings) -> None:
    """Print on standard error that only this machine can open the links, where that is so."""
    if is_loopback(urlsplit(settings.address).hostname or ""):
        print(
            "Only this machine can open these links: set ARENA_PUBLIC_URL to the address that others use.",
            file=sys.stderr,
        )


@app.command()
def invite(
    name: str,
    number: Annotated[int, typer.Option(min=1, help="How many annotators.")] = 1,
    reviewer: Annotated[bool, typer.Option("--reviewer", help="They get what others disagree about.")] = False,
    team: Annotated[str, typer.Option(help="What they are, such as onsite or crowd, as the report compares.")] = "",
    hints: Annotated[bool, typer.Option("--hints/--no-hints", help="Whether they see hints and references.")] = True,
    area: Annotated[list[str] | None, typer.Option(help="Area that they know, by default all; repeatable.")] = None,
    json: AsJson = False,
) -> None:
    """Print one secret link for each new annotator; it is shown this once."""
    from arena.evaluations.usecases.people import annotators as annotator_acts

    async def act(database: Database, settings: Settings) -> list[Invitation]:
        invitation = annotator_acts.InvitationTerms(reviewer, team, hints, tuple(area or ()))
        links = await annotator_acts.invite(database, name, number, now(), invitation)
        warn_of_loopback(settings)
        return [Invitation(label, link_of(settings, link)) for label, link in links]

    invitations = run(act, Act(ActKind.ANNOTATORS_INVITED, name))
    if json:
        show_json(invitations)
        return
    for invitation in invitations:
        print(f"{invitation.annotator}: {invitation.link}")


@app.command()
def annotators(name: str, json: AsJson = False) -> None:
    """List annotators; one with many networks a day has perhaps passed the link on."""
    from arena.evaluations.usecases.people import annotators as annotator_acts

    show(run(lambda database, _settings: annotator_acts.states(database, name)), json=json)


@app.command()
def revoke(name: str, annotator: Annotated[str, typer.Argument(help="Number of the annotator.")]) -> None:
    """End the link of an annotator; what came by it stays."""
    from arena.evaluations.usecases.people import annotators as annotator_acts

    run(
        lambda database, _settings: annotator_acts.revoke(database, name, annotator, now()),
        _revocation(name, annotator),
    )
    print(f"The link of annotator {annotator} works no longer.")


@app.command("take-back")
def take_back(
    name: str,
    annotator: Annotated[str, typer.Argument(help="Number of the annotator.")],
    reason: Annotated[str, typer.Option(help="Reason, which the file of the evaluation tells.")],
) -> None:
    """End the link of an annotator and withdraw all annotations that came by it: others get the items."""
    from arena.evaluations.usecases.people import annotators as annotator_acts

    act = _revocation(name, annotator, reason)
    number = run(lambda database, _settings: annotator_acts.take_back(database, name, annotator, reason, now()), act)
    print(f"{amount(number, 'annotation')} of annotator {annotator} withdrawn.")


@app.command()
def redistribute(
    name: str,
    consistency: Annotated[
        float, typer.Option(min=0, max=1, help=f"Least share of the most frequent answer among repeats; {LOWEST}.")
    ] = LEAST_CONSISTENCY,
    right: Annotated[
        float, typer.Option(min=0, max=1, help="Least share of answers in line with the consensus.")
    ] = 0.5,
    preset: Annotated[
        Rule | None, typer.Option(help="Instead of thresholds: on both lists of TencentLLMEval, wrong and leaning.")
    ] = None,
    important: Annotated[list[str] | None, typer.Option(help="Area of important tasks, for the preset.")] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run/--withdraw", help="Only say who is below, or withdraw their annotations for good."),
    ] = True,
) -> None:
    """Leave out whoever falls below the thresholds, or answers like a random clicker: others get their items."""
    from arena.evaluations.usecases.people import redistribution

    if preset is Rule.TENCENT:
        _disqualify(name, important, dry_run=dry_run)
        return
    from arena.evaluations.usecases.reports.report import report

    limits = redistribution.Thresholds(consistency=consistency, right=right)

    async def act(database: Database, _settings: Settings) -> tuple[list[tuple[str, str, int]], list[tuple[str, str]]]:
        records = (await report(database, name)).annotators
        few = redistribution.too_few(records, limits)
        if dry_run:
            numbers = {record.label: record.annotations for record in records}
            below = redistribution.below_limits(records, limits)
            return [(label, reason, numbers[label]) for label, reason in below], few
        return await redistribution.redistribute(database, name, records, limits, now()), few

    revocation = None if dry_run else Act(ActKind.ANNOTATOR_REVOKED, name, "below the thresholds")
    show_left_out(*run(act, revocation), dry_run=dry_run)


def _disqualify(name: str, important: list[str] | None, *, dry_run: bool) -> None:
    """Leave out annotators on both lists of TencentLLMEval, and print the size of each list."""
    from arena.evaluations.usecases.people import tencent_rule

    areas = tuple(important or tencent_rule.IMPORTANT)
    verdict = run(lambda database, _settings: tencent_rule.tencent_verdict(database, name, areas))
    counts = f"{len(verdict.by_overlap)} by overlap, {len(verdict.by_lean)} by GSB, {len(verdict.both)} on both"
    print(f"TencentLLMEval's lists: {counts}.")
    if verdict.panel:
        print(f"Reviewers get what is withdrawn: {'; '.join(verdict.panel)}.")
    if dry_run:
        print("Nothing was withdrawn; --withdraw does it, for good.")
    else:
        act = Act(ActKind.ANNOTATOR_REVOKED, name, "on both lists of TencentLLMEval")
        show_left_out(
            run(lambda database, _settings: tencent_rule.disqualify(database, name, verdict, now()), act),
            [],
            dry_run=False,
        )


def show_left_out(people: Sequence[tuple[str, str, int]], few: Sequence[tuple[str, str]], *, dry_run: bool) -> None:
    """Print who is left out, and by `few` who is not since it takes more answers."""
    for label, reason, number in people:
        print(f"{label}: {reason}; {amount(number, 'annotation')} {'to withdraw' if dry_run else 'withdrawn'}.")
    for label, reason in few:
        print(f"{label}: {reason}; nobody is left out by fewer than {LEAST_CHECKED} answers.")
    if people and dry_run:
        print("Nothing was withdrawn; --withdraw does it, for good.")
    elif not people and not few:
        print("Nobody is left out: no one, or everyone, is below the thresholds.")


def _revocation(name: str, annotator: str, reason: str = "") -> Act:
    return Act(ActKind.ANNOTATOR_REVOKED, f"{name}/{annotator}", reason)
