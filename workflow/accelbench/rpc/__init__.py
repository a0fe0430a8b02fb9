"""How this package's processes call each other: frames (`channel`), messages to workers (`messages`) and to the
verifier (`truth`), and the caller's side (`process`, `reading`). Workers import the first two, which need NumPy alone.
"""
