"""Figures of no kind: a module each, named after the figure's id with _ for -. It holds

view(entry, results)                 the views.View of the figure, as modules of accelbench.lectures.kinds have it
observe(parts, machine, scratch)     optional: look at something beside timings while the figure is measured

`observe` gets the needs.Need of each part, the Machine and a folder for temporary files. It returns plain data that are
added to the figure's measured.json; FigureResults.observed checks them by a model of the figure's own.
"""
