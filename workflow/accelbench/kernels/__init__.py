"""Kernels and implementations: finding them, reading what they declare, laying out new ones."""
