"""Mutated and absurd configurations, made from a seed. Each must be accepted, or refused by one InputError, at once.

PYTHONPATH=workflow python tests/torture/configurations.py [SEED [COUNT]]
"""

import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import yaml

from accelbench import config
from accelbench.errors import InputError
from accelbench.lectures import entries

LONGEST_S = 1.0  # maximum processor time of reading a configuration, in seconds
STUCK_S = 20
# Values, in YAML, that are invalid for numeric keys; a few are valid for options of kernels
ABSURD = ("-1", "-1.5", ".nan", ".inf", "-.inf", "1e-320", "1" + "0" * 30, "9" * 5000, "1:30", "1:30.5", "010", "0x10",
          "0b11", "true", "many", "[[1]]", "{a: 1}", "'3 '", "2001-01-01", "!!binary aGk=")  # fmt: skip
TOO_MUCH = ("2147483647", "1000000000")
OPTIONS = ("kernels: {twice: {options: {m: @}}}",)
NUMBERS = (
    *(f"protocol: {{{key}: @}}" for key in config.Protocol.model_fields if key not in ("startup", "cache")),
    *OPTIONS,
    *("sizes: [@]", "sizes: [1000, @]", "kernels: {twice: {sizes: [@]}}"),
    *("threads: [@]", "block_sizes: [@]", "block_sizes_2d: [8x8, @]", "kernels: {twice: {block_sizes: [@]}}"),
    *("device: @", "machines: {epyc: {cores: @}}", "machines: {h100: {gpu: @, gpu_model: h100}}"),
    "machines: {h100: {request_gpus: @}}",
)
CAPPED = (*(f"protocol: {{{key}: @}}" for key in ("repetitions", "min_rounds", "timeout_s", "budget_s")),
          "threads: [@]", "machines: {epyc: {cores: @}}")  # fmt: skip
WRONG = (
    *(f"build: {{cc: {name}}}" for name in ("-x", "--version", "'gcc -x'", "'$(true)'", "''", "[[gcc]]")),
    *("build: {cflags: -O3}", "build: {cuda_architectures: [90]}", "build: {cxx: -o/tmp/x}", "peaks: 2"),
    *("protocol: {repetitions: 3, repetitions: 4}", "preset: {}", "kernels: [[twice]]", "machines: {../x: {}}"),
    *("1: 2", "~: 1", "? [a]\n: 1", "preset: smoke\n---\npreset: smoke", "preset: *nowhere", "a: &a [*a]"),
    *("preset: !!python/name:os.system", "- a", "42", "", "\ufeff\ufeffa: 1", "preset: \x00", "\tpreset: smoke"),
    *("x: " + "[" * depth for depth in (10, 1_000, 30_000)),
    *(f"sizes: [{'1, ' * count}]" for count in (20_000, 100_000)),
)
FIGURE = {"id": "a", "lecture": "own", "slide": "s", "title": "t", "kind": "size", "measure": [{"kernel": "twice"}]}
FIGURES = (
    "measure: [{kernel: twice, sizes: [@]}]",
    "measure: [{kernel: twice, threads: [@]}]",
    "measure: [{kernel: twice, max_call_s: @}]",
    "claims: [{says: it, faster: a, than: b, least: @}]",
    "claims: [{says: it, faster: a, than: b, size: @}]",
    "rows: [{label: a, size: @}]",
    "rows: [{label: a, recorded_s: @}]",
)
VALID = ("{}", "preset: smoke\nthreads: [1, all]", "sizes: [0, 1_000, 1000000]", "protocol: {budget_s: .5, seed: 0}",
         "block_sizes_2d: [16x16]", "sizes: &x [1]",
         "kernels: {twice: {sizes: &s [1, 2]}, thrice: {sizes: *s}}", "build: {cc: ../bin/gcc-13, cflags: [-O2]}",
         "protocol: {timeout_s: 1e+2, memory_fraction: 0.5}", "machines: {epyc: {cores: 64}}")  # fmt: skip


