"""Pillow, which uses one thread."""

import io

import peers
from PIL import Image, ImageOps


def encode(image, quality):
    output = io.BytesIO()
    if profile := image.info.get("icc_profile"):
        image.save(output, "JPEG", quality=quality, icc_profile=profile)
    else:
        image.save(output, "JPEG", quality=quality)
    return output.getvalue()


def upright(image):
    """Turned as its orientation says, and not copied where there is nothing to turn."""
    ImageOps.exif_transpose(image, in_place=True)
    return image


def flattened(image):
    """Without its alpha channel, on white; in three components, or in one."""
    if image.mode == "CMYK":
        # What it says is of four components.
        image.info.pop("icc_profile", None)
    if image.mode != "RGBA":
        return image if image.mode in ("RGB", "L") else image.convert("RGB")
    ground = Image.new("RGB", image.size, (255, 255, 255))
    ground.paste(image, mask=image.getchannel("A"))
    return ground


def thumbnail(data, side, quality, gap=2.0):
    """The call that Pillow offers for this, with its defaults: libjpeg may reduce as long as twice the size is left."""
    image = Image.open(io.BytesIO(data))
    image.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=gap)
    return encode(flattened(upright(image)), quality)


def draft(data, side, quality):
    """As fast as it gets: libjpeg decodes at the smallest of its sizes that is not below the wanted one."""
    return thumbnail(data, side, quality, gap=1.0)


def full(data, side, quality):
    """Every pixel decoded, turned upright first, as pillow-perf's cycle does it, and then resized."""
    image = flattened(upright(Image.open(io.BytesIO(data))))
    scale = min(1, side / max(image.size))
    size = [round(length * scale) for length in image.size]
    return encode(image.resize(size, Image.Resampling.LANCZOS), quality)


def work(task, path, options):
    functions = {"pillow-thumbnail": thumbnail, "pillow-full": full, "pillow-draft": draft}
    return peers.OnBytes(functions[task], path, options)
