"""accelbench: measure which way of accelerating a Python computation is fastest on this machine."""

__version__ = "0.1.0"
