"""The configuration: its model, how it is read, and, in `config.select`, what it chooses of the kernels there are.

model    Config and its sections: every key with its type, its default and its explanation
reading  from a file, or plain data, to a Config, or to what is wrong with them, for a person
select   one EffectiveConfig a kernel: which implementations, sizes, dtypes, options, block sizes
"""

from accelbench.config.model import (
    REQUESTS,
    Build,
    Config,
    MachineRequest,
    Protocol,
    Section,
    Sweep,
    check_machine_name,
)
from accelbench.config.reading import parse, read, read_data, read_setting, typed, where

__all__ = ["REQUESTS", "Build", "Config", "MachineRequest", "Protocol", "Section", "Sweep", "check_machine_name"]
__all__ += ["parse", "read", "read_data", "read_setting", "typed", "where"]
