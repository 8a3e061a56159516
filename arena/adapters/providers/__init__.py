"""Adapters that stream one chat request from one endpoint, one file per wire dialect."""
