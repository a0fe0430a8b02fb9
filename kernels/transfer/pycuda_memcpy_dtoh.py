"""memcpy_dtoh: from memory that mem_alloc gave to a NumPy array that is there already, in pageable memory."""

from pycuda import driver


def convert(x):
    there = driver.mem_alloc(max(1, x.nbytes))  # 0 bytes cannot be allocated
    if x.size:
        driver.memcpy_htod(there, x)
    return (there,)


def run(x, out):
    if out.size:
        driver.memcpy_dtoh(out, x)
