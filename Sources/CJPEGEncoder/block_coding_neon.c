#include "block_coding.h"

#if defined(__aarch64__)
#include <arm_neon.h>

static inline uint16x8_t multiply_high(uint16x8_t a, uint16x8_t b) {
    const uint32x4_t low = vmull_u16(vget_low_u16(a), vget_low_u16(b)), high = vmull_high_u16(a, b);
    return vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
}

// Returns a bit for each entry of 8 vectors, which are all ones or zero.
static inline uint64_t bits_of(const uint16x8_t v[8]) {
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = vld1q_u8(weights);
    uint8x16_t masks[4];
    for (int i = 0; i < 4; i++)
        masks[i] = vandq_u8(bits, vcombine_u8(vmovn_u16(v[2 * i]), vmovn_u16(v[2 * i + 1])));
    // Three rounds of pairwise additions join 8 bytes to one.
    const uint8x16_t pairs = vpaddq_u8(vpaddq_u8(masks[0], masks[1]), vpaddq_u8(masks[2], masks[3]));
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(pairs, pairs)), 0);
}

token *prep_code_block_neon(
    const int16_t *coefficients, const block_quantizer *quantizer, int32_t *dc_predictor, token *tokens,
    uint32_t *counts) {
    int16_t signed_levels[64];
    uint16x8_t magnitudes[8], levels[8], is_nonzero[8], is_candidate[8];
    int32x4_t sum_of_squares = vdupq_n_s32(0);
    for (int i = 0; i < 8; i++) {
        const int16x8_t x = vld1q_s16(coefficients + 8 * i);
        const int16x8_t ac = i == 0 ? vsetq_lane_s16(0, x, 0) : x;
        sum_of_squares = vmlal_s16(sum_of_squares, vget_low_s16(ac), vget_low_s16(ac));
        sum_of_squares = vmlal_high_s16(sum_of_squares, ac, ac);
        magnitudes[i] = vreinterpretq_u16_s16(vabsq_s16(x));
        uint16x8_t v = vaddq_u16(magnitudes[i], vld1q_u16(quantizer->half_steps + 8 * i));
        v = multiply_high(vshlq_n_u16(vshrq_n_u16(v, 3), 1), vld1q_u16(quantizer->reciprocals + 8 * i));
        levels[i] = multiply_high(vshlq_n_u16(v, 1), vld1q_u16(quantizer->shift_factors + 8 * i));
        is_nonzero[i] = vtstq_u16(levels[i], levels[i]);
    }
    const int32_t class = energy_class((uint32_t)vaddvq_s32(sum_of_squares));
    const int16_t *thresholds = quantizer->thresholds[class];
    const int16_t *level_2_thresholds = quantizer->level_2_thresholds[class];
    for (int i = 0; i < 8; i++) {
        const uint16x8_t is_small = vcltq_u16(magnitudes[i], vreinterpretq_u16_s16(vld1q_s16(thresholds + 8 * i)));
        is_candidate[i] = vandq_u16(is_nonzero[i], is_small);
        const uint16x8_t limit = vreinterpretq_u16_s16(vld1q_s16(level_2_thresholds + 8 * i));
        const uint16x8_t reduced = vandq_u16(vceqq_u16(levels[i], vdupq_n_u16(2)), vcltq_u16(magnitudes[i], limit));
        // The comparison is -1 where a level is reduced.
        const int16x8_t level = vreinterpretq_s16_u16(vaddq_u16(levels[i], reduced));
        const int16x8_t sign = vshrq_n_s16(vld1q_s16(coefficients + 8 * i), 15);
        vst1q_s16(signed_levels + 8 * i, vsubq_s16(veorq_s16(level, sign), sign));
    }
    return code_levels(
        coefficients, signed_levels, bits_of(is_nonzero), bits_of(is_candidate), class, quantizer, dc_predictor, tokens,
        counts);
}
#endif
