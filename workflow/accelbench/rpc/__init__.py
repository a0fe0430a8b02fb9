"""Calls between this package's processes. The coordinator calls methods of a worker or of the verifier by name.

`channel` has the frames, `messages` the values in frames, and `process` the caller's side. Workers import `channel` and
`messages`, which need no library but NumPy.
"""
