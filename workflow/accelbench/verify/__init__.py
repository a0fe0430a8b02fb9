"""The verifier: a process that makes inputs and reference results, and compares workers' results with the reference.

The verifier shares only the inputs with workers, so that no implementation can access the reference results. The
functions of a kernel.py run only in the verifier.
"""
