"""Figures: how they look, and how each is drawn from plain numbers."""
