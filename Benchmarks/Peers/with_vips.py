"""libvips through pyvips. The environment variable `VIPS_CONCURRENCY` sets the number of threads."""

import peers
import pyvips

# A repetition must not reuse results of an earlier one.
pyvips.cache_set_max(0)


def encode(image, quality):
    if image.hasalpha():
        image = image.flatten(background=255)
    return image.jpegsave_buffer(Q=quality, keep="icc")


def opened(data):
    return pyvips.Image.new_from_buffer(data, "", access="sequential")


def fitted(image, side, quality):
    """Resizes, then rotates the small result: rotation needs pixels in a different order than decoding gives."""
    image = image.resize(side / max(image.width, image.height))
    if image.get_typeof("orientation") and image.get("orientation") > 1:
        image = image.copy_memory().autorot()
    return encode(image, quality)


def thumbnail(data, side, quality):
    """Calls `thumbnail`, which lets libjpeg reduce only if libvips still reduces by at least two."""
    return encode(pyvips.Image.thumbnail_buffer(data, side, height=side, size="down"), quality)


def full(data, side, quality):
    """Decodes every pixel, and flattens the alpha channel before resizing."""
    image = opened(data)
    if image.hasalpha():
        image = image.flatten(background=255)
    return fitted(image, side, quality)


def shrunk_on_load(data, side, quality):
    """Calls libvips as sharp does by default: libjpeg decodes at its smallest size that is not below the wanted one."""
    image = opened(data)
    shrink = max(image.width, image.height) / side
    factor = max(factor for factor in (2, 4, 8) if factor <= shrink)
    # sharp halves the factor if it is the whole reduction except for a fraction. No task here has that case.
    assert int(shrink) != factor
    return fitted(pyvips.Image.jpegload_buffer(data, access="sequential", shrink=factor), side, quality)


def work(task, path, options):
    functions = {"vips-thumbnail": thumbnail, "vips-full": full, "vips-sharp": shrunk_on_load}
    return peers.ImageWorkload(functions[task], path, options)
