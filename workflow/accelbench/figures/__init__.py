"""Figures: how they look, and a class a figure, which draws itself and tells its numbers, whichever page shows it."""
