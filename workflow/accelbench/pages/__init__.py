"""Parts that all HTML pages share. The packages report, lectures and compare import this package, but not each other.

page      rendering of a template as one file, with the shared filters, style sheet, script and glossary
pictures  figures on pages, and files of figures
machine   description of a machine
spread    sentence on the difference between two runs
source    sources as highlighted HTML
copies    copies of annotated pages of Cython

templates/macros.html.jinja has the macros that templates share: a figure with its numbers, an implementation's label, a
command.
"""
