rule make_report:
    input:
        machine="results/{machine}/machine.json",
        timings=expand("results/{{machine}}/timings/{kernel}.jsonl", kernel=KERNELS),
        kernels=expand("results/{{machine}}/kernels/{kernel}.json", kernel=KERNELS),
        package=get_package("analysis", "decide", "figures", "pages", "report"),
    output:
        html=report(
            "reports/{machine}/index.html",
            category="Report",
            caption="../report/index.rst",
            labels={"machine": "{machine}", "what": "the whole report"},
        ),
        figures=report(
            directory("reports/{machine}/figures/report"),
            patterns=["{name}.svg"],
            category="Figures",
            caption="../report/figures.rst",
            labels={"machine": "{machine}", "figure": "{name}"},
        ),
    log:
        "results/{machine}/logs/make_report.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=20,
    params:
        settings=get_sections(),
        results=lambda wildcards, input: str(Path(input.machine).parents[1]),
        reports=get_root(2),
    message:
        "Rendering the report of {wildcards.machine}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench report --machine {wildcards.machine} '
        "--results {params.results:q} --reports {params.reports:q} --settings {params.settings:q} --log {log:q}"
