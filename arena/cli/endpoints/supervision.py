"""`arena endpoints`: list, changes, pending, and the operator's commands from approve to retire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.context import now, read, run
from arena.cli.endpoints.group import app
from arena.cli.endpoints.registration import LANGUAGE_HELP, VISION_HELP
from arena.cli.terminal.tables import AsJson, show
from arena.domain.operators import Act, ActKind
from arena.domain.terms import EndpointState, Use
from arena_trust.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from arena.adapters.store.engine import Database
    from arena.settings import Settings
    from arena.usecases.endpoints.states import Step

_KINDS: Final = {
    EndpointState.PAUSED: ActKind.ENDPOINT_PAUSED,
    EndpointState.ACTIVE: ActKind.ENDPOINT_RESUMED,
    EndpointState.SUSPENDED: ActKind.ENDPOINT_SUSPENDED,
    EndpointState.RETIRED: ActKind.ENDPOINT_RETIRED,
}
_Reason = Annotated[str | None, typer.Option(help="Reason, shown to the owner.")]


@app.command("list")
def list_endpoints(json: AsJson = False) -> None:
    """List all endpoints with their state and the results of recent calls."""
    from arena.cli.call_settings import open_keyring
    from arena.cli.endpoints import lists

    endpoints_ = run(lambda database, settings: database.read(lists.endpoints, open_keyring(settings)))
    show(endpoints_, lists.endpoint_cells, json=json)
    for endpoint in endpoints_ if not json else ():
        if endpoint.reason is not None:
            print(f"{endpoint.name} is {endpoint.state}: {endpoint.reason}")
        for remark in endpoint.remarks:
            print(remark)


@app.command()
def changes(name: str, json: AsJson = False) -> None:
    """List all changes of an endpoint's state, with author and reason."""
    from arena.cli.endpoints import lists

    show(read(lists.changes, name), json=json)


@app.command()
def approve(name: str, reason: _Reason = None) -> None:
    """Approve an endpoint that has passed its probe."""
    from arena.cli.endpoints import lists
    from arena.domain.errors import WrongState
    from arena.usecases.endpoints import approval, states

    async def act(database: Database, _settings: Settings) -> list[str]:
        number = await approval.number_of(database, name)
        try:
            await approval.approve(database, number, states.operator_step("approved", reason, now()))
        except WrongState as error:
            if waiting := await database.read(lists.waiting_version, number):
                raise WrongState(f"{error} {waiting!r} waits: arena endpoints approve {waiting!r}") from None
            raise
        return await database.read(lists.approved, number)

    print(*run(act, Act(ActKind.ENDPOINT_APPROVED, name, reason or "")), sep="\n")


@app.command()
def pending(json: AsJson = False) -> None:
    """List endpoints and changes that wait for approval, with warnings: well-known names, remarks of the probe."""
    from arena.cli.endpoints import lists

    show(read(lists.pending), lists.pending_cells, json=json)


@app.command("approve-changes")
def approve_changes(name: str, reason: _Reason = None) -> None:
    """Approve the pending changes of an endpoint."""
    from arena.usecases.endpoints import approval

    _settle_changes(approval.approve_changes, Act(ActKind.CHANGES_APPROVED, name, reason or ""), reason)
    print(f"{name} is changed.")


def _settle_changes(settle: Callable[[Database, int, Step], Awaitable[None]], act: Act, reason: str | None) -> None:
    """Let `settle` decide on the pending changes of the endpoint that the act names."""
    from arena.usecases.endpoints import approval, states

    async def work(database: Database, _settings: Settings) -> None:
        number = await approval.number_of(database, act.target)
        await settle(database, number, states.operator_step(act.kind, reason, now()))

    run(work, act)


@app.command("refuse-changes")
def refuse_changes(name: str, reason: _Reason = None) -> None:
    """Refuse the pending changes of an endpoint."""
    from arena.usecases.endpoints import approval

    _settle_changes(approval.refuse_changes, Act(ActKind.CHANGES_REFUSED, name, reason or ""), reason)
    print(f"{name} is not changed.")


