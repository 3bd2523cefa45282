// The filters of PNG, undone. Private to the reader.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes that may be read behind the end of `filtered` and of `above`.
enum { UNFILTER_READ_PADDING = 1 };

// A row of `count` bytes, of 3 or 4 bytes a pixel, from what the filter `type` made of it and the row above. False for
// a type that doesn't exist.
bool prep_png_unfilter(
    uint8_t type, const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int32_t pixel_bytes);
