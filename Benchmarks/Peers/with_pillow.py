"""Pillow, which uses one thread. It reads HEIC by pillow-heif."""

import io

import peers
import pillow_heif
from PIL import Image, ImageOps

pillow_heif.register_heif_opener()


def encode(image, quality):
    output = io.BytesIO()
    if profile := image.info.get("icc_profile"):
        image.save(output, "JPEG", quality=quality, icc_profile=profile)
    else:
        image.save(output, "JPEG", quality=quality)
    return output.getvalue()


def upright(image):
    """Returns the image rotated by its orientation, without a copy if it is upright."""
    ImageOps.exif_transpose(image, in_place=True)
    return image


def flattened(image):
    """Returns the image without alpha, on white, with three components or one."""
    if image.mode == "CMYK":
        # The profile describes four components.
        image.info.pop("icc_profile", None)
    if image.mode != "RGBA":
        return image if image.mode in ("RGB", "L") else image.convert("RGB")
    ground = Image.new("RGB", image.size, (255, 255, 255))
    ground.paste(image, mask=image.getchannel("A"))
    return ground


def thumbnail(data, side, quality, gap=2.0):
    """Calls `thumbnail` with its defaults: libjpeg may reduce to no less than twice the size."""
    image = Image.open(io.BytesIO(data))
    image.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=gap)
    return encode(flattened(upright(image)), quality)


def draft(data, side, quality):
    """The fastest variant: libjpeg decodes at its smallest size that is not below the wanted one."""
    return thumbnail(data, side, quality, gap=1.0)


def full(data, side, quality):
    """Decodes every pixel, rotates and then resizes, as in pillow-perf's cycle."""
    image = flattened(upright(Image.open(io.BytesIO(data))))
    scale = min(1, side / max(image.size))
    size = [round(length * scale) for length in image.size]
    return encode(image.resize(size, Image.Resampling.LANCZOS), quality)


def work(task, path, options):
    functions = {"pillow-thumbnail": thumbnail, "pillow-full": full, "pillow-draft": draft}
    return peers.ImageWorkload(functions[task], path, options)
