"""Contestants that are programs and end by themselves: what one run took, and the memory of all its processes."""

import os
import signal
import subprocess
import sys
import time

from contestants import Sample
from memory import MemoryWatch


def start(contestant):
    """In a session of its own, by which its processes are found."""
    return subprocess.Popen(
        [str(part) for part in contestant.command], stdout=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, **contestant.environment})  # fmt: skip


def end(contestant, process):
    """What it and its processes used, in milliseconds."""
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{contestant.name} ended with {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1e3


def timed(contestant):
    before = time.perf_counter()
    cpu = end(contestant, start(contestant))
    return Sample(cpu, (time.perf_counter() - before) * 1e3, 0)


def watched(contestant):
    """The most memory of one more run, which isn't timed: watching takes time."""
    process = start(contestant)
    with MemoryWatch(process.pid) as watch:
        end(contestant, process)
    return watch
