"""Processes that end with all they have started."""
