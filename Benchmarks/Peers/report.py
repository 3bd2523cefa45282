"""Writes RESULTS.md and its plots from the measurements. Neither is edited by hand."""

import re

from acceptance import all_requirements, ratio
from plots import Bar, bars, curves

HEAD = """# Results

`Benchmarks/Peers/run` wrote this file from one run. Run it to measure your machine. All programs do the same work: the
same size, quality and 4:2:0 sampling, and no metadata except the profile. They take turns, in a different order in each
round. Times are medians of {rounds} rounds, or of at most {few} where a round takes seconds. **Ours** is the median of
the rounds' ratios, our time divided by the peer's, followed by the quartiles. Below 1, MediaPrep takes less. Libraries
are called in warm processes. Memory is the peak of a fresh process that does the work once, including the program, the
input and, for Python packages, the interpreter; "idle" is the peak before the first work. A row marked *reduced* lets
libjpeg decode fewer pixels than the image has, which is faster and less sharp. All other rows decode every pixel, with
one exception: MediaPrep decodes a JPEG at half size if both sides are reduced by 6 or more, here from 48 megapixels to
1024.
"""

SINGLE_IMAGE = """## One image

From bytes to bytes. Fidelity compares outputs with float64 Lanczos reductions of the source, once of the stored values
(gamma light, in which all programs here compute) and once of linear light ("linear"). A floor is the least work that
the same bytes need: libjpeg-turbo's `jpeg_read_coefficients`, which keeps all coefficients, or zlib's inflate. The
comparison fails if an output does not have the requested size, quality and sampling. MediaPrep's own encoder has other
quantization tables than the peers': fewer bytes at the same visual quality, and a lower PSNR. So the requirements on
fidelity compare the row with libjpeg-turbo's encoder.
"""

BATCH = """## Many images

A directory is prepared on all cores into an empty directory. Each run starts new processes, and the inputs are in the
page cache. The start of a program is included; the start of the interpreter of a Python loop is not. `prep` runs with
its defaults: it calls fsync on its outputs, and writes a ledger and a manifest with their digests. vipsthumbnail and
GraphicsMagick are the system's packages. vipsthumbnail omits profiles, and GraphicsMagick ignores transparency. The
memory of one process is the kernel's peak (VmHWM). The memory of several is the largest observed sum of their
proportional set sizes, sampled every 5 ms in a run that is not timed, so it may be too low but never too high. "As
ours" counts outputs of the same size as ours; nothing else is compared here. Only ours keeps the quality of a JPEG that
has a lower quality than requested. GraphicsMagick only takes part in the first round.
"""


COMMANDS = """## One image as a command

From file to file, by a process for each image: the time until the output is complete. The same in a warm process is
"with all cores available for one image" above. `prep` runs with its defaults, as under "Many images". Peak memory is
the kernel's (`ru_maxrss`), of one run. vipsthumbnail is the system's package.
"""

BYTES = """## Bytes at equal quality

All encoders get the same pixels, and write one scan with 4:2:0 chroma. Their bytes are compared with libjpeg-turbo's
(Pillow) at the scores that it has at a quality: SSIMULACRA2, and the 3-norm of butteraugli, of the decoded pixels. The
scores at the qualities {qualities} are interpolated. A cell has the mean of the images, and the worst of them.
"""


def milliseconds(value):
    return f"{value:,.1f} ms" if value < 1000 else f"{value / 1000:,.2f} s"


def mebibytes(value):
    return f"{value / 2**20:.1f}" if value is not None else ""


def format_of(value):
    """Returns the format that shows two significant digits of a ratio."""
    return ".2f" if value >= 0.1 else ".3f" if value >= 0.01 else ".4f"


def format_ratio(spread):
    """Returns a median followed by its quartiles."""
    form = format_of(spread["median"])
    return f"**{spread['median']:{form}}** ({spread['low']:{form}}–{spread['high']:{form}})"