@app.command()
def edit(
    name: str,
    language: Annotated[list[str] | None, typer.Option(help=f"{LANGUAGE_HELP} `any` alone lets it answer all.")] = None,
    vision: Annotated[bool | None, typer.Option("--vision/--no-vision", help=VISION_HELP)] = None,
    reason: _Reason = None,
) -> None:
    """Say which languages an endpoint can answer, and whether it sees images: it is drawn for such prompts."""
    from arena.domain.schemas.endpoints import AbilitiesRequest
    from arena.usecases.endpoints import approval, states

    request = AbilitiesRequest(languages=[] if language == ["any"] else language, vision=vision)

    async def act(database: Database, _settings: Settings) -> bool:
        number = await approval.number_of(database, name)
        step = states.operator_step("changed", reason, now(), fields=list(request.abilities))
        return await approval.set_abilities(database, number, request, step)

    done = Act(ActKind.ENDPOINT_CHANGED, name, reason or "")
    done.changed(**request.abilities | ({"languages": "any"} if request.languages == [] else {}))
    already = "" if run(act, done) else " already"
    if language:
        print(f"{name} answers{already}: {', '.join(language)}.")
    if vision is not None:
        print(f"{name} {'sees' if vision else 'does not see'} images{already}.")


@app.command("use")
def set_use(
    name: str,
    use: Use,
    daily_calls: Annotated[int | None, typer.Option(min=1, help="Most calls per day (UTC) for it.")] = None,
    off: Annotated[bool, typer.Option("--off", help="Allow it no longer.")] = False,
) -> None:
    """Let an endpoint be used for more than battles, with a cap of its own."""
    from arena.domain.schemas.endpoints import UseRequest
    from arena.usecases.endpoints import approval, uses

    async def act(database: Database, _settings: Settings) -> bool:
        number = await approval.number_of(database, name)
        return await uses.decide_use(database, number, use, UseRequest(allowed=not off, daily_calls=daily_calls))

    is_new = run(act, Act(ActKind.ENDPOINT_CHANGED, name, f"{use}: {'off' if off else 'on'}"))
    cap = "" if daily_calls is None else f", with {amount(daily_calls, 'call')} a day"
    if off:
        print(f"{name} takes part in {use} no longer." if is_new else f"{name} takes no part in {use} already.")
    else:
        print(f"{name} takes part in {use}{'' if is_new else ' already'}{cap}.")


@app.command("same-as")
def confirm_same(
    name: str,
    other: Annotated[str, typer.Argument(help="The model with the same weights.")],
    off: Annotated[bool, typer.Option("--off", help="Delete what was stated or confirmed of the two.")] = False,
) -> None:
    """Confirm that two endpoints serve the same weights, so that their page compares the two hosts."""
    from arena.domain.errors import NotFound
    from arena.usecases.endpoints import approval, same_weights

    async def act(database: Database, _settings: Settings) -> bool:
        number, _ = [await approval.number_of(database, model) for model in (name, other)]
        if not off:
            return await same_weights.confirm_same(database, number, other, now())
        if not await same_weights.refuse_same(database, number, other):
            raise NotFound(f"Nobody has stated that {name} and {other} serve the same weights.")
        return True

    is_new = run(act, Act(ActKind.ENDPOINT_CHANGED, name, f"same weights as {other}: {'off' if off else 'on'}"))
    count = "no longer count" if off else f"count{'' if is_new else ' already'}"
    print(f"{name} and {other} {count} as two hosts of the same weights.")


@app.command()
def pause(name: str, reason: _Reason = None) -> None:
    """Keep an endpoint out of new battles; its owner may resume it."""
    _set(name, EndpointState.PAUSED, reason)


@app.command()
def resume(name: str, reason: _Reason = None) -> None:
    """Let a paused, suspended or retired endpoint take part again."""
    _set(name, EndpointState.ACTIVE, reason)


@app.command()
def suspend(name: str, reason: _Reason = None) -> None:
    """Keep an endpoint out of new battles until an operator resumes it."""
    _set(name, EndpointState.SUSPENDED, reason)


@app.command()
def retire(name: str, reason: _Reason = None) -> None:
    """Retire an endpoint; its votes and ratings stay."""
    _set(name, EndpointState.RETIRED, reason)


def _set(name: str, state: EndpointState, reason: str | None) -> None:
    from arena.cli.call_settings import open_keyring
    from arena.cli.endpoints import lists
    from arena.domain.errors import WrongState
    from arena.usecases.endpoints import states

    async def act(database: Database, settings: Settings) -> list[str]:
        step, is_new = states.operator_step("by_command", reason, now()), True
        try:
            await states.set_state(database, name, state, step, must_change=True)
        except WrongState as error:
            if error.params.get("rule") != "already":
                raise
            is_new = False
        return await database.read(lists.state_lines, name, open_keyring(settings), is_new=is_new)

    for line in run(act, Act(_KINDS[state], name, reason or "")):
        print(line)
