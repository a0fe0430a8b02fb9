"""numexpr: an interpreter that evaluates expressions, given as strings, block by block on a pool of threads."""

import os

from accelbench.backends import host

BACKENDS = {"numexpr": None}
PACKAGES = {"numexpr": ("numexpr",)}
ENVIRONMENT = "numexpr"
THREADS = "NUMEXPR_NUM_THREADS"
probe = host.probe


class Session(host.Session):
    """The host, with numexpr's pool of threads."""

    def __init__(self, backend, device):
        super().__init__(backend, device)
        import numexpr  # imported lazily: every command imports this module, but few need numexpr

        self._numexpr = numexpr
        numexpr.set_num_threads(int(os.environ.get(THREADS, 1)))

    @staticmethod
    def variables(device, threads):
        """Return the environment variables with the initial and the maximum number of numexpr's threads."""
        return {THREADS: str(threads or 1), "NUMEXPR_MAX_THREADS": str(threads or 1)}

    def settings(self):
        """Return the host's settings, the number of threads, and the version of VML (None if VML is not used).

        VML is Intel's library of vector functions. Results with VML differ from results without VML. VML has a separate
        pool of threads.
        """
        vml = self._numexpr.get_vml_version() if self._numexpr.use_vml else None
        return super().settings() | {"numexpr_threads": self._numexpr.get_num_threads(), "numexpr_vml": vml}
