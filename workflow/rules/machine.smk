rule describe_machine:
    output:
        machine="results/{machine}/machine.json",
    log:
        "results/{machine}/logs/describe_machine.log",
    # Higher than the priority of builds, since builds and measurements wait for this job.
    priority: 3000
    conda:
        "../../envs/base.yaml"
    # The same number of cores as for measurements, since the description contains the number of usable cores.
    threads: get_cores
    resources:
        **node(mem_mb=2000, runtime=10),
    params:
        settings=digest_sections("build", "devices", "environments"),
        # A change of libraries, drivers or the processor changes what can be measured here.
        here=get_here,
        plans=get_plans,
    message:
        "Describing the machine {wildcards.machine}"
    shell:
        job("machine")
