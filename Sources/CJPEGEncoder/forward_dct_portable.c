// The forward DCT in plain C: the specification of the implementations for other instruction sets. Compilers vectorize
// it, because loops are over lines, and factors of products have 16 bits.
#include "forward_dct.h"

const uint8_t prep_encoder_zigzag[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

static inline int16_t shift_rounding(int32_t value, int32_t bits) {
    return (int16_t)((value + (1 << (bits - 1))) >> bits);
}

// One dimension of the transform for 8 lines. Entry i of line n is at 8 * i + n. The results have `fraction_bits` more
// than the samples: 2 after the first pass, and none after the second. Each constant is a sum of the algorithm's
// constants, with 13 fractional bits. All sums and products are integers, so the result is the same as that of the
// algorithm's individual steps.
static inline void forward_dct_lines(const int16_t in[64], int is_first_pass, int16_t out[64]) {
    const int32_t shift = is_first_pass ? 11 : 15;
    for (int n = 0; n < 8; n++) {
        const int16_t s0 = (int16_t)(in[n] + in[56 + n]), d0 = (int16_t)(in[n] - in[56 + n]);
        const int16_t s1 = (int16_t)(in[8 + n] + in[48 + n]), d1 = (int16_t)(in[8 + n] - in[48 + n]);
        const int16_t s2 = (int16_t)(in[16 + n] + in[40 + n]), d2 = (int16_t)(in[16 + n] - in[40 + n]);
        const int16_t s3 = (int16_t)(in[24 + n] + in[32 + n]), d3 = (int16_t)(in[24 + n] - in[32 + n]);
        const int16_t outer = (int16_t)(s0 - s3), inner = (int16_t)(s1 - s2);
        const int32_t sum = s0 + s3 + s1 + s2, difference = s0 + s3 - s1 - s2;
        out[n] = is_first_pass ? (int16_t)(sum * 4) : shift_rounding(sum, 2);
        out[32 + n] = is_first_pass ? (int16_t)(difference * 4) : shift_rounding(difference, 2);
        out[16 + n] = shift_rounding(10703 * outer + 4433 * inner, shift);
        out[48 + n] = shift_rounding(4433 * outer - 10704 * inner, shift);
        out[8 + n] = shift_rounding(11363 * d0 + 9633 * d1 + 6437 * d2 + 2260 * d3, shift);
        out[24 + n] = shift_rounding(9633 * d0 - 2259 * d1 - 11362 * d2 - 6436 * d3, shift);
        out[40 + n] = shift_rounding(6437 * d0 - 11362 * d1 + 2261 * d2 + 9633 * d3, shift);
        out[56 + n] = shift_rounding(2260 * d0 - 6436 * d1 + 9633 * d2 - 11363 * d3, shift);
    }
}

// Rows first, whose results keep 2 fractional bits; then columns. The order matters, because each pass rounds.
void prep_forward_dct_portable(const uint8_t *const rows[8], int32_t block_count, int16_t *out) {
    for (int32_t i = 0; i < block_count; i++, out += 64) {
        int16_t columns[64], transformed[64];
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++) columns[8 * x + y] = (int16_t)(rows[y][8 * i + x] - 128);
        forward_dct_lines(columns, 1, transformed);
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++) columns[8 * y + x] = transformed[8 * x + y];
        forward_dct_lines(columns, 0, transformed);
        for (int k = 0; k < 64; k++) out[k] = transformed[prep_encoder_zigzag[k]];
    }
}
