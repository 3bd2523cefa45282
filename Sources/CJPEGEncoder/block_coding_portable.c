// The quantization of a block in plain C: the specification of the implementations for other instruction sets.
#include "block_coding.h"

token *prep_code_block_portable(
    const int16_t *coefficients, const block_quantizer *quantizer, int32_t *dc_predictor, token *tokens,
    uint32_t *counts) {
    int16_t levels[64];
    uint32_t sum_of_squares = 0;
    for (int k = 0; k < 64; k++) {
        const uint32_t magnitude = magnitude_of(coefficients[k]);
        const uint32_t sum = (magnitude + quantizer->half_steps[k]) >> 3;
        const uint32_t high = 2 * sum * quantizer->reciprocals[k] >> 16;
        const int32_t level = (int32_t)(2 * high * quantizer->shift_factors[k] >> 16);
        levels[k] = (int16_t)(coefficients[k] < 0 ? -level : level);
        sum_of_squares += k > 0 ? magnitude * magnitude : 0;
    }
    const int32_t class = energy_class(sum_of_squares);
    const int16_t *thresholds = quantizer->thresholds[class];
    const int16_t *level_2_thresholds = quantizer->level_2_thresholds[class];
    uint64_t nonzero = 0, candidates = 0;
    for (int k = 1; k < 64; k++) {
        const int32_t magnitude = (int32_t)magnitude_of(coefficients[k]);
        if (magnitude_of(levels[k]) == 2 && magnitude < level_2_thresholds[k]) levels[k] /= 2;
        nonzero |= (uint64_t)(levels[k] != 0) << k;
        candidates |= (uint64_t)(levels[k] != 0 && magnitude < thresholds[k]) << k;
    }
    return code_levels(
        coefficients, levels, nonzero, candidates, class, quantizer, dc_predictor, tokens, counts);
}
