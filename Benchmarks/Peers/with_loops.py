"""Prepares a directory of photos with the loop that a user of pyvips or Pillow would write to use all cores."""

import concurrent.futures
import multiprocessing
import pathlib

SIDE, QUALITY = 1600, 80


def by_vips(path, output):
    """Opens JPEGs with the JPEG loader: otherwise libvips also reads HDR gain maps, which no contestant keeps. At these
    sizes libvips does not let libjpeg reduce the image."""
    import pyvips

    is_jpeg = path.endswith((".jpg", ".jpeg"))
    image = (pyvips.Image.jpegload if is_jpeg else pyvips.Image.new_from_file)(path, access="sequential")
    image = image.thumbnail_image(SIDE, height=SIDE, size="down")
    if image.hasalpha():
        image = image.flatten(background=255)
    image.jpegsave(output, Q=QUALITY, keep="icc")


def by_pillow(path, output):
    from with_pillow import thumbnail

    pathlib.Path(output).write_bytes(thumbnail(pathlib.Path(path).read_bytes(), SIDE, QUALITY))


class Loop:
    """Prepares all files of a directory once. The pool is created before the measurement and ends within it."""

    warms_up = False

    def __init__(self, function, pool, directory, output):
        self.function, self.pool = function, pool
        paths = sorted(pathlib.Path(directory).iterdir())
        self.jobs = [(str(path), str(pathlib.Path(output) / f"{path.name}.jpg")) for path in paths]

    def run_once(self):
        with self.pool as pool:
            list(pool.map(self.function, *zip(*self.jobs)))
        return 0


class Threads(Loop):
    def __init__(self, directory, output, jobs):
        import pyvips

        pyvips.cache_set_max(0)
        super().__init__(by_vips, concurrent.futures.ThreadPoolExecutor(jobs), directory, output)


class Processes(Loop):
    """CPU time is that of the child processes after they have ended."""

    works_in_children = True

    def __init__(self, directory, output, jobs):
        import with_pillow  # noqa: F401  (before the fork, so that it is imported once)

        pool = concurrent.futures.ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"))
        super().__init__(by_pillow, pool, directory, output)
        list(pool.map(int, range(jobs)))


def work(task, path, options):
    kind = {"loop-vips": Threads, "loop-pillow": Processes}[task]
    return kind(path, options["output"], int(options["jobs"]))
