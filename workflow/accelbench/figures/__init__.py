"""Common style of all figures, and a Chart class for each kind of figure.

A Chart draws the figure and returns a table of the figure's numbers.
"""
