"""Runs spark_tasks.py on a cluster of two workers on this machine, and kills one executor during the run.

usage: lose-executor.py executor|machine PREP PLAN DIR PARTS

Exits with status 1 unless Spark reports a lost executor and repeated tasks.
"""

import json
import os
import shutil
import signal
import sys
import threading
import time
import urllib.request

import pyspark
from pyspark import SparkConf, SparkContext

from pipe import prepare

TASKS = 24


def processes():
    """Returns the parents and the command lines of all processes that are not zombies."""
    parents, commands = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stat, open(f"/proc/{name}/cmdline") as command:
                state, parent = stat.read().rpartition(")")[2].split()[:2]
                if state != "Z":
                    parents[int(name)] = int(parent)
                    commands[int(name)] = command.read().split("\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
    return parents, commands


def descendants(process, parents):
    """Returns all descendants of a process."""
    children = [child for child, parent in parents.items() if parent == process]
    return children + [one for child in children for one in descendants(child, parents)]


def executor(application, prep):
    """Returns an executor of this application that is running prep, and its descendants; or None."""
    parents, commands = processes()
    for process, command in commands.items():
        if "org.apache.spark.executor.CoarseGrainedExecutorBackend" in command and application in command:
            family = descendants(process, parents)
            if any(commands[one][0] == prep for one in family):
                return process, family
    return None


def count(directory):
    """Returns the number of outputs and of temporary outputs."""
    files = [parent for parent, _, names in os.walk(directory) for _ in names]
    drafts = sum(parent.startswith(os.path.join(directory, ".prep")) for parent in files)
    return len(files) - drafts, drafts


def lose(application, loss, prep, directory, outputs):
    """Kills when a third of the outputs exist and others are being written."""
    while count(directory)[0] < outputs / 3:
        time.sleep(0.05)
    while not (found := executor(application, prep)) or not count(directory)[1]:
        time.sleep(0.01)
    process, family = found
    for one in [process] + (family if loss == "machine" else []):
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            pass
    done, drafts = count(directory)
    time.sleep(1)
    alive = len(processes()[0].keys() & set(family))
    print(
        f"  {loss} killed with {done} of {outputs} outputs done and {drafts} begun; "
        f"of {len(family)} processes below it {alive} live a second later", flush=True)


def verdict(context):
    """Prints what Spark reports about the loss. Returns the exit status."""
    def ask(what):
        with urllib.request.urlopen(f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/{what}") as answer:
            return json.load(answer)

    executors = [one for one in ask("allexecutors") if one["id"] != "driver"]
    lost = [one["removeReason"] for one in executors if not one["isActive"]]
    rerun = sum(stage["numFailedTasks"] for stage in ask("stages"))
    complete = sum(stage["numCompleteTasks"] for stage in ask("stages"))
    print(
        f"  Spark: {len(executors)} executors, lost: {lost}; {complete} tasks completed, {rerun} failed and done again"
    )
    return 0 if lost and rerun else 1


def main(loss, prep, plan, directory, parts):
    with open(plan, encoding="utf-8", newline="\n") as file:
        outputs = sum(json.loads(line)["output"] is not None for line in file)
    settings = {"spark.driver.host": "127.0.0.1", "spark.ui.port": "0", "spark.ui.showConsoleProgress": "false"}
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf().setMaster("local-cluster[2,1,1024]").setAppName("prep").setAll(settings.items())
    context = SparkContext(conf=conf)
    # The working directory of the executors in a local cluster.
    logs = os.path.join(os.path.dirname(pyspark.__file__), "work", context.applicationId)
    killer = threading.Thread(
        target=lose, args=(context.applicationId, loss, prep, directory, outputs), daemon=True)
    killer.start()
    start = time.monotonic()
    try:
        prepare(context, prep, plan, directory, parts, TASKS)
        print(f"  {TASKS} tasks in {time.monotonic() - start:.1f} s")
        return verdict(context)
    finally:
        context.stop()
        shutil.rmtree(logs, ignore_errors=True)


sys.exit(main(*sys.argv[1:]))
