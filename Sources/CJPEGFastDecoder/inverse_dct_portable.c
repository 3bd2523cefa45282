// The inverse DCT in plain C: the specification of the implementations for other instruction sets. Compilers vectorize
// it, because loops are over lines, factors of products have 16 bits, and entries are in the order of a block.
#include "inverse_dct.h"

// The functions with a parameter `size` are inlined, so that it is a constant: 8, or 4 for a sparse block, of which
// only rows and columns 0 to 3 are not zero.
#define ALWAYS_INLINE __attribute__((always_inline)) static inline

// One dimension of the transform for `line_count` lines. Entry i of line n is at ROW_i + 2 * n. Each constant is a sum
// of the algorithm's constants, with 13 fractional bits. All sums and products are integers, so the result is the same
// as that of the algorithm's individual steps.
ALWAYS_INLINE void inverse_dct_lines(const coefficient_block *lines, int size, int line_count, int32_t out[8][8]) {
    for (int n = 0; n < line_count; n++) {
        const int16_t *in = lines->values + 2 * n;
        const int16_t x0 = in[ROW_0], x1 = in[ROW_1], x2 = in[ROW_2], x3 = in[ROW_3];
        const int16_t x4 = size > 4 ? in[ROW_4] : 0, x5 = size > 4 ? in[ROW_5] : 0;
        const int16_t x6 = size > 4 ? in[ROW_6] : 0, x7 = size > 4 ? in[ROW_7] : 0;
        const int32_t sum = 8192 * x0 + 8192 * x4, difference = 8192 * x0 - 8192 * x4;
        const int32_t outer = 10703 * x2 + 4433 * x6, inner = 4433 * x2 - 10704 * x6;
        const int32_t e0 = sum + outer, e3 = sum - outer, e1 = difference + inner, e2 = difference - inner;
        const int32_t o0 = 11363 * x1 + 9633 * x3 + 6437 * x5 + 2260 * x7;
        const int32_t o1 = 9633 * x1 - 2259 * x3 - 11362 * x5 - 6436 * x7;
        const int32_t o2 = 6437 * x1 - 11362 * x3 + 2261 * x5 + 9633 * x7;
        const int32_t o3 = 2260 * x1 - 6436 * x3 + 9633 * x5 - 11363 * x7;
        out[0][n] = e0 + o0, out[7][n] = e0 - o0;
        out[1][n] = e1 + o1, out[6][n] = e1 - o1;
        out[2][n] = e2 + o2, out[5][n] = e2 - o2;
        out[3][n] = e3 + o3, out[4][n] = e3 - o3;
    }
}

static inline int32_t shift_rounding(int32_t value, int32_t bits) { return (value + (1 << (bits - 1))) >> bits; }

static inline uint8_t clamped_sample(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

static const uint8_t row_starts[8] = {ROW_0, ROW_1, ROW_2, ROW_3, ROW_4, ROW_5, ROW_6, ROW_7};

// Dequantizes the coefficients, and returns whether the sum of their magnitudes is within the limit.
ALWAYS_INLINE bool dequantize(
    const coefficient_block *block, const coefficient_block *steps, int size, coefficient_block *out) {
    int32_t sum = 0;
    for (int pair = 0; pair < (size > 4 ? 4 : 3); pair++) { // the rows 5 and 7 are the last pair
        for (int i = 16 * pair; i < 16 * pair + 2 * size; i++) {
            const int32_t value = block->values[i] * steps->values[i];
            sum += value < 0 ? -value : value;
            out->values[i] = (int16_t)value;
        }
    }
    return sum <= PREP_MAX_COEFFICIENT_SUM;
}

// Columns first, whose results keep 2 fractional bits; then rows. The order matters, because each pass rounds.
ALWAYS_INLINE bool transform_block(
    coefficient_block *block, const coefficient_block *steps, int size, uint8_t *out, size_t stride) {
    coefficient_block coefficients, rows;
    int32_t sums[8][8];
    if (!dequantize(block, steps, size, &coefficients)) return false;
    *block = (coefficient_block){{0}};
    inverse_dct_lines(&coefficients, size, size, sums);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < size; x++) rows.values[row_starts[x] + 2 * y] = (int16_t)shift_rounding(sums[y][x], 11);
    inverse_dct_lines(&rows, size, 8, sums);
    for (int y = 0; y < 8; y++) {
        uint8_t *row = out + (size_t)y * stride;
        for (int x = 0; x < 8; x++) row[x] = clamped_sample(shift_rounding(sums[x][y], 18) + 128);
    }
    return true;
}

bool prep_inverse_dct_block_portable(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    return transform_block(block, steps, 8, out, stride);
}

bool prep_inverse_dct_sparse_block_portable(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    return transform_block(block, steps, 4, out, stride);
}

// One dimension of the transform at half size. An output is the average of two adjacent outputs of the transform above:
// the cosine at their center, times cos(kπ/16) for entry k. For entry 4 the cosine at the center is 0.
ALWAYS_INLINE void half_inverse_dct_lines(
    const coefficient_block *lines, int size, int line_count, int32_t out[4][8]) {
    for (int n = 0; n < line_count; n++) {
        const int16_t *in = lines->values + 2 * n;
        const int16_t x0 = in[ROW_0], x1 = in[ROW_1], x2 = in[ROW_2], x3 = in[ROW_3];
        const int16_t x5 = size > 4 ? in[ROW_5] : 0, x6 = size > 4 ? in[ROW_6] : 0, x7 = size > 4 ? in[ROW_7] : 0;
        const int32_t even = 15137 * x2 - 6270 * x6, e0 = 16384 * x0 + even, e1 = 16384 * x0 - even;
        const int32_t o0 = 20995 * x1 + 7373 * x3 - 4926 * x5 - 4176 * x7;
        const int32_t o1 = 8697 * x1 - 17799 * x3 + 11893 * x5 - 1730 * x7;
        out[0][n] = e0 + o0, out[3][n] = e0 - o0;
        out[1][n] = e1 + o1, out[2][n] = e1 - o1;
    }
}

// As `transform_block`. Each pass has a gain of 2 more, which its shift removes.
ALWAYS_INLINE bool half_transform_block(
    coefficient_block *block, const coefficient_block *steps, int size, uint8_t *out, size_t stride) {
    coefficient_block coefficients, rows;
    int32_t sums[4][8];
    if (!dequantize(block, steps, size, &coefficients)) return false;
    *block = (coefficient_block){{0}};
    half_inverse_dct_lines(&coefficients, size, size, sums);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < size; x++) rows.values[row_starts[x] + 2 * y] = (int16_t)shift_rounding(sums[y][x], 12);
    half_inverse_dct_lines(&rows, size, 4, sums);
    for (int y = 0; y < 4; y++) {
        uint8_t *row = out + (size_t)y * stride;
        for (int x = 0; x < 4; x++) row[x] = clamped_sample(shift_rounding(sums[x][y], 19) + 128);
    }
    return true;
}

bool prep_half_inverse_dct_block_portable(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    return half_transform_block(block, steps, 8, out, stride);
}

bool prep_half_inverse_dct_sparse_block_portable(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    return half_transform_block(block, steps, 4, out, stride);
}
