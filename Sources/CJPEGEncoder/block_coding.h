// The coding of a block: from coefficients to tokens. Private to the encoder.
#pragma once

#include "huffman.h"
#include "quantization.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

enum { MAX_TOKENS_PER_BLOCK = 64 };

// Quantizes a block of transformed coefficients, and writes its tokens, at most MAX_TOKENS_PER_BLOCK. Counts their
// symbols. Returns the end of the tokens. `dc_predictor` is the DC level of the component's last block; it is replaced.
typedef token *code_block_function(
    const int16_t *coefficients, const block_quantizer *quantizer, int32_t *dc_predictor, token *tokens,
    uint32_t *counts);

code_block_function prep_code_block_portable;
#if defined(__x86_64__)
code_block_function prep_code_block_avx2;
#elif defined(__aarch64__)
code_block_function prep_code_block_neon;
#endif

// The sum of a block's squared AC coefficients: its class has two steps for each doubling, and 0 is below 1.5 squared
// sample values on average.
ALWAYS_INLINE int32_t energy_class(uint32_t sum_of_squares) {
    const uint32_t energy = sum_of_squares >> 6;
    if (energy < 16) return 0;
    const int32_t exponent = 31 - __builtin_clz(energy);
    const int32_t index = 2 * exponent + (int32_t)(energy >> (exponent - 1) & 1) - 8;
    return index < ENERGY_CLASSES ? index : ENERGY_CLASSES - 1;
}

ALWAYS_INLINE int32_t highest_bit(uint64_t bits) { return 63 - __builtin_clzll(bits); }

ALWAYS_INLINE uint32_t magnitude_of(int32_t value) { return (uint32_t)(value < 0 ? -value : value); }

// The number of bits of a magnitude above 0.
ALWAYS_INLINE uint32_t size_of_magnitude(uint32_t magnitude) { return 32 - (uint32_t)__builtin_clz(magnitude); }

// Returns how many bits are saved if the coefficient at k, of level 1, becomes 0, beside the coefficients of `kept`.
ALWAYS_INLINE int32_t saved_bits(
    uint64_t kept, int32_t k, const int16_t *levels, const block_quantizer *quantizer) {
    const uint64_t above = kept >> k >> 1, below = (kept & (((uint64_t)1 << k) - 1)) | 1;
    const int32_t run = k - highest_bit(below) - 1, cost = quantizer->bit_costs[run][1];
    if (above == 0) return k == 63 ? cost - quantizer->end_of_block_cost : cost;
    const int32_t next_run = __builtin_ctzll(above);
    const uint32_t size = size_of_magnitude(magnitude_of(levels[k + 1 + next_run]));
    return cost + quantizer->bit_costs[next_run][size] - quantizer->bit_costs[run + next_run + 1][size];
}

// Returns the nonzero coefficients without those of the candidates, all of level 1, that save more bits than their
// error is worth. That increases from (1 - u)^2 to u^2, with the magnitude u in steps: by 2u - 1. The last candidate
// comes first, because without it an earlier one is more often the last coefficient.
ALWAYS_INLINE uint64_t drop_coefficients(
    uint64_t nonzero, uint64_t candidates, const int16_t *coefficients, const int16_t *levels, int32_t lambda,
    const block_quantizer *quantizer) {
    while (candidates != 0) {
        const int32_t k = highest_bit(candidates);
        const uint64_t bit = (uint64_t)1 << k;
        candidates ^= bit;
        const int32_t saved = saved_bits(nonzero, k, levels, quantizer), step = quantizer->steps[k];
        const int32_t error = 2 * (int32_t)magnitude_of(coefficients[k]) - step; // in steps, times the step
        nonzero &= ~(saved * step * (1 << LAMBDA_FRACTION_BITS) > lambda * error ? bit : 0);
    }
    return nonzero;
}

ALWAYS_INLINE token *add_token(token *tokens, uint32_t *counts, uint32_t symbol, uint32_t value_bits) {
    counts[symbol]++;
    *tokens = symbol << 16 | value_bits;
    return tokens + 1;
}

// Adds a token for a value after a run of at most 15 zeros. A negative value has the bits of the value minus 1.
ALWAYS_INLINE token *add_value(token *tokens, uint32_t *counts, uint32_t first_symbol, uint32_t run, int32_t value) {
    const int32_t sign = value >> 31;
    const uint32_t magnitude = (uint32_t)((value ^ sign) - sign);
    const uint32_t size = size_of_magnitude(magnitude);
    return add_token(
        tokens, counts, first_symbol + (run << 4) + size, (uint32_t)(value + sign) & (((uint32_t)1 << size) - 1));
}

ALWAYS_INLINE token *add_dc_difference(token *tokens, uint32_t *counts, uint32_t first_symbol, int32_t difference) {
    if (difference == 0) return add_token(tokens, counts, first_symbol, 0);
    return add_value(tokens, counts, first_symbol, 0, difference);
}

// Adds the tokens of a block. `nonzero` has a bit for each AC coefficient that is coded.
ALWAYS_INLINE token *add_block(
    token *tokens, uint32_t *counts, const int16_t *levels, uint64_t nonzero, int32_t *dc_predictor,
    uint32_t first_symbol) {
    tokens = add_dc_difference(tokens, counts, first_symbol, levels[0] - *dc_predictor);
    *dc_predictor = levels[0];
    first_symbol += LUMA_AC - LUMA_DC;
    int32_t last = 0;
    for (; nonzero != 0; nonzero &= nonzero - 1) {
        const int32_t k = __builtin_ctzll(nonzero);
        uint32_t run = (uint32_t)(k - last - 1);
        for (; run > 15; run -= 16) tokens = add_token(tokens, counts, first_symbol + ZERO_RUN, 0);
        tokens = add_value(tokens, counts, first_symbol, run, levels[k]);
        last = k;
    }
    return last == 63 ? tokens : add_token(tokens, counts, first_symbol + END_OF_BLOCK, 0);
}

// Decides which coefficients are coded, and adds the block's tokens.
ALWAYS_INLINE token *code_levels(
    const int16_t *coefficients, const int16_t *levels, uint64_t nonzero, uint64_t candidates, int32_t class,
    const block_quantizer *quantizer, int32_t *dc_predictor, token *tokens, uint32_t *counts) {
    nonzero = drop_coefficients(
        nonzero & ~(uint64_t)1, candidates & ~(uint64_t)1, coefficients, levels, prep_encoder_lambdas[class],
        quantizer);
    return add_block(tokens, counts, levels, nonzero, dc_predictor, quantizer->first_symbol);
}
