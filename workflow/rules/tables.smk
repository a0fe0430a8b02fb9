# A table is a module of this folder; finding their names so imports none of them.
TABLES = sorted(path.stem for path in (WORKFLOW / "accelbench/analysis/tables").glob("[!_]*.py"))


rule make_tables:
    input:
        machine="results/{machine}/machine.json",
        timings=expand("results/{{machine}}/timings/{kernel}.jsonl", kernel=KERNELS),
        kernels=expand("results/{{machine}}/kernels/{kernel}.json", kernel=KERNELS),
    output:
        parquet="results/{machine}/tables/timings.parquet",
        csv=[
            report(
                f"results/{{machine}}/tables/{table}.csv",
                category="Tables",
                caption="../report/tables.rst",
                labels={"machine": "{machine}", "table": table},
            )
            for table in TABLES
        ],
    log:
        "results/{machine}/logs/make_tables.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=20,
    params:
        package=get_package("analysis", "export", "statistics", "store"),
        results=get_root(3),
    message:
        "Making the tables of {wildcards.machine}"
    shell:
        'PYTHONPATH="$ACCELBENCH_PATH${{PYTHONPATH:+:$PYTHONPATH}}" python -m accelbench tables --machine {wildcards.machine} '
        "--results {params.results:q} --log {log:q}"
