"""Runs contestants that are programs, and measures one run's time and the memory of all its processes."""

import os
import signal
import subprocess
import sys
import time

from contestants import Sample
from memory import MemoryWatch


def start(contestant):
    """Starts a contestant in a new session, which identifies its processes."""
    return subprocess.Popen(
        [str(part) for part in contestant.command], stdout=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, **contestant.environment})  # fmt: skip


def wait(contestant, process):
    """Waits for the end, and returns the CPU time of the process and its children in milliseconds."""
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
    cpu = wait(contestant, start(contestant))
    return Sample(cpu, (time.perf_counter() - before) * 1e3, 0)


def watched(contestant):
    """Returns the peak memory of a run that is not timed, because sampling memory takes time."""
    process = start(contestant)
    with MemoryWatch(process.pid) as watch:
        wait(contestant, process)
    return watch
