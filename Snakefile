# accelbench: which way of accelerating a Python computation is fastest on this machine?
#
#   snakemake --cores all                                  everything, as config/config.yaml says
#   snakemake --cores all --configfile config/smoke.yaml   another configuration, instead of that one
#   snakemake --cores all profile                          where Python spends its time
#   snakemake --cores all lecture                          the figures of the lectures, as config/figures.yaml says
from snakemake.utils import min_version

min_version("9.27")


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/machine.smk"
include: "workflow/rules/build.smk"
include: "workflow/rules/measure.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/profile.smk"
include: "workflow/rules/lecture.smk"


rule all:
    default_target: True
    input:
        get_targets(),
    message:
        "All targets are there"
