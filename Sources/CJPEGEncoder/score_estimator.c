#include "jpeg_score_estimator.h"

#include <stdlib.h>
#include <string.h>

#include "encoder.h"

enum {
    MAX_SAMPLED_BLOCKS = 2048,
    FRACTION_BITS = 16, // of logarithms and visibilities
    WEIGHT_BITS = 30,   // of the reciprocal of a squared step
    ERROR_BITS = 20     // of a block's error
};

// The parameters of the model were fitted to photos; see "Estimating the score" in the documentation.
enum {
    MASKING_OFFSET = 6,
    MASKING_EXPONENT = 154,      // 0.6 * 256
    SCORE_WITHOUT_ERROR = 10100, // hundredths
    LOSS_AT_1 = 386755,          // 5.901 * 65536: the binary logarithm of the loss of score with an error of 1
    LOSS_SLOPE = 28018           // 0.4275 * 65536: its increase if the error doubles
};

// The steps in which errors are measured, in natural order. They are a part of the model, which was fitted with them,
// and do not follow the encoder's tables: those have smaller steps for the two lowest frequencies.
static const uint8_t reference_steps[64] = {
    7,  13, 22, 26, 34, 35, 40, 40,
    13, 16, 26, 26, 35, 33, 42, 44,
    22, 26, 29, 33, 37, 41, 41, 48,
    26, 26, 33, 35, 44, 51, 53, 54,
    34, 35, 37, 44, 50, 55, 65, 66,
    35, 33, 41, 51, 55, 63, 62, 76,
    40, 42, 41, 53, 65, 62, 68, 70,
    40, 44, 48, 54, 66, 76, 70, 59,
};

// A block of luma.
typedef struct {
    int16_t coefficients[64]; // as the transform writes them
    uint64_t energy;          // the weighted sum of their squares, without DC
    uint32_t visibility;      // of an error beside the block's own detail: less than 1 << FRACTION_BITS
} sampled_block;

struct prep_jpeg_score_estimator {
    code_block_function *code_block;
    uint32_t block_count;
    int32_t pixels_per_chroma_sample; // 0 without chroma
    uint32_t weights[64];     // in zigzag order
    uint32_t counts[SYMBOLS]; // written by code_block, and not used
    sampled_block blocks[MAX_SAMPLED_BLOCKS];
};

// Returns the binary logarithm of a positive number, with FRACTION_BITS. One squaring gives one bit.
static uint32_t log2_of(uint64_t value) {
    const int32_t exponent = 63 - __builtin_clzll(value);
    uint64_t mantissa = exponent > 31 ? value >> (exponent - 31) : value << (31 - exponent);
    uint32_t result = (uint32_t)exponent << FRACTION_BITS;
    for (int32_t bit = FRACTION_BITS - 1; bit >= 0; bit--) {
        mantissa = mantissa * mantissa >> 31;
        if (mantissa >> 32 == 0) continue;
        mantissa >>= 1;
        result |= (uint32_t)1 << bit;
    }
    return result;
}

// Returns 2^-exponent with 30 fraction bits.
static uint64_t power_of_half(uint32_t exponent) {
    // 2^-(2^-i) with 30 fraction bits, for i from 1.
    static const uint32_t roots[FRACTION_BITS] = {
        759250125, 902905651, 984625594, 1028218693, 1050733751, 1062175491, 1067942999, 1070838486,
        1072289173, 1073015252, 1073378477, 1073560135, 1073650976, 1073696399, 1073719111, 1073730468,
    };
    if (exponent >> FRACTION_BITS > 30) return 0;
    uint64_t result = (uint64_t)1 << 30;
    for (int32_t i = 0; i < FRACTION_BITS; i++)
        if (exponent >> (FRACTION_BITS - 1 - i) & 1) result = result * roots[i] >> 30;
    return result >> (exponent >> FRACTION_BITS);
}

// Returns the integer square root.
static uint64_t square_root(uint64_t value) {
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit != 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= value) root |= bit;
    return root;
}

// An error beside much detail is less visible. Returns (offset + energy)^-exponent, for an energy with FRACTION_BITS.
static uint32_t visibility_beside(uint64_t energy) {
    const uint32_t offset = (uint32_t)MASKING_OFFSET << FRACTION_BITS, one = (uint32_t)FRACTION_BITS << FRACTION_BITS;
    const uint32_t exponent = MASKING_EXPONENT * (log2_of(energy + offset) - one) >> 8;
    return (uint32_t)(power_of_half(exponent) >> (30 - FRACTION_BITS));
}

static void sample_block(sampled_block *block, const int16_t *coefficients, const uint32_t weights[64]) {
    memcpy(block->coefficients, coefficients, sizeof block->coefficients);
    block->energy = 0;
    for (int32_t k = 1; k < 64; k++)
        block->energy += (uint64_t)((int64_t)coefficients[k] * coefficients[k]) * weights[k];
    block->visibility = visibility_beside(block->energy >> (WEIGHT_BITS - FRACTION_BITS));
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b) {
    return b == 0 ? a : greatest_common_divisor(b, a % b);
}

