"""OpenCV, with its usual filter for reducing images: an average of areas, not Lanczos."""

import cv2
import numpy
import peers


def flattened(image):
    """Returns the image without alpha, on white, with 8-bit arithmetic."""
    if image.shape[2] == 3:
        return image
    alpha = cv2.cvtColor(image[:, :, 3], cv2.COLOR_GRAY2BGR)
    color = numpy.ascontiguousarray(image[:, :, :3])
    return cv2.add(cv2.multiply(color, alpha, scale=1 / 255), cv2.bitwise_not(alpha))


def area(data, side, quality):
    # The decoder rotates a JPEG upright unless the image is read "unchanged".
    is_png = data.startswith(b"\x89PNG")
    image = cv2.imdecode(numpy.frombuffer(data, numpy.uint8), cv2.IMREAD_UNCHANGED if is_png else cv2.IMREAD_COLOR)
    image = flattened(image)
    height, width = image.shape[:2]
    scale = min(1, side / max(width, height))
    image = cv2.resize(image, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def work(task, path, options):
    cv2.setNumThreads(int(options["threads"]))
    return peers.ImageWorkload(area, path, options)
