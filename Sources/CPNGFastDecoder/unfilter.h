// Reverses the filters of PNG. Private to the fast decoder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The number of bytes that may be read after the end of `filtered` and of `previous_row`.
enum { UNFILTER_READ_PADDING = 1 };

// Reconstructs a row of `count` bytes, with 3 or 4 bytes a pixel, from its filtered bytes and the row above. Returns
// false for an invalid filter type.
bool prep_png_unfilter(
    uint8_t type, const uint8_t *filtered, const uint8_t *previous_row, uint8_t *row, size_t count,
    int32_t bytes_per_pixel);
