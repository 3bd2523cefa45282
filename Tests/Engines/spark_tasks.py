"""Does what a plan says as tasks of Spark.

usage: spark_tasks.py PREP PLAN DIR PARTS TASKS, in the directory in which the plan was made

Each task pipes its lines of the plan through a process of prep, and Spark keeps what the tasks print below PARTS: of a
task that was done twice, once. Then `prep merge PARTS/part-* --output DIR/manifest.jsonl`.
"""

import os
import shlex
import sys

from pyspark import SparkConf, SparkContext


def command(prep, directory):
    """prep as a task with one core. Executors have working directories of their own: there, a plan's relative paths
    lead nowhere. Status 1 says that some input was rejected, which the manifest tells too; what is above makes the task
    fail, and Spark do it again."""
    run = [prep, *"run --plan - --no-state --manifest - --jobs 1 --quiet --output".split(), directory]
    return shlex.join(["sh", "-c", f"cd {shlex.quote(os.getcwd())} || exit 2; {shlex.join(run)}; [ $? -le 1 ]"])


def prepare(context, prep, plan, directory, parts, tasks):
    lines = context.textFile("file://" + os.path.abspath(plan), minPartitions=tasks)
    # Without checkCode a failed prep would pass for one that had nothing to print; without env it has no environment at
    # all.
    piped = lines.pipe(command(prep, directory), env=dict(os.environ), checkCode=True)
    piped.saveAsTextFile("file://" + os.path.abspath(parts))


if __name__ == "__main__":
    prep, plan, directory, parts, tasks = sys.argv[1:]
    prepare(SparkContext(conf=SparkConf().setAppName("prep")), prep, plan, directory, parts, int(tasks))
