"""Slides: every figure on a page of 16:9, with its title, the machine, date and commit, and the source beside it.

code      the lines of a source that a slide shows, in colour
layout    a chart and its source on a page; what does not fit beside it stands on a page of its own
figures   which slides there are: of the lectures' figures, and of the report's
states    the slide of a state of the page where one decides
writing   their files, one PDF of all, and a deck in Markdown
"""
