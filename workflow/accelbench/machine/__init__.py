"""Where it is measured: what this machine is, what it can run, what else it is doing meanwhile.

Nothing here changes the machine: clocks, power limits and governors are read, never set.
"""
