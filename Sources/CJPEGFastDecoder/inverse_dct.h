// Inverse transform of one block. Private to the scan decoder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Coefficients in the order in which the transform takes them: rows 0 and 4, 2 and 6, 1 and 3, 5 and 7 in pairs, their
// entries alternating.
typedef struct {
    _Alignas(32) int16_t values[64];
} coefficient_block;

// For the k-th coefficient in zigzag order, its place in a block.
extern const uint8_t prep_block_index_of_zigzag[64];

// The magnitudes of a block's dequantized coefficients may sum to so much: beyond that the 16-bit intermediates could
// overflow, in libjpeg's SIMD too, and in its own way. With 4 times 1.387, the first pass's gain, 5,900 just stays
// below 32,768; noise of full contrast has some 3,800.
enum { PREP_MAX_COEFFICIENT_SUM = 5900 };

// Writes 8 rows of 8 samples, `stride` bytes apart. `steps` are the quantization's, at most 4,095 each, in the order of
// the block; coefficients are at most 2,047. False, with nothing written, beyond the limit.
bool prep_inverse_dct_block(
    const coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride);

// The same for a block whose first PREP_SPARSE_COEFFICIENT_COUNT coefficients in zigzag order are all that may not be
// zero: those that lie within rows and columns 0 to 3.
enum { PREP_SPARSE_COEFFICIENT_COUNT = 10 };
bool prep_inverse_dct_sparse_block(
    const coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride);

// The same for a block of which only the first coefficient isn't zero: it is dequantized, and within the limit.
void prep_inverse_dct_dc_only_block(int32_t dc, uint8_t *out, size_t stride);
