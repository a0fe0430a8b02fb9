"""Kernels and implementations: finding them, reading their declarations, and writing skeletons of new ones."""
