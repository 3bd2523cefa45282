// The sums of cells, and their coarse detail. Each instruction set compiles this code for itself. It is integer
// arithmetic, so the results are the same.
#pragma once

#include <string.h>

#include "pixel_kernels.h"

#define INLINE __attribute__((always_inline)) static inline

enum { CELL_SIDE = 4, BLOCK = 256 };

// Returns the four bytes of a cell's row, as one lane for sums of pairs of bytes.
INLINE uint32_t load_lane(const uint8_t *bytes) {
    uint32_t lane;
    memcpy(&lane, bytes, sizeof lane);
    return lane;
}

// Adds up the bytes of a lane in two halves of 16 bits. Four rows of bytes take at most 11 bits.
INLINE uint32_t pair_sums(uint32_t lane) { return (lane & 0x00FF00FF) + (lane >> 8 & 0x00FF00FF); }

INLINE uint32_t add_halves(uint32_t sums) { return (sums & 0xFFFF) + (sums >> 16); }

// Counts with one byte for each column, at most CELL_SIDE, of a block of columns.
INLINE void count_in_columns(
    const uint8_t *rows, ptrdiff_t stride, int32_t count, uint8_t black_limit, uint8_t white_limit,
    uint8_t *restrict black, uint8_t *restrict white) {
    for (int32_t x = 0; x < count; x++) {
        uint8_t b = 0, w = 0;
        for (int32_t y = 0; y < CELL_SIDE; y++) {
            b = (uint8_t)(b + (rows[y * stride + x] <= black_limit));
            w = (uint8_t)(w + (rows[y * stride + x] >= white_limit));
        }
        black[x] = b;
        white[x] = w;
    }
}

INLINE void measure_cells(
    const uint8_t *rows, ptrdiff_t stride, int32_t cell_count, uint8_t black_limit, uint8_t white_limit,
    uint16_t *restrict sums, uint8_t *restrict black_counts, uint8_t *restrict white_counts) {
    for (int32_t first = 0; first < cell_count; first += BLOCK) {
        const int32_t count = cell_count - first < BLOCK ? cell_count - first : BLOCK;
        const uint8_t *block = rows + (ptrdiff_t)CELL_SIDE * first;
        uint8_t black[CELL_SIDE * BLOCK], white[CELL_SIDE * BLOCK];
        count_in_columns(block, stride, CELL_SIDE * count, black_limit, white_limit, black, white);
        for (int32_t i = 0; i < count; i++) {
            uint32_t sum = 0;
            for (int32_t y = 0; y < CELL_SIDE; y++) sum += pair_sums(load_lane(block + y * stride + CELL_SIDE * i));
            sums[first + i] = (uint16_t)add_halves(sum);
            black_counts[first + i] = (uint8_t)add_halves(pair_sums(load_lane(black + CELL_SIDE * i)));
            white_counts[first + i] = (uint8_t)add_halves(pair_sums(load_lane(white + CELL_SIDE * i)));
        }
    }
}

// Copies a row and repeats its first and last value twice.
INLINE void copy_with_edges(const int32_t *values, int32_t count, int32_t *target) {
    memcpy(target + 2, values, (size_t)count * sizeof *values);
    target[0] = target[1] = values[0];
    target[count + 2] = target[count + 3] = values[count - 1];
}

// Writes a row of the coarse detail of cells, and repeats its first and last value before and after it.
INLINE void filter_row(
    const uint16_t *const rows[5], int32_t columns, int32_t *restrict scratch, int32_t *restrict values) {
    int32_t *narrow_sums = scratch, *wide_sums = scratch + columns + 4, *sums = wide_sums + columns + 4;
    for (int32_t x = 0; x < columns; x++) sums[x] = rows[1][x] + 6 * rows[2][x] + rows[3][x];
    copy_with_edges(sums, columns, narrow_sums);
    for (int32_t x = 0; x < columns; x++) {
        sums[x] = rows[0][x] + rows[4][x] + 4 * (rows[1][x] + rows[3][x]) + 6 * rows[2][x];
    }
    copy_with_edges(sums, columns, wide_sums);
    for (int32_t x = 0; x < columns; x++) {
        const int32_t *n = narrow_sums + x + 2, *w = wide_sums + x + 2;
        const int32_t narrow = n[-1] + 6 * n[0] + n[1];
        const int32_t wide = w[-2] + w[2] + 4 * (w[-1] + w[1]) + 6 * w[0];
        values[x + 1] = 4 * narrow - wide;
    }
    values[0] = values[1];
    values[columns + 1] = values[columns];
}

INLINE void filter_cells(
    const uint16_t *sums, int32_t columns, int32_t rows, int32_t *restrict scratch, int32_t *restrict values) {
    const ptrdiff_t stride = columns + 2;
    for (int32_t y = 0; y < rows; y++) {
        const uint16_t *neighbors[5];
        for (int32_t k = 0; k < 5; k++) {
            int32_t row = y + k - 2;
            if (row < 0) row = 0;
            if (row >= rows) row = rows - 1;
            neighbors[k] = sums + (ptrdiff_t)row * columns;
        }
        filter_row(neighbors, columns, scratch, values + (y + 1) * stride);
    }
    memcpy(values, values + stride, (size_t)stride * sizeof *values);
    memcpy(values + (rows + 1) * stride, values + rows * stride, (size_t)stride * sizeof *values);
}

INLINE void measure_coarse_gradients(
    const int32_t *values, ptrdiff_t stride, int32_t place_count, uint64_t *restrict energies) {
    // The opposite neighbor is at the negative offset.
    const ptrdiff_t offsets[4] = {1, stride, stride + 1, stride - 1};
    for (int32_t i = 0; i < place_count; i++) {
        for (int32_t d = 0; d < 4; d++) {
            uint64_t sum = 0;
            for (int32_t y = 0; y < CELL_SIDE; y++) {
                const int32_t *cell = values + y * stride + CELL_SIDE * i;
                for (int32_t x = 0; x < CELL_SIDE; x++) {
                    const int64_t difference = (int64_t)cell[x + offsets[d]] - cell[x - offsets[d]];
                    sum += (uint64_t)(difference * difference);
                }
            }
            energies[4 * i + d] = sum;
        }
    }
}
