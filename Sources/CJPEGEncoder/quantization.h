// Quantization tables, and what follows from them for the coding of a block. Private to the encoder.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "jpeg_compact_encoder.h"

// Blocks are classed by the energy of their AC coefficients. From the last class on, all have the same lambda.
enum { ENERGY_CLASSES = 25, MAX_AC_SIZE = 10, MAX_ZERO_RUN = 62 };

enum { LAMBDA_FRACTION_BITS = 8 };

// The quantization of one component, in zigzag order. The coefficients are multiplied by 8, and so are these steps.
typedef struct {
    _Alignas(32) uint16_t half_steps[64];
    // The level of a magnitude x is floor((x + half step) / step), which is n * r >> (15 + k), with n the sum over 8,
    // r = ceil(8 * 2^(15 + k) / step) and 2^k <= step / 8 < 2^(k + 1). Vectors have only high halves of products, so
    // it takes two: 2 * n * r >> 16, doubled, times the shift factor 2^(15 - k), >> 16.
    uint16_t reciprocals[64], shift_factors[64];
    // A coefficient of level 1 below this magnitude may cost more bits than its error is worth.
    int16_t thresholds[ENERGY_CLASSES][64];
    // One of level 2 below this magnitude becomes 1, except DC, for which it is 0.
    int16_t level_2_thresholds[ENERGY_CLASSES][64];
    int16_t steps[64];
    // The bits of a coefficient of a size after a run of zeros, with its value bits; and those of an end of block.
    uint8_t bit_costs[MAX_ZERO_RUN + 1][MAX_AC_SIZE + 1], end_of_block_cost;
    uint8_t table[64]; // the quantization table of the file
    uint32_t first_symbol; // the index of the component's DC symbols in the counts; AC symbols follow
} block_quantizer;

// The bits that a squared error of a squared step is worth, for each class of energy, with LAMBDA_FRACTION_BITS.
extern const int32_t prep_encoder_lambdas[ENERGY_CLASSES];

// Initializes the quantization of luma or chroma for a quality of 1 to 100. There is one chroma sample for
// `pixels_per_chroma_sample` pixels; 0 for a gray image.
void prep_block_quantizer_init(
    block_quantizer *quantizer, int32_t quality, bool is_chroma, int32_t pixels_per_chroma_sample);
