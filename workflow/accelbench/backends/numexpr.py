"""numexpr: expressions as strings, which its interpreter evaluates block by block on a pool of threads."""

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
        import numexpr  # imported lazily: every command imports this module

        self._numexpr = numexpr
        numexpr.set_num_threads(int(os.environ.get(THREADS, 1)))

    @staticmethod
    def variables(device, threads):
        """Return the variables of numexpr's pool. The second is the maximum that can be set later."""
        return {THREADS: str(threads or 1), "NUMEXPR_MAX_THREADS": str(threads or 1)}

    def settings(self):
        """Return also the use of VML, Intel's vector functions, which have other results and threads of their own."""
        vml = self._numexpr.get_vml_version() if self._numexpr.use_vml else None
        return super().settings() | {"numexpr_threads": self._numexpr.get_num_threads(), "numexpr_vml": vml}
