#include "pixel_kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

static inline void store_16_columns(const int32x4_t acc[4], int32x4_t right_shift, int16_t *out) {
    for (int j = 0; j < 4; j += 2) {
        const int16x4_t a = vqmovn_s32(vshlq_s32(acc[j], right_shift));
        const int16x4_t b = vqmovn_s32(vshlq_s32(acc[j + 1], right_shift));
        vst1q_s16(out + j * 4, vcombine_s16(a, b));
    }
}

// 16 columns at a time. NEON widens and multiplies in one step, so rows are not processed in pairs.
void prep_convolve_vertically_neon(
    const uint8_t *rows, const int32_t *offsets, const int16_t *coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *out) {
    const int32x4_t half = vdupq_n_s32(1 << (shift - 1));
    const int32x4_t right_shift = vdupq_n_s32(-shift);
    for (int32_t x = 0; x < count; x += 16) {
        int32x4_t acc[4] = {half, half, half, half};
        for (int32_t k = 0; k < padded_tap_count; k++) {
            const uint8x16_t samples = vld1q_u8(rows + offsets[k] + x);
            const int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(samples)));
            const int16x8_t high = vreinterpretq_s16_u16(vmovl_high_u8(samples));
            acc[0] = vmlal_n_s16(acc[0], vget_low_s16(low), coefficients[k]);
            acc[1] = vmlal_high_n_s16(acc[1], low, coefficients[k]);
            acc[2] = vmlal_n_s16(acc[2], vget_low_s16(high), coefficients[k]);
            acc[3] = vmlal_high_n_s16(acc[3], high, coefficients[k]);
        }
        store_16_columns(acc, right_shift, out + x);
    }
}

void prep_convolve_wide_rows_vertically_neon(
    const uint8_t *rows, const int32_t *offsets, const int16_t *coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *out) {
    const int32x4_t half = vdupq_n_s32(1 << (shift - 1));
    const int32x4_t right_shift = vdupq_n_s32(-shift);
    for (int32_t x = 0; x < count; x += 16) {
        int32x4_t acc[4] = {half, half, half, half};
        for (int32_t k = 0; k < padded_tap_count; k++) {
            const uint8_t *samples = rows + offsets[k] + 2 * x;
            for (int j = 0; j < 4; j += 2) {
                const int16x8_t words = vreinterpretq_s16_u8(vld1q_u8(samples + 8 * j));
                acc[j] = vmlal_n_s16(acc[j], vget_low_s16(words), coefficients[k]);
                acc[j + 1] = vmlal_high_n_s16(acc[j + 1], words, coefficients[k]);
            }
        }
        store_16_columns(acc, right_shift, out + x);
    }
}

static inline int32x4_t dot_product(const int16_t *row, const int16_t *coefficients, int32_t padded_tap_count) {
    int32x4_t low = vdupq_n_s32(0), high = low;
    for (int32_t k = 0; k < padded_tap_count; k += 8) {
        const int16x8_t a = vld1q_s16(row + k), b = vld1q_s16(coefficients + k);
        low = vmlal_s16(low, vget_low_s16(a), vget_low_s16(b));
        high = vmlal_high_s16(high, a, b);
    }
    return vaddq_s32(low, high);
}

// Returns eight outputs, beginning with output `first`.
static inline int16x8_t convolve_8_outputs(
    const int16_t *row, const int32_t *starts, const int16_t *coefficients, int32_t padded_tap_count, int32_t shift,
    int32_t first) {
    int16x4_t words[2];
    for (int j = 0; j < 2; j++, first += 4) {
        int32x4_t sums[4];
        for (int n = 0; n < 4; n++) {
            sums[n] = dot_product(
                row + starts[first + n], coefficients + (int64_t)(first + n) * padded_tap_count, padded_tap_count);
        }
        const int32x4_t total = vpaddq_s32(vpaddq_s32(sums[0], sums[1]), vpaddq_s32(sums[2], sums[3]));
        words[j] = vqmovn_s32(vshlq_s32(vaddq_s32(total, vdupq_n_s32(1 << (shift - 1))), vdupq_n_s32(-shift)));
    }
    return vcombine_s16(words[0], words[1]);
}

void prep_convolve_horizontally_neon(
    const int16_t *row, const int32_t *starts, const int16_t *coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, uint8_t *out) {
    for (int32_t i = 0; i < count; i += 8)
        vst1_u8(out + i, vqmovun_s16(convolve_8_outputs(row, starts, coefficients, padded_tap_count, shift, i)));
}

void prep_convolve_horizontally_to_16_bits_neon(
    const int16_t *row, const int32_t *starts, const int16_t *coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *out) {
    for (int32_t i = 0; i < count; i += 8)
        vst1q_s16(out + i, convolve_8_outputs(row, starts, coefficients, padded_tap_count, shift, i));
}
#endif
