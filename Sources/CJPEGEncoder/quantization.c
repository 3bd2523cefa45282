#include "quantization.h"

#include "forward_dct.h"
#include "huffman.h"
#include "jpeg_compact_encoder.h"

// The steps at a scale of 100%, in natural order, of luma and of chroma with one sample for four pixels. They were
// tuned on photos for SSIMULACRA2.
static const uint8_t base_steps[2][64] = {
    {
        7, 13, 22, 26, 34, 35, 40, 40,
        13, 16, 26, 26, 35, 33, 42, 44,
        22, 26, 29, 33, 37, 41, 41, 48,
        26, 26, 33, 35, 44, 51, 53, 54,
        34, 35, 37, 44, 50, 55, 65, 66,
        35, 33, 41, 51, 55, 63, 62, 76,
        40, 42, 41, 53, 65, 62, 68, 70,
        40, 44, 48, 54, 66, 76, 70, 59,
    },
    {
        7, 11, 19, 21, 27, 25, 30, 32,
        11, 15, 23, 20, 25, 22, 28, 29,
        19, 23, 24, 22, 24, 26, 27, 30,
        21, 20, 22, 21, 27, 27, 29, 32,
        27, 25, 24, 27, 21, 32, 25, 31,
        25, 22, 26, 27, 32, 28, 32, 47,
        30, 28, 27, 29, 25, 32, 50, 46,
        32, 29, 30, 32, 31, 47, 46, 55,
    },
};

// max(4, 19 / (1 + s / 15000)) for the energy s in the middle of a class. Without the minimum, text gets worse than
// libjpeg's.
const int32_t prep_encoder_lambdas[ENERGY_CLASSES] = {
    4858, 4855, 4851, 4846, 4839, 4829, 4814, 4794, 4766, 4726, 4671, 4596, 4493,
    4356, 4175, 3944, 3657, 3317, 2931, 2516, 2097, 1697, 1337, 1028, 1024,
};

