"""Kernels and implementations: search, reading of their declarations, and skeletons of new ones."""
