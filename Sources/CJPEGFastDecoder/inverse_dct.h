// The inverse DCT of one block. Private to the fast decoder.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jpeg_fast_decoder.h"

// Coefficients in an order that suits the transforms: two rows in each 16 entries, with their columns alternating.
//
//      0: (0,0) (4,0) (0,1) (4,1) ... (0,7) (4,7)
//     16: (2,0) (6,0) (2,1) (6,1) ... (2,7) (6,7)
//     32: (1,0) (3,0) (1,1) (3,1) ... (1,7) (3,7)
//     48: (5,0) (7,0) (5,1) (7,1) ... (5,7) (7,7)
typedef struct {
    _Alignas(32) int16_t values[64];
} coefficient_block;

// The index in a block of a row's first coefficient. The next one is 2 entries further on.
enum { ROW_0 = 0, ROW_4 = 1, ROW_2 = 16, ROW_6 = 17, ROW_1 = 32, ROW_3 = 33, ROW_5 = 48, ROW_7 = 49 };

// The index in a block of the k-th coefficient in zigzag order; 64 from the 64th on, which no block has.
enum { PREP_ZIGZAG_INDEX_COUNT = 192 };
extern const uint8_t __attribute__((visibility("hidden"))) prep_block_index_of_zigzag[PREP_ZIGZAG_INDEX_COUNT];

// The maximum sum of the magnitudes of a block's dequantized coefficients. Above it the 16-bit intermediates could
// overflow, as in libjpeg's SIMD, but with a different result. The first pass has a gain of 4 times 1.387, so 5,900
// just stays below 32,768. Noise of full contrast has about 3,800.
enum { PREP_MAX_COEFFICIENT_SUM = 5900 };

// Writes 8 rows of 8 samples, 4 of 4 at half size, or one, `stride` bytes apart, and sets the block to zero for the
// next coefficients. The transform can use the widest vectors for that, and fewer stores for a sparse block. `steps`
// are the quantization steps, at most 4,095 each, in the order of a block. Coefficients are at most 2,047. Returns
// false, with nothing written, if the sum exceeds the maximum.
typedef bool inverse_dct_function(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride);

// A sparse block is zero except for its first PREP_SPARSE_COEFFICIENT_COUNT coefficients in zigzag order, which lie
// within rows and columns 0 to 3.
enum { PREP_SPARSE_COEFFICIENT_COUNT = 10 };

// Writes the samples of a block that is zero except for its DC coefficient, which is dequantized and does not exceed
// the maximum.
typedef void dc_only_function(int32_t dc, uint8_t *out, size_t stride);

// The transform for one instruction set and one size. The samples, and the blocks that exceed the maximum, are the same
// for all sets.
typedef struct {
    inverse_dct_function *any_block, *sparse_block;
    dc_only_function *dc_only_block;
} inverse_dct_kernels;

// Returns the transform for an instruction set and for blocks of 8 by 8, 4 by 4 or 1 by 1 samples; NULL if this build
// or this processor does not have the set, or for another size.
const inverse_dct_kernels *prep_inverse_dct_kernels(prep_jpeg_fast_instruction_set set, int32_t block_size);

dc_only_function prep_inverse_dct_dc_only_block, prep_half_inverse_dct_dc_only_block;
inverse_dct_function prep_inverse_dct_block_portable, prep_inverse_dct_sparse_block_portable;
inverse_dct_function prep_half_inverse_dct_block_portable, prep_half_inverse_dct_sparse_block_portable;
#if defined(__x86_64__)
inverse_dct_function prep_inverse_dct_block_avx2, prep_inverse_dct_sparse_block_avx2;
inverse_dct_function prep_half_inverse_dct_block_avx2, prep_half_inverse_dct_sparse_block_avx2;
#elif defined(__aarch64__)
inverse_dct_function prep_inverse_dct_block_neon, prep_inverse_dct_sparse_block_neon;
inverse_dct_function prep_half_inverse_dct_block_neon, prep_half_inverse_dct_sparse_block_neon;
#endif
