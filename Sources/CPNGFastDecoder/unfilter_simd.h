// Reverses the filter of one row, and Paeth's filter in four rows at once. An implementation for an instruction set
// includes it after it has defined:
//
//   UNFILTER_INLINE    how its functions are declared
//   undo_sub_filter, undo_up_filter, undo_average_filter, undo_paeth_filter
//                      decode a row
//   paeth_rows         the pixels to the left, and to the upper left, of those of the next step
//   undo_paeth_step    decodes a pixel in each of the rows `first` to `last`; `x` is the offset of row 0's pixel
#pragma once

#include "unfilter.h"

UNFILTER_INLINE const uint8_t *unfilter_row(
    uint8_t *row, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    switch (row[0]) {
    case 0: return row + 1;
    case 1: undo_sub_filter(row, count, bytes_per_pixel); return row;
    case 2: undo_up_filter(row, previous_row, count); return row;
    case 3: undo_average_filter(row, previous_row, count, bytes_per_pixel); return row;
    case 4: undo_paeth_filter(row, previous_row, count, bytes_per_pixel); return row;
    default: return NULL;
    }
}

// Each row is one pixel behind the one above. A lane of a vector is a byte of one pixel:
//
//   lanes:    0 to 3    4 to 7     8 to 11    12 to 15
//   row:      0         1          2          3
//   pixel:    x         x - 1      x - 2      x - 3
//
// So the pixels above those of one step are the results of the step before, moved by four lanes. Lanes of rows that
// have not begun stay 0, because all their neighbors are.
UNFILTER_INLINE void undo_paeth_filters(
    paeth_rows state, uint8_t *filtered, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    uint8_t *rows[PAETH_ROWS];
    for (int32_t r = 0; r < PAETH_ROWS; r++) rows[r] = filtered + (size_t)r * (count + 1);
    const size_t pixel = (size_t)bytes_per_pixel;
    undo_paeth_step(&state, rows, previous_row, 0, bytes_per_pixel, 0, 0);
    undo_paeth_step(&state, rows, previous_row, pixel, bytes_per_pixel, 0, 1);
    undo_paeth_step(&state, rows, previous_row, 2 * pixel, bytes_per_pixel, 0, 2);
    for (size_t x = 3 * pixel; x < count; x += pixel)
        undo_paeth_step(&state, rows, previous_row, x, bytes_per_pixel, 0, 3);
    undo_paeth_step(&state, rows, previous_row, count, bytes_per_pixel, 1, 3);
    undo_paeth_step(&state, rows, previous_row, count + pixel, bytes_per_pixel, 2, 3);
    undo_paeth_step(&state, rows, previous_row, count + 2 * pixel, bytes_per_pixel, 3, 3);
}
