"""Where it is measured: what this machine is, what it can run, what else it is doing meanwhile.

Nothing here changes the machine: clocks, power limits and governors are read, never set.
"""

from accelbench.machine.description import describe
from accelbench.machine.devices import probe
from accelbench.machine.identity import check as check_identity
from accelbench.machine.memory import free_memory_bytes
from accelbench.machine.processor import available_cpus
from accelbench.machine.software import fingerprint

__all__ = ["available_cpus", "check_identity", "describe", "fingerprint", "free_memory_bytes", "probe"]
