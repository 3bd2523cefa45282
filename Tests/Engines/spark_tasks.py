"""Executes a plan as tasks of Spark.

usage: spark_tasks.py PREP PLAN DIR PARTS TASKS, in the directory where the plan was made

Each task pipes its lines of the plan through a process of prep. Spark stores the output of the tasks in PARTS, once if
a task ran twice. Then `prep merge PARTS/part-* --output DIR/manifest.jsonl`.
"""

import os
import shlex
import sys

from pyspark import SparkConf, SparkContext


def command(prep, directory):
    """Returns the command of a task with one core.

    It changes to the directory of the plan, because executors have other working directories. Status 1 means that an
    input was rejected, which is in the manifest; with a higher status the task fails, and Spark repeats it.
    """
    run = [prep, *"run --plan - --no-state --manifest - --jobs 1 --quiet --output".split(), directory]
    return shlex.join(["sh", "-c", f"cd {shlex.quote(os.getcwd())} || exit 2; {shlex.join(run)}; [ $? -le 1 ]"])


def prepare(context, prep, plan, directory, parts, tasks):
    lines = context.textFile("file://" + os.path.abspath(plan), minPartitions=tasks)
    # Without checkCode, a failure would look like empty output. Without env, the environment would be empty.
    piped = lines.pipe(command(prep, directory), env=dict(os.environ), checkCode=True)
    piped.saveAsTextFile("file://" + os.path.abspath(parts))


if __name__ == "__main__":
    prep, plan, directory, parts, tasks = sys.argv[1:]
    prepare(SparkContext(conf=SparkConf().setAppName("prep")), prep, plan, directory, parts, int(tasks))
