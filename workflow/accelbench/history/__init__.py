"""Several runs of one machine, over time or versions: when which cases changed, by `compare`'s rule.

timeline  the runs in their order, and the change points of every case
page      the page, with a figure a kernel
terminal  what is printed
"""