def table(heads, rows, aligned="---:"):
    lines = ["| " + " | ".join(heads) + " |", "|---" + f"|{aligned}" * (len(heads) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def ours_over(row, key):
    return "" if row["kind"] == "ours" else format_ratio(row[key])


def label(row):
    return row["name"] + (" *(reduced)*" if row["is_reduced"] else "")


def kind(row):
    return "reduced" if row["is_reduced"] else row["kind"]


class Report:
    """Collects the text of RESULTS.md, and writes the plots."""

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
        """Plots the CPU or wall time of all contestants, with the ratio of ours to each peer's."""
        def share(row):
            taken = ratio(row, f"{key}_ratio")
            return "" if row["kind"] == "ours" else f"ours takes {taken:{format_of(taken)}}"

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
            ["other work during the run", self.results["other_work"]], ["images", self.results["source"]],
            *([name, version] for name, version in self.results["versions"].items()),
        ], "---"))  # fmt: skip
        self.add("The images, and how often each is in a batch:", table(
            ["", "bytes", "SHA-256", "single-scan", "mixed", "heavy"],
            [[one["name"], f"{one['bytes']:,}", f"{one['sha256'][:16]}…", one["batch-plain"] or "",
                one["batch-mixed"] or "", one["batch-heavy"] or ""]
             for one in self.results["inputs"]]))  # fmt: skip

    def requirements(self):
        requirements = all_requirements(self.results)
        if not requirements:
            return
        rows = []
        for requirement in requirements:
            measured = "" if requirement.measured is None else f"**{requirement.measured:{requirement.form}}**"
            side = "at least" if requirement.is_minimum else "at most"
            rows.append([requirement.name, f"{side} {requirement.bound:g}", measured, requirement.verdict,
                         requirement.note])
        self.add(
            "## Requirements",
            "Values are ours divided by the peer's, unless the row names another measure. The peer's value is that of "
            "its fastest variant that decodes all pixels. [The README](README.md#what-is-not-met) explains where the "
            "time goes in rows that are not met.",
            table(["requirement, in one run", "bound", "measured", "", "note"], rows, "---"))  # fmt: skip
        maxima = [one for one in requirements if one.measured is not None and not one.is_minimum and not one.unit]
        if not maxima:
            return
        self.plot("requirements", "Ours divided by the peer's",
            "shorter is better; the line is the bound; blue: met", [
            Bar(re.sub(", (CPU|wall) time", "", one.name).replace("peak memory of the batch", "memory, batch"),
                one.measured, f"{one.measured:{one.form}}", f"at most {one.bound:g}",
                "ours" if one.is_met else "peer", one.bound)
            for one in maxima])  # fmt: skip

    def image(self, key, task):
        self.add(f"### {task['title']}", f"{task['text']} Input: {task['input_bytes']:,} bytes. One thread.")
        outlined = "; outlined: decodes fewer pixels" if any(row["is_reduced"] for row in task["rows"]) else ""
        self.plot_times(key, task, "cpu", f"CPU time of one image, one thread{outlined}")
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
        self.add(table(heads, rows), "The same with all cores available for one image:", table(
            ["", "CPU", "wall", "ours, wall"],
            [[label(row), milliseconds(row["cpu_ms"]), milliseconds(row["wall_ms"]), ours_over(row, "wall_ratio")]
             for row in task["all_cores"]]))  # fmt: skip

    def command(self, key, task):
        title = f"{task['title']}, as a command"
        self.add(f"### {title}", f"Input: {task['input_bytes']:,} bytes.")
        self.plot_times(f"command-{key}", task | {"title": title}, "wall", "wall time of one image, one process")
        self.add(table(["", "wall", "CPU", "ours, wall", "ours, CPU", "peak MiB", "bytes"], [
            [label(row), milliseconds(row["wall_ms"]), milliseconds(row["cpu_ms"]), ours_over(row, "wall_ratio"),
             ours_over(row, "cpu_ratio"), mebibytes(row["peak_bytes"]), f"{row['bytes']:,}"]
            for row in task["rows"]]))  # fmt: skip

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
        self.plot_times(f"recordings-{key}", task, "cpu", "CPU time for all files")
        self.add(table(["", "CPU", "wall", "ours, CPU", "peak MiB", "correct within 10 ms"], [
            [row["name"], milliseconds(row["cpu_ms"]), milliseconds(row["wall_ms"]), ours_over(row, "cpu_ratio"),
             mebibytes(row.get("peak_bytes")),
             f"{row['correct']} of {task['files']}"] for row in task["rows"]]))  # fmt: skip

    def uploads(self, task):
        self.add(f"### {task['title']}", task["text"], table(["", "wall", "CPU", "ours, wall", "ours, CPU",
            "peak MiB"], [
            [row["name"], milliseconds(row["wall_ms"]), milliseconds(row["cpu_ms"]), ours_over(row, "wall_ratio"),
             ours_over(row, "cpu_ratio"), mebibytes(row["peak_bytes"])] for row in task["rows"]]))  # fmt: skip

    def kernels(self, task):
        self.add(f"### {task['title']}", task["text"], table(["", "CPU"], [
            [row["name"], milliseconds(row["cpu_ms"])] for row in task["rows"]]))  # fmt: skip

    def bytes(self, task):
        self.add(BYTES.format(qualities=", ".join(map(str, task["qualities"]))),
                 f"Python packages: {task['programs']}.", *task["missing"])
        for side, found in task["sides"].items():
            rows = []
            for name in found["curves"]:
                if name == task["baseline"]:
                    continue
                cells = [rates.get(name) for level in found["levels"].values() for rates in level.values()]
                rows.append([name] + [
                    f"**{100 * (cell['mean'] - 1):+.1f}%** ({100 * (cell['worst'] - 1):+.1f}%)" if cell else ""
                    for cell in cells])  # fmt: skip
            heads = [f"q{level}, {name}" for level in found["levels"] for name in task["measures"].values()]
            self.add(f"### {found['images']} images of {side} pixels", table(["", *heads], rows))
            lines = {
                name: [(point["bits"], point["ssimulacra2"]) for point in curve]
                for name, curve in found["curves"].items()}
            title, subtitle = f"Quality and bytes at {side} pixels", "means of the images; higher is better"
            curves(self.directory / "plots" / f"bytes-{side}.svg", title, subtitle, lines,
                   ("bits per pixel", (0.25, 0.5, 1, 2, 3, 4, 6)), ("SSIMULACRA2", range(30, 100, 10)))  # fmt: skip
            self.add(f"![{title}: {subtitle}](plots/bytes-{side}.svg)")

    def write(self):
        self.requirements()
        self.machine()
        sections = (
            ("images", SINGLE_IMAGE, self.image),
            ("commands", COMMANDS, self.command),
            ("batch", BATCH, self.batch),
            ("batch-heavy", "" if "batch" in self.results else BATCH, self.batch),
            ("recordings", "## Audio", self.recordings),
        )  # fmt: skip
        for name, introduction, write in sections:
            if name in self.results:
                self.add(*([introduction] if introduction else []))
                for key, task in self.results[name].items():
                    write(key, task)
        if "uploads" in self.results or "kernels" in self.results:
            self.add("## Uploads and the resampler")
        for name, write in (("uploads", self.uploads), ("kernels", self.kernels)):
            if name in self.results:
                write(self.results[name])
        if "bytes" in self.results:
            self.bytes(self.results["bytes"])
        path = self.directory / "RESULTS.md"
        path.write_text("\n\n".join(part.strip("\n") for part in self.parts) + "\n")
        return path
