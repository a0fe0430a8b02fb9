"""Calls between this package's processes. The coordinator calls methods of a worker or of the verifier by name.

The module `channel` sends and receives frames, `messages` defines the values in frames, and `process` is the caller's
side. Workers import `channel` and `messages`, which need no library except NumPy.
"""
