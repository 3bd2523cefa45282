#include "unfilter.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#include <string.h>

// Each pixel depends on the one before it, so these loops process one pixel at a time, with all its bytes at once.
static inline uint8x8_t load_pixel(const uint8_t *bytes) {
    uint32_t four;
    memcpy(&four, bytes, sizeof four);
    return vcreate_u8(four);
}

// With 3 bytes a pixel a fourth byte is written. It is overwritten by the next pixel; after the last pixel it is the
// place of the last filtered byte, which has been read.
static inline void store_pixel(uint8_t *row, uint8x8_t pixel) {
    const uint32_t four = vget_lane_u32(vreinterpret_u32_u8(pixel), 0);
    memcpy(row, &four, sizeof four);
}

static inline void undo_sub_filter(uint8_t *row, size_t count, int32_t bytes_per_pixel) {
    uint8x8_t left = vdup_n_u8(0);
    for (size_t i = 0; i < count; i += (size_t)bytes_per_pixel) {
        left = vadd_u8(left, load_pixel(row + 1 + i));
        store_pixel(row + i, left);
    }
}

static inline void undo_up_filter(uint8_t *row, const uint8_t *previous_row, size_t count) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) vst1q_u8(row + i, vaddq_u8(vld1q_u8(row + 1 + i), vld1q_u8(previous_row + i)));
    for (; i < count; i++) row[i] = (uint8_t)(row[i + 1] + previous_row[i]);
}

static inline void undo_average_filter(
    uint8_t *row, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    uint8x8_t left = vdup_n_u8(0);
    for (size_t i = 0; i < count; i += (size_t)bytes_per_pixel) {
        left = vadd_u8(load_pixel(row + 1 + i), vhadd_u8(left, load_pixel(previous_row + i)));
        store_pixel(row + i, left);
    }
}

// Selects from left, up and up-left the one nearest to left + up - up-left, the first if equal.
static inline uint8x16_t paeth_predictor(uint8x16_t left, uint8x16_t up, uint8x16_t up_left) {
    const uint8x16_t a = vabdq_u8(up, up_left), b = vabdq_u8(left, up_left);
    // The third distance may exceed 8 bits. Clamped to 255 it compares with the others in the same way.
    const uint16x8_t low = vabdq_u16(
        vaddl_u8(vget_low_u8(left), vget_low_u8(up)), vaddl_u8(vget_low_u8(up_left), vget_low_u8(up_left)));
    const uint16x8_t high = vabdq_u16(vaddl_high_u8(left, up), vaddl_high_u8(up_left, up_left));
    const uint8x16_t c = vqmovn_high_u16(vqmovn_u16(low), high);
    const uint8x16_t other = vbslq_u8(vcleq_u8(b, c), up, up_left);
    return vbslq_u8(vcleq_u8(a, vminq_u8(b, c)), left, other);
}

static inline void undo_paeth_filter(
    uint8_t *row, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    const uint8x8_t zero = vdup_n_u8(0);
    uint8x16_t left = vdupq_n_u8(0), up_left = left;
    for (size_t i = 0; i < count; i += (size_t)bytes_per_pixel) {
        const uint8x16_t up = vcombine_u8(load_pixel(previous_row + i), zero);
        left = vaddq_u8(vcombine_u8(load_pixel(row + 1 + i), zero), paeth_predictor(left, up, up_left));
        up_left = up;
        store_pixel(row + i, vget_low_u8(left));
    }
}

#define UNFILTER_INLINE __attribute__((always_inline)) static inline

typedef struct {
    uint8x16_t left, up_left;
} paeth_rows;

UNFILTER_INLINE void undo_paeth_step(
    paeth_rows *state, uint8_t *const rows[PAETH_ROWS], const uint8_t *previous_row, size_t x, int32_t bytes_per_pixel,
    int32_t first, int32_t last) {
    uint32_t differences[4] = {0}, pixels[4], above = 0;
    for (int32_t r = first; r <= last; r++)
        memcpy(&differences[r], rows[r] + 1 + x - (size_t)(r * bytes_per_pixel), sizeof *differences);
    if (first == 0) memcpy(&above, previous_row + x, sizeof above);
    const uint8x16_t up = vextq_u8(vreinterpretq_u8_u32(vdupq_n_u32(above)), state->left, 12);
    const uint8x16_t difference = vreinterpretq_u8_u32(vld1q_u32(differences));
    state->left = vaddq_u8(difference, paeth_predictor(state->left, up, state->up_left));
    state->up_left = up;
    vst1q_u32(pixels, vreinterpretq_u32_u8(state->left));
    for (int32_t r = first; r <= last; r++)
        memcpy(rows[r] + x - (size_t)(r * bytes_per_pixel), &pixels[r], sizeof *pixels);
}

#include "unfilter_simd.h"

// With a constant number of bytes, the loops are specialized for it.
const uint8_t *prep_png_unfilter_neon(
    uint8_t *filtered, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    return bytes_per_pixel == 3 ? unfilter_row(filtered, previous_row, count, 3)
                                : unfilter_row(filtered, previous_row, count, 4);
}

void prep_png_unfilter_paeth_rows_neon(
    uint8_t *filtered, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    const paeth_rows zero = {vdupq_n_u8(0), vdupq_n_u8(0)};
    if (bytes_per_pixel == 3) undo_paeth_filters(zero, filtered, previous_row, count, 3);
    else undo_paeth_filters(zero, filtered, previous_row, count, 4);
}
#endif
