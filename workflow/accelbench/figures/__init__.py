"""Figures: their common style, and a class for each kind, which draws itself and returns its numbers as a table."""
