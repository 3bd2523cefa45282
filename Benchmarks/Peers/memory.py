"""Measures the peak memory of a program and its child processes together."""

import pathlib
import threading

# Seconds: short enough for the peak of one image, long enough to leave the cores to the program.
INTERVAL = 0.005


def session_of(directory):
    """Returns the session of a process. It follows the name, which is in parentheses and may contain any character."""
    return int((directory / "stat").read_text().rpartition(")")[2].split()[3])


class MemoryWatch:
    """Samples the memory of a session's processes during a `with` block.

    For one process, `peak` is the kernel's peak resident size (VmHWM) at the last sample. For several, it is the
    largest sampled sum of their proportional set sizes, which count a share of each shared page. A sample may miss the
    peak, so the sum is never too high.
    """

    def __init__(self, session):
        self.session = session
        self.marks = {}
        self.largest_sum = 0
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        self.thread.join()

    def watch(self):
        while not self.stopped.wait(INTERVAL):
            total = 0
            for directory in pathlib.Path("/proc").iterdir():
                if directory.name.isdigit():
                    total += self.sample(directory)
            self.largest_sum = max(self.largest_sum, total)

    def sample(self, directory):
        """Returns the proportional set size of a process of the session, otherwise 0. It may end at any time."""
        try:
            if session_of(directory) != self.session:
                return 0
            status = (directory / "status").read_text()
            if "VmHWM:" in status:
                self.marks[directory.name] = int(status.split("VmHWM:")[1].split()[0]) << 10
            return int((directory / "smaps_rollup").read_text().split("\nPss:")[1].split()[0]) << 10
        except (OSError, IndexError):
            return 0

    @property
    def processes(self):
        return len(self.marks)

    @property
    def peak(self):
        return self.largest_sum if self.processes > 1 else next(iter(self.marks.values()))
