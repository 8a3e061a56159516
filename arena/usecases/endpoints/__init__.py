"""Endpoints: registration by owners and the operator, built-in ones, versions, probes, approval and states."""
