"""Route of the pace at which battles show their answers."""

from __future__ import annotations

from fastapi import APIRouter

from arena.adapters.store import endpoints
from arena.api.contract import BASE
from arena.api.dependencies import RuntimeDep
from arena.domain.schemas.status import PaceView, SustainedRateView

router = APIRouter(prefix=BASE, tags=["models"])


@router.get("/pace")
async def get_pace(runtime: RuntimeDep) -> PaceView:
    """Return the pace of today's battles, and the models that are too slow for it."""
    pool, current = runtime.pace.pool, runtime.pace.current
    slow = await runtime.database.read(endpoints.by_id, pool.slow)
    return PaceView(
        rate=round(current.rate),
        start=current.start,
        segment=current.segment,
        by_hand=runtime.pace.rate > 0,
        sustained=[SustainedRateView(rate=rate, share=share) for rate, share in pool.sustained.items()],
        slow=sorted(row.name for row in slow.values()),
    )
