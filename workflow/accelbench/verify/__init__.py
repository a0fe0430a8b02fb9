"""The verifier, a separate process that makes inputs and reference results, and compares results with them.

It shares only the inputs with workers, so that no implementation can access the reference results. The functions of a
kernel.py run only in this process.
"""
