// The forward DCT of a row of blocks. Private to the encoder.
#pragma once

#include <stdint.h>

#include "jpeg_compact_encoder.h"

// The index in natural order, row by row, of the k-th coefficient in zigzag order.
extern const uint8_t prep_encoder_zigzag[64];

// Transforms `block_count` adjacent blocks of 8 rows. Reads `8 * block_count` samples of each row. Writes 64
// coefficients for each block, in zigzag order and multiplied by 8: at most 8192 in magnitude.
typedef void forward_dct_function(const uint8_t *const rows[8], int32_t block_count, int16_t *out);

forward_dct_function prep_forward_dct_portable;
#if defined(__x86_64__)
forward_dct_function prep_forward_dct_avx2;
#elif defined(__aarch64__)
forward_dct_function prep_forward_dct_neon;
#endif