// The lengths of T.81's codes (K.3.3.2) for a run of 0 to 15 zeros and a size of 1 to 10.
static const uint8_t code_lengths[2][16][MAX_AC_SIZE] = {
    {
        {2, 2, 3, 4, 5, 7, 8, 10, 16, 16},
        {4, 5, 7, 9, 11, 16, 16, 16, 16, 16},
        {5, 8, 10, 12, 16, 16, 16, 16, 16, 16},
        {6, 9, 12, 16, 16, 16, 16, 16, 16, 16},
        {6, 10, 16, 16, 16, 16, 16, 16, 16, 16},
        {7, 11, 16, 16, 16, 16, 16, 16, 16, 16},
        {7, 12, 16, 16, 16, 16, 16, 16, 16, 16},
        {8, 12, 16, 16, 16, 16, 16, 16, 16, 16},
        {9, 15, 16, 16, 16, 16, 16, 16, 16, 16},
        {9, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {9, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {10, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {10, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {11, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {16, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {16, 16, 16, 16, 16, 16, 16, 16, 16, 16},
    },
    {
        {2, 3, 4, 5, 5, 6, 7, 9, 10, 12},
        {4, 6, 8, 9, 11, 12, 16, 16, 16, 16},
        {5, 8, 10, 12, 15, 16, 16, 16, 16, 16},
        {5, 8, 10, 12, 16, 16, 16, 16, 16, 16},
        {6, 9, 16, 16, 16, 16, 16, 16, 16, 16},
        {6, 10, 16, 16, 16, 16, 16, 16, 16, 16},
        {7, 11, 16, 16, 16, 16, 16, 16, 16, 16},
        {7, 11, 16, 16, 16, 16, 16, 16, 16, 16},
        {8, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {9, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {9, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {9, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {9, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {11, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {14, 16, 16, 16, 16, 16, 16, 16, 16, 16},
        {15, 16, 16, 16, 16, 16, 16, 16, 16, 16},
    },
};
static const uint8_t end_of_block_lengths[2] = {4, 2}, zero_run_lengths[2] = {11, 10};

// Returns the scale for a quality, in hundredths of a percent: 105% of libjpeg's and 3 more, which gives about the
// visual quality that libjpeg gives with its own tables.
static int32_t scale_of_quality(int32_t quality) {
    const int32_t percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    return 105 * percent + 300;
}

// Returns the factor for chroma steps, in percent. With more samples, the error of each is less visible.
static int32_t chroma_factor(int32_t pixels_per_chroma_sample) {
    return pixels_per_chroma_sample >= 4 ? 100 : pixels_per_chroma_sample >= 2 ? 175 : 300;
}

static void init_bit_costs(block_quantizer *quantizer, bool is_chroma) {
    for (int32_t run = 0; run <= MAX_ZERO_RUN; run++)
        for (int32_t size = 1; size <= MAX_AC_SIZE; size++) {
            const int32_t bits = (run >> 4) * zero_run_lengths[is_chroma] +
                code_lengths[is_chroma][run & 15][size - 1] + size;
            quantizer->bit_costs[run][size] = (uint8_t)bits;
        }
    quantizer->end_of_block_cost = end_of_block_lengths[is_chroma];
}

// Level 1 instead of 2 saves about 1.7 bits, and adds a squared error of 2u - 3, with the magnitude u in steps. So it
// pays below 1.5 + 0.85 / lambda, at most 1.9.
static int16_t level_2_threshold(int32_t step, int32_t lambda) {
    const int32_t threshold = 12 * step + 8 * step * (217 << LAMBDA_FRACTION_BITS) / (255 * lambda);
    const int32_t max_threshold = 76 * step / 5;
    return (int16_t)(threshold < max_threshold ? threshold : max_threshold);
}

// Sets what follows from the step at zigzag index k, which is 1 to 255.
static void init_step(block_quantizer *quantizer, int32_t k, int32_t step) {
    const int32_t exponent = 31 - __builtin_clz((uint32_t)step);
    quantizer->table[k] = (uint8_t)step;
    quantizer->steps[k] = (int16_t)(8 * step);
    quantizer->half_steps[k] = (uint16_t)(4 * step);
    quantizer->reciprocals[k] = (uint16_t)(((1 << (15 + exponent)) + step - 1) / step);
    quantizer->shift_factors[k] = (uint16_t)(1 << (15 - exponent));
    for (int32_t c = 0; c < ENERGY_CLASSES; c++) {
        // Half a step, and (1 + 4 / 63 k) / lambda steps more: the number of bits, at most, that are saved with it.
        const int32_t numerator = 8 * step * (126 + 8 * k) << (LAMBDA_FRACTION_BITS - 1);
        const int32_t denominator = 63 * prep_encoder_lambdas[c];
        const int32_t threshold = 4 * step + (numerator + denominator - 1) / denominator;
        quantizer->thresholds[c][k] = (int16_t)(threshold < 12 * step ? threshold : 12 * step);
        quantizer->level_2_thresholds[c][k] = k == 0 ? 0 : level_2_threshold(step, prep_encoder_lambdas[c]);
    }
}

// Returns the step for a base step, scaled by the quality's scale and by `percent`.
static int32_t scaled_step(int32_t base, int32_t quality, int32_t percent) {
    const int64_t step = ((int64_t)base * percent * scale_of_quality(quality) + 500000) / 1000000;
    return step < 1 ? 1 : step > 255 ? 255 : (int32_t)step;
}

void prep_jpeg_compact_luma_steps(int32_t quality, uint8_t steps[64]) {
    const int32_t valid_quality = quality < 1 ? 1 : quality > 100 ? 100 : quality;
    for (int32_t i = 0; i < 64; i++) steps[i] = (uint8_t)scaled_step(base_steps[0][i], valid_quality, 100);
}

void prep_block_quantizer_init(
    block_quantizer *quantizer, int32_t quality, bool is_chroma, int32_t pixels_per_chroma_sample) {
    const int32_t percent = is_chroma ? chroma_factor(pixels_per_chroma_sample) : 100;
    for (int32_t k = 0; k < 64; k++)
        init_step(quantizer, k, scaled_step(base_steps[is_chroma][prep_encoder_zigzag[k]], quality, percent));
    init_bit_costs(quantizer, is_chroma);
    quantizer->first_symbol = is_chroma ? CHROMA_DC : LUMA_DC;
}