def bomb(chance):
    """Return a few lines of YAML whose aliases expand to 4**8 values or more, mostly to more than fit into memory."""
    width, depth = chance.randint(4, 20), chance.randint(9, 30)
    lines = [f"a0: &a0 [{', '.join('x' * width)}]"]
    merged = chance.random() < 0.3
    for level in range(1, depth):
        parts = ", ".join([f"*a{level - 1}"] * width)
        lines.append(f"a{level}: &a{level} " + (f"{{<<: [{parts}]}}" if merged else f"[{parts}]"))
    if merged:
        lines[0] = "a0: &a0 {x: 1}"
    return "\n".join(lines)


def damaged(chance):
    """Return a valid file with a few characters replaced, dropped or repeated."""
    text = list(chance.choice(VALID))
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(text))
        text[place] = chance.choice(["", text[place] * 2, *"\x00\x1b\t\n:{}[]&*!|>'\"%@`#-?,9٣\u202e"])
        text = text if any(text) else ["{}"]
    return "".join(text)


def one(chance):
    """Return a random configuration as (reader, text, expectation: refused, accepted or either)."""
    kind = chance.choice(["number", "number", "capped", "wrong", "bomb", "damaged", "figure", "word", "valid"])
    if kind == "valid":
        return "file", chance.choice(VALID), "accepted"
    if kind == "damaged":
        return "file", damaged(chance), "either"
    if kind == "bomb":
        return chance.choice(["file", "figures"]), bomb(chance), "refused"
    if kind == "wrong":
        return "file", chance.choice(WRONG), "refused"
    if kind == "capped":
        return "file", chance.choice(CAPPED).replace("@", chance.choice(TOO_MUCH)), "refused"
    if kind == "word":
        return "word", chance.choice(["device", "preset"]) + "=" + chance.choice(ABSURD), "refused"
    value = chance.choice(ABSURD)
    if kind == "figure":
        return "figures", chance.choice(FIGURES).replace("@", value), "refused"
    place = chance.choice(NUMBERS)
    fits = place in OPTIONS and value in ("-1", "-1.5", "1e-320")  # a kernel defines the values of its options
    return "file", place.replace("@", value), "either" if fits else "refused"


def read(reader, text, file):
    """Read a configuration in one of the ways in which a user can pass it."""
    if reader == "word":
        key, _, value = text.partition("=")
        return config.parse(config.typed({key: value}), file)
    if reader == "figures":
        rest = yaml.safe_dump({key: value for key, value in FIGURE.items() if not text.startswith(key)})
        indented = "".join(f"    {line}\n" for line in f"{text}\n{rest}".splitlines())
        file.write_text(f"figures:\n  -\n{indented}", encoding="utf-8")
        return entries.parse(config.read_data(file), file)
    file.write_text(text, encoding="utf-8")
    found = config.read(file)
    found.model_dump_json()
    return found


def run(seed, count):
    """Return {"configurations": number of trials, kind of failure: number of failures, ...}. Print each failure.

    The kinds of failures are `tracebacks`, `hangs`, `accepted` (an absurd configuration), `refused` (a valid
    configuration) and `untold`. A refusal is untold if it is not a single short line with the name of the file.
    """
    chance, counts = random.Random(seed), Counter(configurations=0, tracebacks=0, hangs=0, accepted=0, refused=0)
    counts["untold"] = 0
    before = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError()))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "own.yaml")
        for _ in range(count):
            reader, text, wanted = one(chance)
            begin, verdict = time.process_time(), []
            signal.alarm(STUCK_S)
            try:
                read(reader, text, file)
                verdict += ["accepted"] * (wanted == "refused")
            except InputError as error:
                verdict += ["refused"] * (wanted == "accepted")
                verdict += ["untold"] * ("own.yaml" not in str(error) or "\n" in str(error) or len(str(error)) > 600)
            except TimeoutError:
                verdict.append("hangs")
            except Exception as error:  # any other exception would be a traceback
                verdict.append("tracebacks")
                print(f"{type(error).__name__}: {error}"[:200])
            finally:
                signal.alarm(0)
            if time.process_time() - begin > LONGEST_S:
                verdict.append("hangs")
            counts.update(["configurations", *set(verdict)])
            if verdict:
                print(f"{', '.join(verdict)}: {reader}: {text[:120]!r}")
    signal.signal(signal.SIGALRM, before)
    return dict(counts)


if __name__ == "__main__":
    print(run(int(sys.argv[1]) if len(sys.argv) > 1 else 0, int(sys.argv[2]) if len(sys.argv) > 2 else 300))
