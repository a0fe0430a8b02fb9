"""JSON of pyperf, version 1.0.

Each case with samples becomes a benchmark of pyperf, and each process of the case becomes a run. The values of a run
are the samples of the process, in seconds.

Source: pyperf's documentation, "pyperf file format" and "Benchmark metadata".
"""

from accelbench.export.samples import by_process
from accelbench.export.samples import timed as holds
from accelbench.model.record import case_id

VERSION = "1.0"


def document(results):
    """Return the results as a benchmark suite of pyperf.

    pyperf compares means of all samples. accelbench compares medians, which a few slow samples hardly change.
    """
    machine = results.machine
    about = {
        "cpu_count": machine.cpu.available,
        "cpu_model_name": machine.cpu.model,
        "hostname": machine.hostname,
        "platform": f"{machine.os}, kernel {machine.kernel}",
        "python_version": machine.python,
        "unit": "second",
    }
    return {
        "version": VERSION,
        "metadata": {name: _one_line(value) for name, value in about.items() if value},
        "benchmarks": [_benchmark(record) for record in results.records if holds(record)],
    }


def _benchmark(record):
    runs = [{"metadata": {"loops": loops}, "values": samples} for samples, loops in by_process(record)]
    about = {
        "name": case_id(record),
        "description": f"{record.kernel} by {record.implementation}, {record.dtype}, size {record.size}",
        "device": record.device,
    }
    return {"metadata": {name: _one_line(value) for name, value in about.items()}, "runs": runs}


def _one_line(value):
    """Return a text without its line breaks, because pyperf rejects line breaks. Return other values unchanged."""
    return " ".join(value.split()) if isinstance(value, str) else value
