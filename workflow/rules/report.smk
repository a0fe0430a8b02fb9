# Make the folder that `snakemake --report` packs. The pages link to each other and to other files in their folder, so
# Snakemake packs the whole folder. The output is a link, since Snakemake empties an output folder before the job that
# writes into it.
rule link_pages:
    output:
        pages=report(
            directory("reports/.pages/{machine}"),
            patterns=[r"{file,.+\.(html|svg|pdf|png|txt|md)}"],
            category=get_category,
            caption="../report/pages.rst",
            labels={"machine": "{machine}", "file": "{file}"},
        ),
    log:
        "results/{machine}/logs/link_pages.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        pages=f"{REPORTS}{{machine}}",
    message:
        "Linking the pages of {wildcards.machine} for snakemake --report"
    shell:
        "(mkdir -p {params.pages:q} && ln -sfn ../{wildcards.machine} {output.pages:q}) 2> {log:q}"


rule make_report:
    input:
        pages=ancient("reports/.pages/{machine}"),
        machine="results/{machine}/machine.json",
        timings=expand("results/{{machine}}/timings/{kernel}.jsonl", kernel=KERNELS),
        kernels=expand("results/{{machine}}/kernels/{kernel}.json", kernel=KERNELS),
    output:
        html=keep_until_replaced("reports/{machine}/index.html"),
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
    params:
        package=digest_package("analysis", "decide", "figures", "pages", "report", "statistics", "store"),
        settings=digest_sections(),
        plans=get_plans,
    message:
        "Rendering the report of {wildcards.machine}"
    shell:
        job("report")
