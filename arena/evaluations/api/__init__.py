"""Routes of evaluations."""

from __future__ import annotations

from fastapi import APIRouter

from arena.evaluations.api import configurations, evaluations, operated_evaluations, questions

ROUTERS: tuple[APIRouter, ...] = tuple(
    module.router for module in (evaluations, questions, configurations, operated_evaluations)
)
