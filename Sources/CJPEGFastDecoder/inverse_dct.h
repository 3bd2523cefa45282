// The inverse DCT of one block. Private to the fast decoder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Coefficients in the order of the transform: rows 0 and 4, 2 and 6, 1 and 3, 5 and 7 in pairs, with the entries of the
// two rows alternating.
typedef struct {
    _Alignas(32) int16_t values[64];
} coefficient_block;

// The index in a block of the k-th coefficient in zigzag order.
extern const uint8_t prep_block_index_of_zigzag[64];

// The maximum sum of the magnitudes of a block's dequantized coefficients. Above it the 16-bit intermediates could
// overflow, as in libjpeg's SIMD, but with a different result. The first pass has a gain of 4 times 1.387, so 5,900
// just stays below 32,768. Noise of full contrast has about 3,800.
enum { PREP_MAX_COEFFICIENT_SUM = 5900 };

// Writes 8 rows of 8 samples, `stride` bytes apart. `steps` are the quantization steps, at most 4,095 each, in the
// order of a block. Coefficients are at most 2,047. Returns false, with nothing written, if the sum exceeds the
// maximum.
bool prep_inverse_dct_block(
    const coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride);

// The same for a block that is zero except for its first PREP_SPARSE_COEFFICIENT_COUNT coefficients in zigzag order,
// which lie within rows and columns 0 to 3.
enum { PREP_SPARSE_COEFFICIENT_COUNT = 10 };
bool prep_inverse_dct_sparse_block(
    const coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride);

// The same for a block that is zero except for its DC coefficient, which is dequantized and does not exceed the
// maximum.
void prep_inverse_dct_dc_only_block(int32_t dc, uint8_t *out, size_t stride);
