"""libvips by pyvips. `VIPS_CONCURRENCY` in the environment says how many threads it may use."""

import peers
import pyvips

# Nothing of one repetition may help the next.
pyvips.cache_set_max(0)


def encode(image, quality):
    if image.hasalpha():
        image = image.flatten(background=255)
    return image.jpegsave_buffer(Q=quality, keep="icc")


def opened(data):
    return pyvips.Image.new_from_buffer(data, "", access="sequential")


def fitted(image, side, quality):
    """The small result is turned, which takes its pixels in another order than they are decoded in."""
    image = image.resize(side / max(image.width, image.height))
    if image.get_typeof("orientation") and image.get("orientation") > 1:
        image = image.copy_memory().autorot()
    return encode(image, quality)


def thumbnail(data, side, quality):
    """The call that libvips offers for this. It lets libjpeg reduce only where a factor of two is left for itself."""
    return encode(pyvips.Image.thumbnail_buffer(data, side, height=side, size="down"), quality)


def full(data, side, quality):
    """Every pixel decoded, and the alpha channel gone before anything is computed with it."""
    image = opened(data)
    if image.hasalpha():
        image = image.flatten(background=255)
    return fitted(image, side, quality)


def shrunk_on_load(data, side, quality):
    """As sharp calls libvips by default: libjpeg decodes at the smallest of its sizes that is not below the wanted
    one."""
    image = opened(data)
    shrink = max(image.width, image.height) / side
    factor = max(factor for factor in (2, 4, 8) if factor <= shrink)
    # It would halve the factor if that were all of the reduction but for a fraction; in no task here it is.
    assert int(shrink) != factor
    return fitted(pyvips.Image.jpegload_buffer(data, access="sequential", shrink=factor), side, quality)


def work(task, path, options):
    functions = {"vips-thumbnail": thumbnail, "vips-full": full, "vips-sharp": shrunk_on_load}
    return peers.OnBytes(functions[task], path, options)
