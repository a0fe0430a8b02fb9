"""What libraries share that compute on the host's cores and on NVIDIA's GPUs: their devices, and a Session."""

from dataclasses import replace
from types import MappingProxyType

from accelbench.backends import Device, Unavailable, cuda, host


def devices(versions, whys, *, unusable=None):
    """[Device, ...]: the host's cores, and every CUDA device where there is any.

    versions  of the library, beside the driver's
    whys      function([Device, ...]) -> for each of the CUDA devices the Unavailable of the library, or None
    unusable  why it cannot use the host's cores, where it cannot
    """
    cores = Device("cpu", unusable=unusable)
    try:
        gpus = cuda.devices(versions)
    except Unavailable:
        return [cores]
    found = zip(gpus, whys(gpus), strict=True)
    return [cores, *(replace(gpu, unusable=str(why), remedy=why.remedy) if why else gpu for gpu, why in found)]


class Session(host.Session):
    """The host's cores. Where the device is a GPU, what is opened is an ON_GPU in its place.

    ON_GPU          the library's Session of a CUDA device
    HOST_VARIABLES  `variables` of the host
    """

    HOST_VARIABLES = MappingProxyType({})

    def __new__(cls, backend, device):
        return super().__new__(cls) if device.on_host else cls.ON_GPU(backend, device)

    @classmethod
    def variables(cls, device, threads):
        return {**cls.HOST_VARIABLES} if device.on_host else cls.ON_GPU.variables(device, threads)
