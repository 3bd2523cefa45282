// What all instruction sets share: the order of a block, blocks of which only the DC coefficient counts, and the choice
// of a set.
#include "inverse_dct.h"

#include <string.h>

#define AT(row, column) (ROW_##row + 2 * (column))

const uint8_t prep_block_index_of_zigzag[PREP_ZIGZAG_INDEX_COUNT] = {
    AT(0, 0), AT(0, 1), AT(1, 0), AT(2, 0), AT(1, 1), AT(0, 2), AT(0, 3), AT(1, 2),
    AT(2, 1), AT(3, 0), AT(4, 0), AT(3, 1), AT(2, 2), AT(1, 3), AT(0, 4), AT(0, 5),
    AT(1, 4), AT(2, 3), AT(3, 2), AT(4, 1), AT(5, 0), AT(6, 0), AT(5, 1), AT(4, 2),
    AT(3, 3), AT(2, 4), AT(1, 5), AT(0, 6), AT(0, 7), AT(1, 6), AT(2, 5), AT(3, 4),
    AT(4, 3), AT(5, 2), AT(6, 1), AT(7, 0), AT(7, 1), AT(6, 2), AT(5, 3), AT(4, 4),
    AT(3, 5), AT(2, 6), AT(1, 7), AT(2, 7), AT(3, 6), AT(4, 5), AT(5, 4), AT(6, 3),
    AT(7, 2), AT(7, 3), AT(6, 4), AT(5, 5), AT(4, 6), AT(3, 7), AT(4, 7), AT(5, 6),
    AT(6, 5), AT(7, 4), AT(7, 5), AT(6, 6), AT(5, 7), AT(6, 7), AT(7, 6), AT(7, 7),
    [64 ... PREP_ZIGZAG_INDEX_COUNT - 1] = 64,
};

// With only a DC coefficient every sample is an eighth of it, at all sizes. Both passes together round only once.
static uint8_t dc_only_sample(int32_t dc) {
    const int32_t value = ((dc + 4) >> 3) + 128;
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

void prep_inverse_dct_dc_only_block(int32_t dc, uint8_t *out, size_t stride) {
    const uint8_t sample = dc_only_sample(dc);
    for (int y = 0; y < 8; y++) memset(out + (size_t)y * stride, sample, 8);
}

void prep_half_inverse_dct_dc_only_block(int32_t dc, uint8_t *out, size_t stride) {
    const uint8_t sample = dc_only_sample(dc);
    for (int y = 0; y < 4; y++) memset(out + (size_t)y * stride, sample, 4);
}

static void write_dc_only_block_mean(int32_t dc, uint8_t *out, size_t stride) {
    (void)stride;
    *out = dc_only_sample(dc);
}

static bool write_block_mean(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    const int32_t dc = block->values[0] * steps->values[0];
    if (dc > PREP_MAX_COEFFICIENT_SUM || dc < -PREP_MAX_COEFFICIENT_SUM) return false;
    *block = (coefficient_block){{0}};
    write_dc_only_block_mean(dc, out, stride);
    return true;
}

// The kernels of an instruction set for 8 by 8 samples, for 4 by 4, and for one, which all sets share.
#define KERNELS(set) \
    {{prep_inverse_dct_block_##set, prep_inverse_dct_sparse_block_##set, prep_inverse_dct_dc_only_block}, \
     {prep_half_inverse_dct_block_##set, prep_half_inverse_dct_sparse_block_##set, \
      prep_half_inverse_dct_dc_only_block}, \
     {write_block_mean, write_block_mean, write_dc_only_block_mean}}

#if defined(__x86_64__)
static const inverse_dct_kernels avx2_kernels[3] = KERNELS(avx2);
#elif defined(__aarch64__)
static const inverse_dct_kernels neon_kernels[3] = KERNELS(neon);
#endif
static const inverse_dct_kernels portable_kernels[3] = KERNELS(portable);

const inverse_dct_kernels *prep_inverse_dct_kernels(prep_jpeg_fast_instruction_set set, int32_t block_size) {
    if (block_size != 8 && block_size != 4 && block_size != 1) return NULL;
    const int index = block_size == 8 ? 0 : block_size == 4 ? 1 : 2;
    switch (set) {
    case PREP_JPEG_FAST_PORTABLE: return &portable_kernels[index];
#if defined(__x86_64__)
    case PREP_JPEG_FAST_AVX2: return __builtin_cpu_supports("avx2") ? &avx2_kernels[index] : NULL;
#elif defined(__aarch64__)
    case PREP_JPEG_FAST_NEON: return &neon_kernels[index];
#endif
    default: return NULL;
    }
}
