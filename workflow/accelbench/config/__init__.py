"""Configuration: its model, its reader, the selection of kernels and cases, and the plan of a run.

model     Config and its sections: every key with its type, default and explanation
reading   reads a Config from YAML files or plain data, and explains mistakes in them
select    an EffectiveConfig for each kernel: its implementations, sizes, dtypes, options, block sizes
run_plan  file that passes the configuration from Snakemake to its jobs
repeat    configurations of earlier runs
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
