"""Reasons that older versions stored as English sentences get the codes that pages translate."""

from __future__ import annotations

from alembic import command
from sqlalchemy import create_engine, text

from arena.adapters.store.migration import configuration

STORED = ["approved by the operator", "changed licence", "because I say so"]
ADD = """
INSERT INTO endpoint_changes (number, endpoint_id, after, actor, reason, created_at)
VALUES (:number, 1, 'active', 'operator', :reason, '2026-01-01')
"""


def test_sentences_without_parameters_get_their_codes_and_others_stay_as_they_are(tmp_path):
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    command.upgrade(configuration(url), "0003")
    engine = create_engine(url)
    with engine.begin() as connection:
        for number, reason in enumerate(STORED):
            connection.execute(text(ADD), {"number": number, "reason": reason})
    command.upgrade(configuration(url), "head")
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT reason, code FROM endpoint_changes ORDER BY number")).all()
    engine.dispose()
    assert rows == list(zip(STORED, ["approved", None, None], strict=True))
