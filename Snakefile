# accelbench: which way of accelerating a Python computation is fastest on this machine?
#
#   snakemake --cores all                                  everything, as config/config.yaml says
#   snakemake --cores all --configfile config/smoke.yaml   another configuration, instead of that one
#   snakemake --cores all profile                          where Python spends its time
#   snakemake --cores all lecture                          the figures of the lectures, as config/figures.yaml says
include: "workflow/rules/all.smk"


rule all:
    default_target: True
    input:
        TARGETS,
    message:
        "All targets are there"
