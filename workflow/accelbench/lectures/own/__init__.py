"""Figures of no kind: a function each, in a module named like the lecture; accelbench.lectures.kinds describes both."""
