"""The verifier, a separate process that makes inputs and references, and compares results with them.

It shares no memory with workers but inputs, so that no implementation can reach the references. The functions of a
kernel.py run only there.
"""
