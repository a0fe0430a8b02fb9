"""Figures: their common style, and a Chart class for each kind, which draws a figure and returns its table."""
