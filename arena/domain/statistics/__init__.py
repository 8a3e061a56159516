"""Figures of counts that several rooms need."""
