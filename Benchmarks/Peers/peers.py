"""Runs one task of one peer as a worker, with the protocol of `contestant`: `peers.py TASK INPUT [key=value ...]`.

It imports only that peer, does the work once, and prints `ready`. Then it reads commands from standard input: `run N`
does the work N times and prints CPU time, wall time and the bytes of the last output; `save PATH` writes the last
output; `peak` prints the peak resident memory, and that before the first work.
"""

import importlib
import json
import pathlib
import resource
import sys
import time

# The module of each task, by the word before the task's first dash.
MODULES = {
    "vips": "with_vips", "pillow": "with_pillow", "opencv": "with_opencv", "loop": "with_loops",
    **dict.fromkeys(["mutagen", "tinytag", "ffprobe", "mediainfo"], "with_recordings"),
}  # fmt: skip


def peak_memory():
    """Returns VmHWM in bytes. Unlike `ru_maxrss`, it does not include the parent's memory before the exec."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) << 10


def cpu_ns(of_children):
    """Returns the CPU time of this process, or of its terminated children if they do the work."""
    if not of_children:
        return time.process_time_ns()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round((usage.ru_utime + usage.ru_stime) * 1e9)


def measure(work, times):
    of_children = getattr(work, "works_in_children", False)
    cpu, wall, made = cpu_ns(of_children), time.perf_counter_ns(), 0
    for _ in range(times):
        made = work.run_once()
    return {"cpu_ns": cpu_ns(of_children) - cpu, "wall_ns": time.perf_counter_ns() - wall, "bytes": made}


def serve(work):
    idle = peak_memory()
    if getattr(work, "warms_up", True):
        work.run_once()
    print("ready", flush=True)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "run":
            answer = measure(work, int(rest or 1))
        elif word == "save":
            pathlib.Path(rest).write_bytes(work.last_output())
            answer = {"saved": True}
        elif word == "peak":
            answer = {"peak_bytes": peak_memory(), "idle_bytes": idle}
        else:
            sys.exit(f"unknown line: {line}")
        print(json.dumps(answer), flush=True)


class ImageWorkload:
    """Calls a function that fits a file's bytes into a square of `side` pixels, as the bytes of a JPEG of `quality`."""

    def __init__(self, function, path, options):
        self.function = function
        self.data = pathlib.Path(path).read_bytes()
        self.side, self.quality = int(options["max-dimension"]), int(options["quality"])
        self.output = b""

    def run_once(self):
        self.output = self.function(self.data, self.side, self.quality)
        return len(self.output)

    def last_output(self):
        return self.output


class AudioWorkload:
    """Calls a function that returns the seconds of an audio file, or None, for all files of a directory."""

    def __init__(self, function, directory):
        self.function = function
        self.paths = sorted(str(path) for path in pathlib.Path(directory).iterdir())
        self.seconds = []

    def run_once(self):
        self.seconds = [self.function(path) for path in self.paths]
        return 0

    def last_output(self):
        """Returns a line for each file: its name, a tab, and its seconds or nothing."""
        return "".join(
            f"{pathlib.Path(path).name}\t{'' if seconds is None else seconds}\n"
            for path, seconds in zip(self.paths, self.seconds)
        ).encode()


def main(task, path, *options):
    module = importlib.import_module(MODULES[task.split("-")[0]])
    serve(module.work(task, path, dict(option.split("=", 1) for option in options)))


if __name__ == "__main__":
    # The modules import `peers`: without this, Python would load this file a second time.
    sys.modules["peers"] = sys.modules["__main__"]
    main(*sys.argv[1:])
