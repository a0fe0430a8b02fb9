rule describe_machine:
    output:
        machine="results/{machine}/machine.json",
    log:
        "results/{machine}/logs/describe_machine.log",
    # Higher than that of builds: nothing else of a machine can begin before.
    priority: 3000
    conda:
        "../../envs/base.yaml"
    # As measurements do: how many cores there are to use is part of the description.
    threads: get_all_cores
    resources:
        **NODE,
        mem_mb=2000,
        runtime=10,
    params:
        settings=get_sections("build", "devices", "environments"),
        # Whatever changes this changes what can be measured here: libraries, drivers, processor.
        here=get_here,
        results=get_root(2),
    message:
        "Describing the machine {wildcards.machine}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench machine --machine {wildcards.machine} '
        "--results {params.results:q} --settings {params.settings:q} --log {log:q}"
