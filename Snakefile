# accelbench: which way of accelerating a Python computation is fastest on this machine?
#
#   snakemake --cores all                                  the sweep of config/config.yaml and its report
#   snakemake --cores all --configfile config/smoke.yaml   another configuration instead
#   snakemake --cores all profile                          the functions in which Python spends its time
#   snakemake --cores all lecture                          the figures of config/figures.yaml
include: "workflow/rules/all.smk"


rule all:
    default_target: True
    input:
        TARGETS,
    message:
        "All targets are there"
