"""The scripted models of before retire, for other ones take their place; their votes and snapshots stay."""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

RETIRED = ("imported", "retired")
REASON = {"actor": "operator", "reason": "replaced by other practice models", "code": "practice_replaced"}


def upgrade() -> None:
    columns = (sa.column(name) for name in ("id", "demo", "dialect", "state"))
    endpoints = sa.table("endpoints", *columns)
    steps = sa.table(
        "endpoint_changes",
        *(sa.column(name) for name in ("endpoint_id", "before", "after", *REASON)),
        sa.column("created_at", sa.DateTime(timezone=True)),
    )
    old = sa.and_(endpoints.c.demo.is_(sa.true()), endpoints.c.dialect == "demo", endpoints.c.state.notin_(RETIRED))
    connection = op.get_bind()
    for number, state in connection.execute(sa.select(endpoints.c.id, endpoints.c.state).where(old)).all():
        connection.execute(endpoints.update().where(endpoints.c.id == number).values(state="retired"))
        step = {"endpoint_id": number, "before": state, "after": "retired", "created_at": datetime.now(UTC), **REASON}
        connection.execute(steps.insert().values(step))


def downgrade() -> None:
    """They stay retired: whoever serves the version before makes them active again."""
