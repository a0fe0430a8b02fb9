"""This machine: its hardware and software, the devices that backends find, and its state while it is measured.

Nothing here changes the machine. Clocks, power limits and governors are read and never set.
"""
