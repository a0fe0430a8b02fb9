"""The verifier, a process of its own: makes inputs, knows what is right, and compares.

It shares no memory with workers, so that no implementation gets at what it is compared with; and whatever the functions
of a kernel.py do, they do it there.
"""
