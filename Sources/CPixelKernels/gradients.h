// The sums of squared gradients of fine detail, which `prep_measure_gradients` returns. Each instruction set compiles
// this code for itself. It is integer arithmetic, so the results are the same.
#pragma once

#include "pixel_kernels.h"

// Writes detail[x], for x in 0..<count: half of 16 times the difference of a sample from the binomial mean of its 3 by
// 3 neighbors, rounded down. The neighbors of row[0] are in `row` too. `sums` has room for count + 2 values.
//
// Everything fits in 16 bits, so that a vector has twice as many samples: sums are at most 1,020, and the difference
// is at most 3,060.
__attribute__((always_inline)) static inline void write_detail_row(
    const uint8_t *restrict row, ptrdiff_t stride, int32_t count, uint16_t *restrict sums, int16_t *restrict detail) {
    const uint8_t *above = row - stride - 1, *middle = row - 1, *below = row + stride - 1;
    for (int32_t x = 0; x < count + 2; x++) sums[x] = (uint16_t)(above[x] + 2 * middle[x] + below[x]);
    for (int32_t x = 0; x < count; x++) {
        const uint16_t mean = (uint16_t)(sums[x] + 2 * sums[x + 1] + sums[x + 2]);
        const int16_t difference = (int16_t)(16 * row[x] - mean);
        detail[x] = difference >> 1;
    }
}

// Returns the sum over a place of squared differences between the details at two offsets. Each difference is at most
// 3,060, so 256 squares take at most 2,397,081,600.
typedef uint32_t energy_function(
    const int16_t *detail, ptrdiff_t stride, int32_t side, ptrdiff_t first, ptrdiff_t second);

// `energy` is inlined.
__attribute__((always_inline)) static inline void measure_gradients(
    const uint8_t *rows, ptrdiff_t stride, int32_t side, int32_t place_count, int16_t *scratch, uint32_t *energies,
    energy_function energy) {
    const int32_t width = side * place_count + 2;
    const ptrdiff_t detail_stride = width;
    uint16_t *sums = (uint16_t *)scratch;
    int16_t *detail = scratch + width + 2;
    for (int32_t y = 0; y < side + 2; y++) {
        write_detail_row(rows + (y - 1) * stride - 1, stride, width, sums, detail + y * detail_stride);
    }
    for (int32_t i = 0; i < place_count; i++) {
        const int16_t *place = detail + detail_stride + 1 + side * i;
        energies[4 * i] = energy(place, detail_stride, side, 1, -1);
        energies[4 * i + 1] = energy(place, detail_stride, side, detail_stride, -detail_stride);
        energies[4 * i + 2] = energy(place, detail_stride, side, detail_stride + 1, -detail_stride - 1);
        energies[4 * i + 3] = energy(place, detail_stride, side, detail_stride - 1, -detail_stride + 1);
    }
}
