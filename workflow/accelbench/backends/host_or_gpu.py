"""Common code of libraries that compute on the host's cores and on NVIDIA's GPUs."""

from dataclasses import replace
from types import MappingProxyType

from accelbench.backends import Device, Unavailable, cuda, host


def devices(versions, reasons, *, unusable=None):
    """Return [Device, ...]: the host's cores, and the CUDA devices if there are any.

    versions  {name: version} of the library, recorded together with the driver's version
    reasons   function([Device, ...]) -> [Unavailable or None, ...]. It returns, for each CUDA device, the reason why
              the library cannot use the device, or None
    unusable  reason why the library cannot use the host's cores, or None
    """
    cores = Device("cpu", unusable=unusable)
    try:
        gpus = cuda.devices(versions)
    except Unavailable:
        return [cores]
    pairs = zip(gpus, reasons(gpus), strict=True)
    return [cores, *(replace(gpu, unusable=str(why), remedy=why.remedy) if why else gpu for gpu, why in pairs)]


class Session(host.Session):
    """A session of the host's cores. If the device is a GPU, the constructor returns an instance of ON_GPU instead.

    ON_GPU          the library's Session of a CUDA device
    HOST_VARIABLES  environment variables that `variables` returns for the host's cores
    """

    HOST_VARIABLES = MappingProxyType({})

    def __new__(cls, backend, device):
        return super().__new__(cls) if device.on_host else cls.ON_GPU(backend, device)

    @classmethod
    def variables(cls, device, threads):
        return {**cls.HOST_VARIABLES} if device.on_host else cls.ON_GPU.variables(device, threads)
