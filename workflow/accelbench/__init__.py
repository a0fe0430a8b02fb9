"""accelbench: which way of accelerating a Python computation is fastest on this machine, honestly measured."""

__version__ = "0.1.0"
