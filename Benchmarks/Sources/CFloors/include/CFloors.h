#pragma once

#include <stddef.h>
#include <stdint.h>

// What no decoder can do without. Each returns how much it made, or -1 if the file can't be read.

// The entropy decode alone of a JPEG, by libjpeg-turbo: DCT blocks.
int64_t floor_read_coefficients(const uint8_t *bytes, size_t count);

// The inflate alone of a PNG, by zlib, its filters not undone: bytes.
int64_t floor_inflate_png(const uint8_t *bytes, size_t count);
