from arena.adapters.observability.metrics import REGISTRY
from arena.domain.errors import StoreUnavailable
from arena.domain.schemas.battles import TurnFailedEvent, TurnReadyEvent
from arena.domain.terms import BattleState, TurnState
from arena.usecases.battles import battles, turn_run
from tests.usecases.battles.test_turns import play


def failing(runtime, work, times: int, *, after: bool = False):
    """Let the next writes of one kind fail, before they are done or after."""
    write = runtime.database.write
    left = [times]

    async def writing(asked, *arguments, **named):
        if asked is not work or not left[0]:
            return await write(asked, *arguments, **named)
        left[0] -= 1
        if after:
            await write(asked, *arguments, **named)
        raise StoreUnavailable(retry_after=5)

    runtime.database.write = writing


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


async def test_a_database_that_is_busy_for_a_while_loses_no_answer(runtime, voter, monkeypatch):
    monkeypatch.setattr(turn_run, "_PAUSES", (0, 0, 0))
    failing(runtime, turn_run._save, 3)
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)
    assert battle.turns[0].state is TurnState.READY


async def test_an_answer_whose_saving_was_not_confirmed_is_not_called_failed(runtime, voter, monkeypatch):
    monkeypatch.setattr(turn_run, "_PAUSES", (0,))
    failing(runtime, turn_run._save, 1, after=True)
    battle, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnReadyEvent)
    assert battle.turns[0].state is TurnState.READY


async def test_a_database_that_stays_away_ends_the_stream_with_its_reason(runtime, voter, monkeypatch):
    monkeypatch.setattr(turn_run, "_PAUSES", (0,))
    failing(runtime, turn_run._save, 9)
    before = value("arena_turns_total", end="store_unavailable")
    _, events = await play(runtime, voter)
    assert isinstance(events[-1], TurnFailedEvent)
    assert events[-1].code == "store_unavailable"
    await runtime.close(60)
    assert value("arena_turns_total", end="store_unavailable") == before + 1
    assert value("arena_running_turns") == 0


async def test_the_end_of_a_failed_turn_is_saved_as_patiently(runtime, voter, monkeypatch):
    monkeypatch.setattr(turn_run, "_PAUSES", (0, 0))
    failing(runtime, turn_run._save_failure, 2)
    runtime.providers = {}
    view = await battles.open_battle(runtime, voter, "Hello")
    await runtime.close(5)
    assert (await battles.look(runtime, voter, view.id)).state is BattleState.VOID
