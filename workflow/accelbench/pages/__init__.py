"""What every HTML page of ours shares, whatever it shows: report, lectures and compare import this room, and each
other never.

page     renders a room's template with the shared filters, style sheet and script, all within one file; explains the
         words of docs/glossary.md where they stand
machine  what a reader wants to know of a machine
source   sources as highlighted HTML
copies   copies pages that Cython wrote beside a report

templates/macros.html.jinja holds what templates share: a figure with its numbers, an implementation's chip, a command.
"""
