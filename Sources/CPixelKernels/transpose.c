#include "pixel_kernels.h"

// Vectors of the compiler, which are registers on every architecture. Moving samples needs only the baseline
// instructions, so one implementation serves all instruction sets.
typedef uint8_t sample_vector __attribute__((vector_size(16)));

#define INTERLEAVE_LOW(a, b) \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define INTERLEAVE_HIGH(a, b) \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

// memcpy is called as a builtin, since a build that only checks compilation for another architecture has no headers.
enum {
    BLOCK_SIDE = 8, // samples on a side of a block that is transposed in registers
    TILE_SIDE = 64  // samples on a side of a tile: one cache line, and 8 KiB of source and target together
};

static inline sample_vector load_block_row(const uint8_t *source) {
    sample_vector row = {0};
    __builtin_memcpy(&row, source, BLOCK_SIDE);
    return row;
}

static inline void transpose_block(
    const uint8_t *source, ptrdiff_t source_stride, uint8_t *target, ptrdiff_t target_stride) {
    sample_vector pairs[4];
    for (int i = 0; i < 4; i++) {
        pairs[i] = INTERLEAVE_LOW(
            load_block_row(source + i * source_stride), load_block_row(source + (i + 4) * source_stride));
    }
    const sample_vector even[2] = {INTERLEAVE_LOW(pairs[0], pairs[2]), INTERLEAVE_HIGH(pairs[0], pairs[2])};
    const sample_vector odd[2] = {INTERLEAVE_LOW(pairs[1], pairs[3]), INTERLEAVE_HIGH(pairs[1], pairs[3])};
    for (int i = 0; i < 4; i++) {
        const sample_vector columns =
            i % 2 == 0 ? INTERLEAVE_LOW(even[i / 2], odd[i / 2]) : INTERLEAVE_HIGH(even[i / 2], odd[i / 2]);
        __builtin_memcpy(target + 2 * i * target_stride, &columns, BLOCK_SIDE);
        __builtin_memcpy(target + (2 * i + 1) * target_stride, (const uint8_t *)&columns + BLOCK_SIDE, BLOCK_SIDE);
    }
}

static void transpose_tile(
    const uint8_t *source, ptrdiff_t source_stride, int32_t width, int32_t height, uint8_t *target,
    ptrdiff_t target_stride) {
    const int32_t whole_blocks_width = width - width % BLOCK_SIDE, whole_blocks_height = height - height % BLOCK_SIDE;
    for (int32_t y = 0; y < whole_blocks_height; y += BLOCK_SIDE) {
        for (int32_t x = 0; x < whole_blocks_width; x += BLOCK_SIDE) {
            transpose_block(
                source + y * source_stride + x, source_stride, target + x * target_stride + y, target_stride);
        }
    }
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = y < whole_blocks_height ? whole_blocks_width : 0; x < width; x++) {
            target[x * target_stride + y] = source[y * source_stride + x];
        }
    }
}

void prep_transpose_samples(
    const uint8_t *source, ptrdiff_t source_stride, int32_t width, int32_t height, uint8_t *target,
    ptrdiff_t target_stride) {
    for (int32_t y = 0; y < height; y += TILE_SIDE) {
        for (int32_t x = 0; x < width; x += TILE_SIDE) {
            transpose_tile(
                source + y * source_stride + x, source_stride, width - x < TILE_SIDE ? width - x : TILE_SIDE,
                height - y < TILE_SIDE ? height - y : TILE_SIDE, target + x * target_stride + y, target_stride);
        }
    }
}

void prep_reverse_samples(const uint8_t *source, int32_t count, uint8_t *target) {
    for (int32_t i = 0; i < count; i++) target[i] = source[count - 1 - i];
}
