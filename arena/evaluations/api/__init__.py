"""Routes of evaluations."""

from __future__ import annotations

from fastapi import APIRouter

from arena.evaluations.api import configurations, evaluations, operated_evaluations, questions

PUBLIC: tuple[APIRouter, ...] = (evaluations.router, questions.router, configurations.router)
OPERATED: tuple[APIRouter, ...] = (operated_evaluations.router,)
"""Routers that exist only if the operator has a key."""