// Returns the distance of sampled blocks, in the order of rows. It has no factor in common with the row's length, so
// that the blocks are not all of a few columns.
static uint32_t sampling_distance(uint32_t block_count, uint32_t blocks_per_row) {
    uint32_t distance = (block_count + MAX_SAMPLED_BLOCKS - 1) / MAX_SAMPLED_BLOCKS;
    while (greatest_common_divisor(distance, blocks_per_row) > 1) distance++;
    return distance;
}

prep_jpeg_score_estimator *prep_jpeg_score_estimator_create(const prep_jpeg_compact_encoder *encoder) {
    if (!encoder->image.keeps_coefficients || !prep_has_all_rows(encoder)) return NULL;
    prep_jpeg_score_estimator *estimator = calloc(1, sizeof *estimator);
    if (!estimator) return NULL;
    const prep_jpeg_compact_image *image = &encoder->image;
    estimator->code_block = encoder->code_block;
    estimator->pixels_per_chroma_sample =
        image->component_count > 1 ? image->horizontal_sampling * image->vertical_sampling : 0;
    for (int32_t k = 0; k < 64; k++) {
        const uint32_t step = 8 * (uint32_t)reference_steps[prep_encoder_zigzag[k]];
        estimator->weights[k] = ((uint32_t)1 << WEIGHT_BITS) / (step * step);
    }
    const component_state *luma = &encoder->components[0];
    const uint32_t blocks_per_row = (uint32_t)luma->blocks_per_row;
    const uint32_t block_count = blocks_per_row * (uint32_t)luma->block_row_count;
    const uint32_t distance = sampling_distance(block_count, blocks_per_row);
    for (uint32_t i = 0; i < block_count; i += distance)
        sample_block(
            &estimator->blocks[estimator->block_count++], luma->coefficients + (size_t)i * 64, estimator->weights);
    return estimator;
}

void prep_jpeg_score_estimator_destroy(prep_jpeg_score_estimator *estimator) { free(estimator); }

// Returns by how much the weighted sum of squares of a coefficient is more than that of its error.
static int64_t explained_energy(int32_t coefficient, int32_t level, int32_t step, uint32_t weight) {
    const int64_t value = (int64_t)level * step;
    return value * (2 * (int64_t)coefficient - value) * weight;
}

// Returns the weighted sum of squared errors of a block, with ERROR_BITS.
static uint64_t block_error(
    prep_jpeg_score_estimator *estimator, const sampled_block *block, const block_quantizer *quantizer) {
    token tokens[MAX_TOKENS_PER_BLOCK];
    int32_t dc_level = 0;
    const token *end = estimator->code_block(block->coefficients, quantizer, &dc_level, tokens, estimator->counts);
    const int32_t dc = block->coefficients[0];
    int64_t error = (int64_t)block->energy + (int64_t)((uint64_t)((int64_t)dc * dc) * estimator->weights[0]) -
        explained_energy(dc, dc_level, quantizer->steps[0], estimator->weights[0]);
    int32_t k = 0;
    for (const token *next = tokens + 1; next < end; next++) {
        const int32_t symbol = (int32_t)(*next >> 16 & 255), size = symbol & 15, bits = (int32_t)(*next & 0xFFFF);
        if (symbol == END_OF_BLOCK) break;
        k += (symbol >> 4) + 1;
        if (symbol == ZERO_RUN) continue;
        const int32_t level = bits >> (size - 1) ? bits : bits + 1 - (1 << size);
        error -= explained_energy(block->coefficients[k], level, quantizer->steps[k], estimator->weights[k]);
    }
    return (uint64_t)error >> (WEIGHT_BITS - ERROR_BITS);
}

// The error of the image is the fourth power mean of the errors of its blocks.
uint64_t prep_jpeg_score_estimator_error(prep_jpeg_score_estimator *estimator, int32_t quality) {
    const int32_t valid_quality = quality < 1 ? 1 : quality > 100 ? 100 : quality;
    const uint64_t max_error = (uint64_t)8 << ERROR_BITS; // so that the sum of fourth powers has 63 bits
    block_quantizer quantizer;
    prep_block_quantizer_init(&quantizer, valid_quality, false, estimator->pixels_per_chroma_sample);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < estimator->block_count; i++) {
        const sampled_block *block = &estimator->blocks[i];
        const uint64_t visible = block_error(estimator, block, &quantizer) * block->visibility >> FRACTION_BITS;
        const uint64_t bounded = visible < max_error ? visible : max_error;
        const uint64_t square = bounded * bounded >> ERROR_BITS;
        sum += square * square;
    }
    const uint64_t mean_square = square_root(sum / estimator->block_count);
    return square_root(mean_square << (32 - ERROR_BITS));
}

int32_t prep_jpeg_score_of_error(uint64_t error) {
    if (error == 0) return 10000;
    const int64_t relative = (int64_t)log2_of(error) - ((int64_t)16 << FRACTION_BITS);
    const int64_t exponent = LOSS_AT_1 + LOSS_SLOPE * relative / (1 << FRACTION_BITS);
    const int64_t max_exponent = (int64_t)7 << FRACTION_BITS; // 2^7 is more than all of the score
    if (exponent >= max_exponent) return 0;
    const int64_t loss = (int64_t)(12800 * power_of_half((uint32_t)(max_exponent - exponent)) >> 30);
    const int64_t score = SCORE_WITHOUT_ERROR - loss;
    return score > 10000 ? 10000 : score < 0 ? 0 : (int32_t)score;
}
