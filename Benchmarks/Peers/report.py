"""RESULTS.md and its plots, from what was measured. Nothing in them is written by hand."""

import re

from musts import all_musts, ratio
from plots import Bar, bars

HEAD = """# Results

Written by `Benchmarks/Peers/run`, from one run; run it to have your machine's. Everybody does the same work (the same
size, quality and 4:2:0 sampling; no metadata but the profile), in turns: round after round, each in another order.
Times are medians of {rounds} rounds, of at most {few} where one takes seconds. **Ours** is the median of the rounds'
quotients, ours divided by theirs: below 1 we take less; the quartiles stand behind it. Libraries are called within
processes that are warm; memory is that of a fresh process that did the work once, its program, its input and, for the
Python packages, the interpreter included ("idle": before the first work). What is said to be *reduced* lets libjpeg
decode fewer pixels than there are, which is faster and costs sharpness; everything else, ours too, decodes all.
"""

ONE = """## One picture

From bytes to bytes. Fidelity is against float64 Lanczos reductions of the source: of its values as stored (gamma light,
in which everybody here computes), and, "linear", of linear light. A floor is what nobody can do without on the same
bytes: libjpeg-turbo's `jpeg_read_coefficients`, which keeps all coefficients, or zlib's inflate. That all outputs have
the size, the quality and the sampling that were asked for is checked.
"""

MANY = """## Many pictures

A directory on all cores, into an empty one, in new processes each time, with the inputs in the page cache. The start of
a program counts; that of the interpreter of a loop in Python doesn't. `prep` runs with its defaults: it brings its
outputs to the disk, and writes a record of what it did and a manifest with their digests. vipsthumbnail and
GraphicsMagick are the system's; vipsthumbnail leaves out profiles, GraphicsMagick what transparency is. Memory of one
process is the kernel's mark (VmHWM); of several it is the largest sum of their proportional set sizes that was seen,
looked at each 5 ms in a run that isn't timed: never more than they took. "As ours": outputs of the same size as ours,
which is all that is compared here; a JPEG of lower quality than was asked for keeps that in ours alone. GraphicsMagick
takes part in the first round alone.
"""


def milliseconds(value):
    return f"{value:,.1f} ms" if value < 1000 else f"{value / 1000:,.2f} s"


def mebibytes(value):
    return f"{value / 2**20:.1f}" if value is not None else ""


def form_of(quotient):
    """Of what is far below 1, two digits that say something."""
    return ".2f" if quotient >= 0.1 else ".3f" if quotient >= 0.01 else ".4f"


def quotient(spread):
    """A median with its quartiles."""
    form = form_of(spread["median"])
    return f"**{spread['median']:{form}}** ({spread['low']:{form}}–{spread['high']:{form}})"


