// The inverse DCT in plain C: the specification of the implementations for other instruction sets.
#include "inverse_dct.h"

// One dimension of the transform. Each constant is a sum of the algorithm's constants, with 13 fractional bits. All sums
// and products are integers, so the result is the same as that of the algorithm's individual steps.
static inline void inverse_dct_line(const int32_t in[8], int32_t out[8]) {
    const int32_t sum = 8192 * (in[0] + in[4]), difference = 8192 * (in[0] - in[4]);
    const int32_t outer = 10703 * in[2] + 4433 * in[6], inner = 4433 * in[2] - 10704 * in[6];
    const int32_t e0 = sum + outer, e3 = sum - outer, e1 = difference + inner, e2 = difference - inner;
    const int32_t o0 = 11363 * in[1] + 9633 * in[3] + 6437 * in[5] + 2260 * in[7];
    const int32_t o1 = 9633 * in[1] - 2259 * in[3] - 11362 * in[5] - 6436 * in[7];
    const int32_t o2 = 6437 * in[1] - 11362 * in[3] + 2261 * in[5] + 9633 * in[7];
    const int32_t o3 = 2260 * in[1] - 6436 * in[3] + 9633 * in[5] - 11363 * in[7];
    out[0] = e0 + o0, out[7] = e0 - o0;
    out[1] = e1 + o1, out[6] = e1 - o1;
    out[2] = e2 + o2, out[5] = e2 - o2;
    out[3] = e3 + o3, out[4] = e3 - o3;
}

static inline int32_t shift_rounding(int32_t value, int32_t bits) { return (value + (1 << (bits - 1))) >> bits; }

static inline uint8_t clamped_sample(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

static bool is_within_coefficient_limit(const coefficient_block *block, const coefficient_block *steps) {
    int32_t sum = 0;
    for (int i = 0; i < 64; i++) {
        const int32_t value = block->values[i] * steps->values[i];
        sum += value < 0 ? -value : value;
    }
    return sum <= PREP_MAX_COEFFICIENT_SUM;
}

static const uint8_t row_starts[8] = {ROW_0, ROW_1, ROW_2, ROW_3, ROW_4, ROW_5, ROW_6, ROW_7};

// Columns first, whose sums keep 2 fractional bits; then rows. The order matters, because each pass rounds.
bool prep_inverse_dct_block_portable(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    if (!is_within_coefficient_limit(block, steps)) return false;
    int32_t rows[8][8];
    for (int x = 0; x < 8; x++) {
        int32_t column[8], sums[8];
        for (int y = 0; y < 8; y++) {
            const int i = row_starts[y] + 2 * x;
            column[y] = block->values[i] * steps->values[i];
        }
        inverse_dct_line(column, sums);
        for (int y = 0; y < 8; y++) rows[y][x] = shift_rounding(sums[y], 11);
    }
    *block = (coefficient_block){{0}};
    for (int y = 0; y < 8; y++) {
        int32_t sums[8];
        inverse_dct_line(rows[y], sums);
        uint8_t *row = out + (size_t)y * stride;
        for (int x = 0; x < 8; x++) row[x] = clamped_sample(shift_rounding(sums[x], 18) + 128);
    }
    return true;
}

bool prep_inverse_dct_sparse_block_portable(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    return prep_inverse_dct_block_portable(block, steps, out, stride);
}
