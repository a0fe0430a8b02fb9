"""Calls between this package's processes. The coordinator calls methods of a worker or of the verifier by name.

`channel` has the frames, `messages` the values in them, `process` the caller's side. Workers import the first two,
which need NumPy alone.
"""
