"""The inputs and the expected results of one problem, generated once and shared read-only with all workers.

A memfd holds them: it needs no name, lives as long as somebody has it open, and workers map it without a copy.
"""

import mmap
import os
import zlib

import numpy as np

from accelbench.measure.workers import Failed

ALIGNMENT = 64


class Shared:
    """Inputs, reference results and tolerances of one problem and one seed, in a memfd of this process.

    `which` counts the seeds of a problem; `exact` asks for the kernel's exact inputs, where it has such. `message` is
    what a worker needs to attach. InputError where one of kernel.py's functions fails, Failed where
    there is not the memory.
    """

    def __init__(self, folder, problem, seed, which, exact=False):
        rng = np.random.default_rng([seed, zlib.crc32(problem.id.encode()), which])
        size, dtype, options = problem.size, problem.dtype, problem.options
        try:
            inputs = folder.inputs(size, dtype, rng, options, exact)
            expected = folder.expected(size, dtype, options, inputs)
            tolerance = folder.tolerance(size, dtype, options, inputs, expected, exact)
            outputs = folder.outputs(size, dtype, options)
        except MemoryError as error:
            what = f"the inputs and the reference of {problem.id} do not fit into memory"
            raise Failed("out_of_memory", what, alive=True) from error
        parts = {f"input:{name}": np.asarray(value) for name, value in inputs.items()}
        parts |= {f"expected:{output.name}": np.asarray(e) for output, e in zip(outputs, expected, strict=True)}
        parts |= {f"tolerance:{output.name}": np.asarray(t) for output, t in zip(outputs, tolerance, strict=True)}
        layout, end = {}, 0
        for name, array in parts.items():
            layout[name] = (end, array.dtype.str, array.shape)
            end += -(-max(array.nbytes, 1) // ALIGNMENT) * ALIGNMENT
        self._file = os.memfd_create(f"accelbench {problem.id}", os.MFD_CLOEXEC)
        os.ftruncate(self._file, end)
        with mmap.mmap(self._file, end) as memory:
            for name, array in parts.items():
                offset, *_ = layout[name]
                view = np.frombuffer(memory, array.dtype, array.size, offset)
                view[:] = array.reshape(-1)
                del view
        self.nbytes = end
        self.message = {
            "path": f"/proc/{os.getpid()}/fd/{self._file}",
            "nbytes": end,
            "layout": layout,
            "outputs": [(o.name, o.shape, o.dtype, o.inout) for o in outputs],
            "location": folder.spec.location,
            "judged": {"folder": str(folder.path), "size": size, "dtype": dtype, "options": options}
            if "judged" in folder.functions
            else None,
        }

    def close(self):
        os.close(self._file)
