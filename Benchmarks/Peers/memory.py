"""The most memory that a program and the processes it starts have at once."""

import pathlib
import threading

# Short enough to see the peak of one picture, long enough to leave the cores to who is watched.
INTERVAL = 0.005


def session_of(directory):
    """The session of a process, which is behind its name, in whose parentheses anything may stand."""
    return int((directory / "stat").read_text().rpartition(")")[2].split()[3])


class MemoryWatch:
    """Watches the processes of a session during a `with`.

    Of one process alone `peak` is the kernel's own mark of what it had resident (VmHWM), as it was when last looked at.
    Of several it is the largest sum of their proportional set sizes that was seen, in which each has its share of a
    page that several have: it may miss a moment, so it is never more than they took.
    """

    def __init__(self, session):
        self.session = session
        self.marks = {}
        self.largest_sum = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def watch(self):
        while not self.over.wait(INTERVAL):
            total = 0
            for directory in pathlib.Path("/proc").iterdir():
                if directory.name.isdigit():
                    total += self.look_at(directory)
            self.largest_sum = max(self.largest_sum, total)

    def look_at(self, directory):
        """A process's proportional set, if it belongs to the session; it may end at any moment."""
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
