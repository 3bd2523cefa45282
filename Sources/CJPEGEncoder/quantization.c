#include "quantization.h"

#include "forward_dct.h"
#include "huffman.h"
#include "jpeg_compact_encoder.h"

// The steps at a scale of 100%, in natural order, of luma and of chroma with one sample for four pixels. They were
// tuned on photos for SSIMULACRA2, except those of the lowest frequencies of luma: gradients need smaller ones.
static const uint8_t base_steps[2][64] = {
    {
        7, 10, 22, 26, 34, 35, 40, 40,
        10, 16, 26, 26, 35, 33, 42, 44,
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

// libjpeg scales its tables by 0 to 5000%, from quality 100 to 1. For some of these scales, in percent, here are ours,
// in hundredths of a percent: with them, photos have the same mean score of SSIMULACRA2. In between they are linear.
// With more chroma samples, libjpeg's score rises more than that of our tables, so all steps are smaller.
enum { KNOWN_SCALES = 7 };
static const int32_t libjpeg_scales[KNOWN_SCALES] = {0, 10, 20, 40, 60, 80, 5000};
static const int32_t equal_scales[4][KNOWN_SCALES] = {
    {300, 1200, 2150, 3950, 5850, 7610, 401210}, // gray
    {300, 1000, 1860, 3640, 5260, 7040, 361280}, // 4:4:4
    {300, 1180, 2180, 4080, 5960, 7920, 401520}, // 4:2:2
    {300, 1360, 2500, 4820, 6960, 9400, 452200}, // 4:2:0
};

// Returns the index of the scales and factors for a number of pixels for each chroma sample.
static int32_t sampling_class(int32_t pixels_per_chroma_sample) {
    return pixels_per_chroma_sample >= 4 ? 3 : pixels_per_chroma_sample >= 2 ? 2 : pixels_per_chroma_sample;
}

// Returns the scale of the tables for a quality, in hundredths of a percent.
static int32_t scale_of_quality(int32_t quality, int32_t pixels_per_chroma_sample) {
    const int32_t scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    const int32_t *equal = equal_scales[sampling_class(pixels_per_chroma_sample)];
    int32_t i = 0;
    while (i + 2 < KNOWN_SCALES && scale > libjpeg_scales[i + 1]) i++;
    const int32_t distance = scale - libjpeg_scales[i], whole = libjpeg_scales[i + 1] - libjpeg_scales[i];
    return equal[i] + (equal[i + 1] - equal[i]) / whole * distance;
}

// The factors for chroma steps, in percent. With more samples, the error of each is less visible.
static const int32_t chroma_factors[4] = {100, 300, 175, 100};

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

// Returns a base step scaled by a quality's scale and by `percent`.
static int32_t scaled_step(int32_t base, int32_t scale, int32_t percent) {
    const int64_t step = ((int64_t)base * percent * scale + 500000) / 1000000;
    return step < 1 ? 1 : step > 255 ? 255 : (int32_t)step;
}

void prep_jpeg_compact_luma_steps(int32_t quality, int32_t pixels_per_chroma_sample, uint8_t steps[64]) {
    const int32_t valid_quality = quality < 1 ? 1 : quality > 100 ? 100 : quality;
    const int32_t scale = scale_of_quality(valid_quality, pixels_per_chroma_sample);
    for (int32_t i = 0; i < 64; i++) steps[i] = (uint8_t)scaled_step(base_steps[0][i], scale, 100);
}

int32_t prep_jpeg_compact_quality(const uint16_t steps[64], int32_t pixels_per_chroma_sample) {
    for (int32_t quality = 1; quality <= 100; quality++) {
        const int32_t scale = scale_of_quality(quality, pixels_per_chroma_sample);
        int32_t i = 0;
        while (i < 64 && steps[i] == scaled_step(base_steps[0][i], scale, 100)) i++;
        if (i == 64) return quality;
    }
    return 0;
}

void prep_block_quantizer_init(
    block_quantizer *quantizer, int32_t quality, bool is_chroma, int32_t pixels_per_chroma_sample) {
    const int32_t scale = scale_of_quality(quality, pixels_per_chroma_sample);
    const int32_t percent = is_chroma ? chroma_factors[sampling_class(pixels_per_chroma_sample)] : 100;
    for (int32_t k = 0; k < 64; k++)
        init_step(quantizer, k, scaled_step(base_steps[is_chroma][prep_encoder_zigzag[k]], scale, percent));
    init_bit_costs(quantizer, is_chroma);
    quantizer->first_symbol = is_chroma ? CHROMA_DC : LUMA_DC;
}