def table(heads, rows, aligned="---:"):
    lines = ["| " + " | ".join(heads) + " |", "|---" + f"|{aligned}" * (len(heads) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def ours_over(row, key):
    return "" if row["kind"] == "ours" else quotient(row[key])


def label(row):
    return row["name"] + (" *(reduced)*" if row["is_reduced"] else "")


def kind(row):
    return "reduced" if row["is_reduced"] else row["kind"]


class Report:
    """The text so far, and where the plots go."""

    def __init__(self, directory, results):
        self.directory, self.results = directory, results
        self.parts = [HEAD.format(**results["repetitions"])]
        (directory / "plots").mkdir(parents=True, exist_ok=True)

    def add(self, *paragraphs):
        self.parts += paragraphs

    def plot(self, name, title, subtitle, rows):
        bars(self.directory / "plots" / f"{name}.svg", title, subtitle, rows)
        self.add(f"![{title}: {subtitle}](plots/{name}.svg)")

    def plot_times(self, name, task, key, subtitle):
        """CPU or wall time of everybody; beside a peer's, what ours takes of it."""
        def share(row):
            taken = ratio(row, f"{key}_ratio")
            return "" if row["kind"] == "ours" else f"ours takes {taken:{form_of(taken)}}"

        rows = [
            Bar(row["name"], row[f"{key}_ms"], milliseconds(row[f"{key}_ms"]), share(row), kind(row))
            for row in task["rows"]
        ]
        self.plot(name, task["title"], subtitle, rows)

    def machine(self):
        facts = self.results["machine"]
        self.add("## The machine", table(["", ""], [
            ["processor", f"{facts['processor']}, {facts['architecture']}, {facts['cores']} cores used"],
            ["instruction sets", ", ".join(facts["instructions"])], ["memory", f"{facts['memory_gib']} GiB"],
            ["system", f"{facts['system']}, {facts['kernel']}"],
            ["other work during the run", self.results["other_work"]], ["pictures", self.results["source"]],
            *([name, version] for name, version in self.results["versions"].items()),
        ], "---"))  # fmt: skip
        self.add("The pictures, and how often each is in a batch:", table(
            ["", "bytes", "SHA-256", "single-scan", "mixed"],
            [[one["name"], f"{one['bytes']:,}", f"{one['sha256'][:16]}…", one["batch-plain"] or "",
                one["batch-mixed"] or ""]
             for one in self.results["inputs"]]))  # fmt: skip

    def musts(self):
        musts = all_musts(self.results)
        if not musts:
            return
        rows = []
        for must in musts:
            found = "" if must.found is None else f"**{must.found:{must.form}}**"
            side = "at least" if must.is_least else "at most"
            rows.append([must.what, f"{side} {must.bound:g}", found, must.verdict, must.note])
        self.add(
            "## What it must show",
            "Ours divided by theirs, unless said otherwise; against the fastest of a peer's forms that decode all "
            "pixels. Of what is not met, [the README](README.md#what-is-not-met) says where the time goes.",
            table(["what, in one run", "must", "measured", "", "beside"], rows, "---"))  # fmt: skip
        quotients = [must for must in musts if must.found is not None and not must.is_least]
        if not quotients:
            return
        self.plot("musts", "Ours divided by theirs",
            "shorter is better; the line is what it must not pass; blue: met", [
            Bar(re.sub(", (CPU|wall) time", "", must.what).replace("peak memory of the batch", "memory, batch"),
                must.found,
                f"{must.found:{must.form}}", f"at most {must.bound:g}", "ours" if must.is_met else "peer", must.bound)
            for must in quotients])  # fmt: skip

    def picture(self, key, task):
        self.add(f"### {task['title']}", f"{task['text']} Input: {task['input_bytes']:,} bytes. One thread.")
        outlined = "; outlined: decodes fewer pixels" if any(row["is_reduced"] for row in task["rows"]) else ""
        self.plot_times(key, task, "cpu", f"CPU time of one picture, one thread{outlined}")
        heads = ["", "CPU", "wall", "ours, CPU", "peak MiB", "idle", "bytes", "PSNR-Y", "PSNR-RGB", "SSIM-Y",
                 "linear: PSNR-Y", "SSIM-Y"]  # fmt: skip
        rows = []
        for row in task["rows"]:
            cells = [label(row), milliseconds(row["cpu_ms"]), milliseconds(row["wall_ms"]), ours_over(row, "cpu_ratio"),
                     mebibytes(row["peak_bytes"]), mebibytes(row["idle_bytes"])]  # fmt: skip
            if "gamma" in row:
                gamma, light = row["gamma"], row["linear"]
                cells += [f"{row['bytes']:,}", f"{gamma['psnr_y']:.2f}", f"{gamma['psnr_rgb']:.2f}",
                          f"{gamma['ssim_y']:.5f}", f"{light['psnr_y']:.2f}", f"{light['ssim_y']:.5f}"]  # fmt: skip
            rows.append(cells + [""] * (len(heads) - len(cells)))
        self.add(table(heads, rows), "The same where a peer may use all cores for one picture:", table(
            ["", "CPU", "wall", "ours, wall"],
            [[label(row), milliseconds(row["cpu_ms"]), milliseconds(row["wall_ms"]), ours_over(row, "wall_ratio")]
             for row in task["all_cores"]]))  # fmt: skip

    def batch(self, key, task):
        self.add(f"### {task['title']}", task["text"])
        self.plot_times(f"batch-{key}", task, "wall", "wall time on all cores")
        self.plot(f"batch-{key}-memory", task["title"], "peak memory, MiB", [
            Bar(row["name"], row["peak_bytes"], mebibytes(row["peak_bytes"]),
                "" if row["processes"] == 1 else f"{row['processes']} processes", kind(row))
            for row in task["rows"]])  # fmt: skip
        self.add(table(["", "wall", "CPU", "ours, wall", "ours, CPU", "peak MiB", "processes", "bytes", "as ours"], [
            [label(row), milliseconds(row["wall_ms"]), milliseconds(row["cpu_ms"]), ours_over(row, "wall_ratio"),
             ours_over(row, "cpu_ratio"), mebibytes(row["peak_bytes"]), row["processes"], f"{row['bytes']:,}",
             f"{row['as_ours']} of {task['files']}"] for row in task["rows"]]))  # fmt: skip

    def recordings(self, key, task):
        self.add(f"### {task['title']}", task["text"])
        self.plot_times(f"recordings-{key}", task, "cpu", "CPU time for all of them")
        self.add(table(["", "CPU", "wall", "ours, CPU", "peak MiB", "right within 10 ms"], [
            [row["name"], milliseconds(row["cpu_ms"]), milliseconds(row["wall_ms"]), ours_over(row, "cpu_ratio"),
             mebibytes(row.get("peak_bytes")),
             f"{row['right']} of {task['files']}"] for row in task["rows"]]))  # fmt: skip

    def uploads(self, task):
        self.add(f"### {task['title']}", task["text"], table(["", "wall", "CPU", "ours, wall", "ours, CPU",
            "peak MiB"], [
            [row["name"], milliseconds(row["wall_ms"]), milliseconds(row["cpu_ms"]), ours_over(row, "wall_ratio"),
             ours_over(row, "cpu_ratio"), mebibytes(row["peak_bytes"])] for row in task["rows"]]))  # fmt: skip

    def kernels(self, task):
        self.add(f"### {task['title']}", task["text"], table(["", "CPU"], [
            [row["name"], milliseconds(row["cpu_ms"])] for row in task["rows"]]))  # fmt: skip

    def write(self):
        self.musts()
        self.machine()
        sections = (
            ("pictures", ONE, self.picture),
            ("batch", MANY, self.batch),
            ("recordings", "## Recordings", self.recordings),
        )  # fmt: skip
        for name, introduction, write in sections:
            if name in self.results:
                self.add(introduction)
                for key, task in self.results[name].items():
                    write(key, task)
        if "uploads" in self.results or "kernels" in self.results:
            self.add("## The rest")
        for name, write in (("uploads", self.uploads), ("kernels", self.kernels)):
            if name in self.results:
                write(self.results[name])
        path = self.directory / "RESULTS.md"
        path.write_text("\n\n".join(part.strip("\n") for part in self.parts) + "\n")
        return path
