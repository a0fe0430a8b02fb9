"""The configuration: its model, its reader, the choice that it makes among the kernels, and the plan of a run.

model     Config and its sections: every key with its type, default and explanation
reading   a Config from YAML files or plain data, or the message about a mistake in them
select    an EffectiveConfig for each kernel: its implementations, sizes, dtypes, options, block sizes
run_plan  the file by which Snakemake hands the configuration to its jobs
repeat    the configurations of earlier runs
"""

from accelbench.config.model import (
    REQUESTS,
    Build,
    Config,
    MachineRequest,
    Protocol,
    Repetitions,
    Section,
    Sweep,
    check_machine_name,
)
from accelbench.config.reading import parse, read, read_data, read_setting, typed, where

__all__ = ["REQUESTS", "Build", "Config", "MachineRequest", "Protocol", "Repetitions", "Section", "Sweep"]
__all__ += ["check_machine_name", "parse", "read", "read_data", "read_setting", "typed", "where"]
