"""Processes that end together with all processes that they started."""
