"""The verifier: a process that makes inputs and reference results, and compares workers' results with the reference.

Workers get only the inputs from the verifier, so that no implementation can access the reference results. The functions
of a kernel.py that compute references, tolerances and error metrics run only in the verifier. The coordinator itself
calls the functions that return shapes and costs. If kernel.py has neither `footprint_bytes` nor `bytes_moved`, the
coordinator calls `inputs` to determine the size of the arrays.
"""
