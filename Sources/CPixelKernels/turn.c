#include "pixel_kernels.h"

// Vectors of the compiler's own, which are registers on every architecture: to move samples takes no more than the least of
// their instruction sets, so that one implementation serves all.
typedef uint8_t samples __attribute__((vector_size(16)));

#define INTERLEAVE_LOW(a, b) \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define INTERLEAVE_HIGH(a, b) \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

// The compiler's own memcpy is called by its name: where this is only compiled, for another architecture, that has no headers.
enum {
    SQUARE = 8, // samples on a side of what is transposed in registers
    TILE = 64   // and of what is transposed before going on: a cache line each way, and 8 KiB of it
};

static inline samples load(const uint8_t *source) {
    samples row = {0};
    __builtin_memcpy(&row, source, SQUARE);
    return row;
}

static inline void transpose_square(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *target, ptrdiff_t target_stride) {
    samples pairs[4];
    for (int i = 0; i < 4; i++) {
        pairs[i] = INTERLEAVE_LOW(load(source + i * source_stride), load(source + (i + 4) * source_stride));
    }
    const samples even[2] = {INTERLEAVE_LOW(pairs[0], pairs[2]), INTERLEAVE_HIGH(pairs[0], pairs[2])};
    const samples odd[2] = {INTERLEAVE_LOW(pairs[1], pairs[3]), INTERLEAVE_HIGH(pairs[1], pairs[3])};
    for (int i = 0; i < 4; i++) {
        const samples columns = i % 2 == 0 ? INTERLEAVE_LOW(even[i / 2], odd[i / 2]) : INTERLEAVE_HIGH(even[i / 2], odd[i / 2]);
        __builtin_memcpy(target + 2 * i * target_stride, &columns, SQUARE);
        __builtin_memcpy(target + (2 * i + 1) * target_stride, (const uint8_t *)&columns + SQUARE, SQUARE);
    }
}

static void transpose_tile(
    const uint8_t *source, ptrdiff_t source_stride, int32_t width, int32_t height, uint8_t *target, ptrdiff_t target_stride) {
    const int32_t squares_across = width - width % SQUARE, squares_down = height - height % SQUARE;
    for (int32_t y = 0; y < squares_down; y += SQUARE) {
        for (int32_t x = 0; x < squares_across; x += SQUARE) {
            transpose_square(source + y * source_stride + x, source_stride, target + x * target_stride + y, target_stride);
        }
    }
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = y < squares_down ? squares_across : 0; x < width; x++) {
            target[x * target_stride + y] = source[y * source_stride + x];
        }
    }
}

void prep_transpose_samples(
    const uint8_t *source, ptrdiff_t source_stride, int32_t width, int32_t height, uint8_t *target, ptrdiff_t target_stride) {
    for (int32_t y = 0; y < height; y += TILE) {
        for (int32_t x = 0; x < width; x += TILE) {
            transpose_tile(
                source + y * source_stride + x, source_stride, width - x < TILE ? width - x : TILE,
                height - y < TILE ? height - y : TILE, target + x * target_stride + y, target_stride);
        }
    }
}

void prep_reverse_samples(const uint8_t *source, int32_t count, uint8_t *target) {
    for (int32_t i = 0; i < count; i++) target[i] = source[count - 1 - i];
}
