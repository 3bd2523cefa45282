#include "pixel_kernels.h"

#include <string.h>

void prep_repeat_samples(const uint8_t *source, int32_t factor, int32_t count, uint8_t *target) {
    if (factor == 1) {
        memcpy(target, source, (size_t)count);
    } else if (factor == 2) {
        for (int32_t x = 0; x < count / 2; x++) target[2 * x] = target[2 * x + 1] = source[x];
        if (count % 2 != 0) target[count - 1] = source[count / 2];
    } else {
        for (int32_t x = 0; x < count; x++) target[x] = source[x / factor];
    }
}

static uint8_t mean_of_block(const uint8_t *rows, ptrdiff_t stride, int32_t row_count, int32_t width) {
    uint32_t sum = 0;
    for (int32_t row = 0; row < row_count; row++)
        for (int32_t x = 0; x < width; x++) sum += rows[row * stride + x];
    const uint32_t count = (uint32_t)(row_count * width);
    return (uint8_t)((sum + count / 2) / count);
}

// Adds up two adjacent samples. With them in one lane of 16 bits, the compiler makes vectors that need no shuffles.
static inline uint16_t sum_of_pair(const uint8_t *samples) {
    uint16_t pair;
    memcpy(&pair, samples, sizeof pair);
    return (uint16_t)((pair & 0xFF) + (pair >> 8));
}

void prep_average_samples(
    const uint8_t *rows, ptrdiff_t stride, int32_t row_count, int32_t factor, int32_t width, uint8_t *target) {
    const int32_t whole = width / factor;
    const uint8_t *second = rows + stride;
    if (row_count == 1 && factor == 1) {
        memcpy(target, rows, (size_t)width);
    } else if (row_count == 1 && factor == 2) {
        for (int32_t x = 0; x < whole; x++) target[x] = (uint8_t)((rows[2 * x] + rows[2 * x + 1] + 1) >> 1);
    } else if (row_count == 2 && factor == 2) {
        for (int32_t x = 0; x < whole; x++)
            target[x] = (uint8_t)((sum_of_pair(rows + 2 * x) + sum_of_pair(second + 2 * x) + 2) >> 2);
    } else {
        for (int32_t x = 0; x < whole; x++)
            target[x] = mean_of_block(rows + (ptrdiff_t)x * factor, stride, row_count, factor);
    }
    if (width % factor != 0)
        target[whole] = mean_of_block(rows + (ptrdiff_t)whole * factor, stride, row_count, width % factor);
}
