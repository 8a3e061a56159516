"""Routes of evaluations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.evaluations.api import configurations, evaluations, operated_evaluations, questions

if TYPE_CHECKING:
    from fastapi import APIRouter

PUBLIC: tuple[APIRouter, ...] = (evaluations.router, questions.router, configurations.router)
OPERATED: tuple[APIRouter, ...] = (operated_evaluations.router,)
"""Routers that exist only if the operator has a key."""
