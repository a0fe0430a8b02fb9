"""Kernels and implementations: find them, read their declarations, and write skeletons of new kernels."""
