rule describe_machine:
    output:
        machine="results/{machine}/machine.json",
    log:
        "results/{machine}/logs/describe_machine.log",
    conda:
        "../../envs/base.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        settings=get_sections("build"),
        # Whatever changes this changes what can be measured here: libraries, drivers, processor.
        fingerprint=FINGERPRINT,
        results=get_root(2),
    message:
        "Describing the machine {wildcards.machine}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench machine --machine {wildcards.machine} '
        "--results {params.results:q} --settings {params.settings:q} --log {log:q}"
