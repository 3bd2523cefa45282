#include <stdlib.h>
#include <string.h>

#include "pixel_kernels.h"

#define INLINE __attribute__((always_inline)) static inline

// A row is added up in lanes of 16 bits: 256 times 32 columns, each with a difference of at most 255.
enum { PHASES = 8, LANES = 32, CHUNK = 256 * LANES };

// The compiler finds the instruction for sums of absolute differences if they are written so.
INLINE uint32_t difference(uint8_t a, uint8_t b) { return (uint32_t)abs(a - b); }

INLINE void add_column_differences(const uint8_t *row, int32_t count, uint64_t *restrict sums) {
    for (int32_t first = 0; first < count; first += CHUNK) {
        const int32_t end = count - first < CHUNK ? count : first + CHUNK;
        uint16_t lanes[LANES] = {0};
        int32_t x = first;
        for (; x + LANES <= end; x += LANES) {
            for (int32_t k = 0; k < LANES; k++) lanes[k] += (uint16_t)difference(row[x + k], row[x + k + 1]);
        }
        for (int32_t k = 0; x + k < end; k++) lanes[k] += (uint16_t)difference(row[x + k], row[x + k + 1]);
        for (int32_t k = 0; k < LANES; k++) sums[k % PHASES] += lanes[k];
    }
}

INLINE uint32_t row_difference(const uint8_t *row, const uint8_t *next, int32_t count) {
    uint32_t sum = 0;
    for (int32_t x = 0; x < count; x++) sum += difference(row[x], next[x]);
    return sum;
}

INLINE void measure_blocks(
    const uint8_t *rows, ptrdiff_t stride, int32_t width, int32_t height, uint64_t *restrict column_sums,
    uint64_t *restrict row_sums) {
    memset(column_sums, 0, PHASES * sizeof *column_sums);
    memset(row_sums, 0, PHASES * sizeof *row_sums);
    for (int32_t y = 0; y < height; y++) {
        const uint8_t *row = rows + y * stride;
        add_column_differences(row, width - 1, column_sums);
        if (y + 1 < height) row_sums[y % PHASES] += row_difference(row, row + stride, width);
    }
}

void prep_measure_blocks(
    const uint8_t *rows, ptrdiff_t stride, int32_t width, int32_t height, uint64_t *column_sums,
    uint64_t *row_sums) {
    measure_blocks(rows, stride, width, height, column_sums, row_sums);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void prep_measure_blocks_avx2(
    const uint8_t *rows, ptrdiff_t stride, int32_t width, int32_t height, uint64_t *column_sums,
    uint64_t *row_sums) {
    measure_blocks(rows, stride, width, height, column_sums, row_sums);
}
#endif
