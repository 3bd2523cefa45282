"""Describes the machine and the versions. Contains no names of hosts, users or directories."""

import json
import os
import pathlib
import platform
import re
import resource
import subprocess
import sys
import time

from contestants import CORES, NODE_MODULES, ROOT, has_sharp

# The instruction sets that a contestant has kernels for.
INSTRUCTIONS = ["ssse3", "sse4_1", "sse4_2", "avx", "avx2", "avx512f", "avx512bw", "asimd", "sve"]

# Prints the versions of the Python packages and of their libraries; runs in a separate process.
PACKAGES = """
import json, importlib.metadata as metadata
found = {name: metadata.version(name) for name in
         ("pyvips", "pyvips-binary", "Pillow", "pillow-heif", "opencv-python-headless", "numpy", "mutagen", "tinytag")}
import cv2, pillow_heif, pyvips
from PIL import features
parts = {"libvips": ".".join(str(pyvips.version(part)) for part in range(3)),
         "webp": features.version("webp"), "heif": pillow_heif.libheif_info(),
         "jpeg": features.version("libjpeg_turbo"), "zlib": features.version("zlib_ng") or features.version("zlib"),
         "opencv": {line.split(":")[0].strip(): line.split("(ver ")[1].rstrip(")")
                    for line in cv2.getBuildInformation().splitlines() if "(ver " in line}}
print(json.dumps({"packages": found, "parts": parts}))
"""


def first_line(*command, pattern=r"\d[\w.+~:-]*"):
    """Returns the version in the output of a command."""
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    found = re.search(pattern, run.stdout + run.stderr)
    return found.group() if found else "?"


def processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*: (.*)$", text, re.MULTILINE)
    flags = re.search(r"^(?:flags|Features)\s*: (.*)$", text, re.MULTILINE)
    available = set(flags.group(1).split()) if flags else set()
    return model.group(1).strip() if model else platform.machine(), [name for name in INSTRUCTIONS if name in available]


def system():
    text = pathlib.Path("/etc/os-release").read_text()
    return re.search(r'^PRETTY_NAME="?([^"\n]*)', text, re.MULTILINE).group(1)


def machine():
    model, instructions = processor()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": model, "cores": CORES, "architecture": platform.machine(), "instructions": instructions,
        "memory_gib": round(memory / 2**30, 1), "kernel": "Linux " + platform.release().split("-")[0],
            "system": system(),
    }  # fmt: skip


class OtherWork:
    """Measures the CPU time of other processes during the run, which makes the measurements less certain."""

    def __init__(self):
        self.start = self.now()

    @staticmethod
    def now():
        """Returns seconds of wall time, of all CPU time, of our CPU time, and of time that the host took."""
        fields = pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:]
        ticks = [int(field) / os.sysconf("SC_CLK_TCK") for field in fields]
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return time.monotonic(), sum(ticks[:3]) + sum(ticks[5:7]), sum(u.ru_utime + u.ru_stime for u in used), ticks[7]

    def text(self):
        wall, every, ours, stolen = (now - before for now, before in zip(self.now(), self.start))
        others = max(0, every - ours) / wall
        taken = stolen / wall
        return f"{others:.2f} of {CORES} cores on average, and {taken:.2f} taken by the host; {wall / 60:.0f} minutes"


def sharp_version():
    """Returns the versions of sharp and of its libvips, or why it is not measured."""
    if not has_sharp():
        return "not measured: Node.js or npm's registry is missing"
    script = f"console.log(JSON.stringify(require({json.dumps(str(NODE_MODULES / 'sharp'))}).versions))"
    run = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    return f"{found['sharp']} (libvips {found['vips']}, Node.js {first_line('node', '--version')})"


def commit():
    """Returns the commit of this repository, and whether there are uncommitted changes."""
    name = first_line("git", "rev-parse", "--short=10", "HEAD", pattern=r"[0-9a-f]{10}")
    all_but_results = ["--", ":!Benchmarks/RESULTS.md", ":!Benchmarks/plots"]
    status = ["git", "status", "--porcelain", *all_but_results]
    changes = subprocess.run(status, capture_output=True, text=True, cwd=ROOT).stdout
    return name + (", with changes" if changes.strip() else "")


def versions():
    run = subprocess.run([sys.executable, "-c", PACKAGES], capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    packages, parts = found["packages"], found["parts"]

    def library(name):
        return first_line("pkg-config", "--modversion", name)

    swift = first_line("swift", "--version", pattern=r"(?<=Swift version )[0-9.]+")
    codecs = (
        f"libjpeg-turbo {library('libjpeg')}, libpng {library('libpng')}, zlib {library('zlib')}, "
        f"ISA-L {library('libisal')}, libwebp {library('libwebp')}, libde265 {library('libde265')}"
    )
    return {
        "MediaPrep": f"{commit()}; Swift {swift}, release; {codecs}",
        "prep upload": f"libcurl {library('libcurl')}, Nettle {library('nettle')}",
        "libvips": f"{parts['libvips']} (pyvips {packages['pyvips']}, pyvips-binary {packages['pyvips-binary']})",
        "sharp": sharp_version(),
        "Pillow": f"{packages['Pillow']} (libjpeg-turbo {parts['jpeg']}, zlib-ng {parts['zlib']}, libwebp "
        f"{parts['webp']})",
        "pillow-heif": f"{packages['pillow-heif']} (libheif {parts['heif'].get('libheif', '?')}, "
        f"{parts['heif'].get('decoders', {}).get('libde265', '?')})",
        "OpenCV": f"{packages['opencv-python-headless']} (libjpeg-turbo "
        f"{parts['opencv'].get('JPEG', '?').split('-')[0]}, "
        f"libpng {parts['opencv'].get('PNG', '?')})",
        "vipsthumbnail": f"libvips {first_line('vipsthumbnail', '--version')} (libheif "
        f"{first_line('dpkg-query', '-W', '-f', '${Version}', 'libheif1')})",
        "GraphicsMagick": first_line("gm", "version"),
        "ffprobe": first_line("ffprobe", "-version"),
        "mediainfo": first_line("mediainfo", "--version", pattern=r"(?<=v)[0-9.]+"),
        "mutagen": packages["mutagen"], "tinytag": packages["tinytag"], "curl": first_line("curl", "--version"),
        "Python": platform.python_version(), "numpy": packages["numpy"],
    }  # fmt: skip
