// The filters in plain C: the specification of the implementations for other instruction sets.
#include <stdlib.h>

#include "unfilter.h"

// The byte of the pixel to the left; 0 for the first pixel.
static inline uint8_t left_byte(const uint8_t *row, size_t i, size_t bytes_per_pixel) {
    return i < bytes_per_pixel ? 0 : row[i - bytes_per_pixel];
}

// The nearest of left, up and up-left to left + up - up-left, the first if equal.
static inline uint8_t paeth_predictor(int32_t left, int32_t up, int32_t up_left) {
    const int32_t estimate = left + up - up_left;
    const int32_t a = abs(estimate - left), b = abs(estimate - up), c = abs(estimate - up_left);
    return (uint8_t)(a <= b && a <= c ? left : b <= c ? up : up_left);
}

static inline const uint8_t *unfilter_row(uint8_t *row, const uint8_t *previous_row, size_t count, size_t pixel) {
    // Byte i + 1 is the filtered one, and byte i the reconstructed one.
    switch (row[0]) {
    case 0: return row + 1;
    case 1:
        for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(row[i + 1] + left_byte(row, i, pixel));
        return row;
    case 2:
        for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(row[i + 1] + previous_row[i]);
        return row;
    case 3:
        for (size_t i = 0; i < count; i++)
            row[i] = (uint8_t)(row[i + 1] + (left_byte(row, i, pixel) + previous_row[i]) / 2);
        return row;
    case 4:
        for (size_t i = 0; i < count; i++)
            row[i] = (uint8_t)(row[i + 1] + paeth_predictor(
                left_byte(row, i, pixel), previous_row[i], left_byte(previous_row, i, pixel)));
        return row;
    default: return NULL;
    }
}

const uint8_t *prep_png_unfilter_portable(
    uint8_t *filtered, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    return unfilter_row(filtered, previous_row, count, (size_t)bytes_per_pixel);
}
