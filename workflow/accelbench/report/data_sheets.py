"""What makers say their devices can do, to be shown beside what was measured. No verdict and no fraction comes from it:
data sheets count boost clocks that a device seldom holds, and every byte of the bus."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DataSheet:
    """A device's peaks as its maker states them, dense, without sparsity.

    names           what drivers call it
    bytes_per_s     of its memory
    flop_per_s      {dtype: of its ordinary units}; what the source does not state is left out
    tensor_float64  of its tensor cores in float64, which matrix products may use; None without
    source, url     the document, by title and year, and where its maker has it
    """

    names: tuple[str, ...]
    bytes_per_s: float
    flop_per_s: dict[str, float]
    source: str
    url: str
    tensor_float64: float | None = None

    def stated(self, row):
        """(bytes or operations per second, those of tensor cores) for a row of peaks.csv, None if not stated."""
        if row.peak in MEMORY:
            return self.bytes_per_s, None
        if row.peak != RATE:
            return None, None
        return self.flop_per_s.get(row.dtype), self.tensor_float64 if row.dtype == "float64" else None


MEMORY, RATE = ("copy", "read", "triad", "write"), "matmul"
PAGES = "https://www.nvidia.com/en-us/data-center"  # each links the data sheet
V100 = ("NVIDIA V100 Tensor Core GPU, data sheet, 2020", f"{PAGES}/v100/")
A100_40 = ("NVIDIA A100 Tensor Core GPU, data sheet, 2020", f"{PAGES}/a100/")
A100 = ("NVIDIA A100 Tensor Core GPU, data sheet, 2021", f"{PAGES}/a100/")
H100_PCIE = ("NVIDIA H100 Tensor Core GPU, data sheet, 2023", f"{PAGES}/h100/")
H100 = ("NVIDIA H100 Tensor Core GPU, data sheet, 2024", f"{PAGES}/h100/")
H200 = ("NVIDIA H200 Tensor Core GPU, data sheet, 2024", f"{PAGES}/h200/")
L4 = ("NVIDIA L4 Tensor Core GPU, data sheet, 2023", f"{PAGES}/l4/")
L40S = ("NVIDIA L40S GPU, data sheet, 2023", f"{PAGES}/l40s/")
ADA = (
    "NVIDIA Ada GPU Architecture, white paper, 2023",  # float64 as a 64th of float32
    "https://images.nvidia.com/aem-dam/Solutions/geforce/ada/nvidia-ada-gpu-architecture.pdf",
)


def _gpu(*names, memory, float64=None, float32, tensor=None, document):
    """The DataSheet of NVIDIA's numbers: GB/s, and TFLOPS."""
    rates = {"float64": float64, "float32": float32}
    return DataSheet(
        names=names,
        bytes_per_s=memory * 1e9,
        flop_per_s={dtype: rate * 1e12 for dtype, rate in rates.items() if rate is not None},
        tensor_float64=tensor and tensor * 1e12,
        source=document[0],
        url=document[1],
    )


SHEETS = (
    _gpu("Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB", memory=900, float64=7.8, float32=15.7, document=V100),
    _gpu("Tesla V100-PCIE-16GB", "Tesla V100-PCIE-32GB", memory=900, float64=7, float32=14, document=V100),
    _gpu("Tesla V100S-PCIE-32GB", memory=1134, float64=8.2, float32=16.4, document=V100),
    _gpu("NVIDIA A100-SXM4-40GB", "NVIDIA A100-PCIE-40GB", "A100-SXM4-40GB", "A100-PCIE-40GB",
         memory=1555, float64=9.7, float32=19.5, tensor=19.5, document=A100_40),
    _gpu("NVIDIA A100 80GB PCIe", memory=1935, float64=9.7, float32=19.5, tensor=19.5, document=A100),
    _gpu("NVIDIA A100-SXM4-80GB", memory=2039, float64=9.7, float32=19.5, tensor=19.5, document=A100),
    _gpu("NVIDIA H100 80GB HBM3", memory=3350, float64=34, float32=67, tensor=67, document=H100),
    _gpu("NVIDIA H100 NVL", memory=3900, float64=30, float32=60, tensor=60, document=H100),
    _gpu("NVIDIA H100 PCIe", memory=2000, float64=26, float32=51, tensor=51, document=H100_PCIE),
    _gpu("NVIDIA H200", memory=4800, float64=34, float32=67, tensor=67, document=H200),
    _gpu("NVIDIA H200 NVL", memory=4800, float64=30, float32=60, tensor=60, document=H200),
    _gpu("NVIDIA L4", memory=300, float32=30.3, document=L4),
    _gpu("NVIDIA L40S", memory=864, float32=91.6, document=L40S),
    _gpu("NVIDIA GeForce RTX 4090", memory=1008, float64=1.29, float32=82.6, document=ADA),
)  # fmt: skip
BY_NAME = {name: sheet for sheet in SHEETS for name in sheet.names}


def of(device):
    """The DataSheet of a device as results call it, one of several alike ("NVIDIA H200 #2") or the only one; None where
    none is known."""
    return BY_NAME.get(device.rpartition(" #")[0] or device)


def beside(rows):
    """({(case, peak): what DataSheet.stated tells}, [sources]) of those rows of peaks.csv whose devices are known."""
    known = [(row, sheet) for row in rows if (sheet := of(row.device))]
    stated = {(row.case, row.peak): sheet.stated(row) for row, sheet in known}
    return {key: rates for key, rates in stated.items() if rates[0]}, list(dict.fromkeys(s.source for _, s in known))
