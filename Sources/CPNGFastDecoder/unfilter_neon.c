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

// With 3 bytes a pixel a fourth byte is written, which the next pixel overwrites. The last pixel writes only 3.
static inline void store_pixel(uint8_t *row, uint8x8_t pixel, int32_t bytes_per_pixel, bool is_last) {
    const uint32_t four = vget_lane_u32(vreinterpret_u32_u8(pixel), 0);
    if (bytes_per_pixel == 3 && is_last) memcpy(row, &four, 3);
    else memcpy(row, &four, sizeof four);
}

static inline void undo_sub_filter(const uint8_t *filtered, uint8_t *row, size_t count, int32_t bytes_per_pixel) {
    uint8x8_t left = vdup_n_u8(0);
    for (size_t i = 0; i < count; i += (size_t)bytes_per_pixel) {
        left = vadd_u8(left, load_pixel(filtered + i));
        store_pixel(row + i, left, bytes_per_pixel, i + (size_t)bytes_per_pixel >= count);
    }
}

static inline void undo_up_filter(const uint8_t *filtered, const uint8_t *previous_row, uint8_t *row, size_t count) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) vst1q_u8(row + i, vaddq_u8(vld1q_u8(filtered + i), vld1q_u8(previous_row + i)));
    for (; i < count; i++) row[i] = (uint8_t)(filtered[i] + previous_row[i]);
}

static inline void undo_average_filter(
    const uint8_t *filtered, const uint8_t *previous_row, uint8_t *row, size_t count, int32_t bytes_per_pixel) {
    uint8x8_t left = vdup_n_u8(0);
    for (size_t i = 0; i < count; i += (size_t)bytes_per_pixel) {
        left = vadd_u8(load_pixel(filtered + i), vhadd_u8(left, load_pixel(previous_row + i)));
        store_pixel(row + i, left, bytes_per_pixel, i + (size_t)bytes_per_pixel >= count);
    }
}

// Selects from left, up and up-left the one nearest to left + up - up-left, the first if equal.
static inline uint8x8_t paeth_predictor(uint8x8_t left, uint8x8_t up, uint8x8_t up_left) {
    const uint8x8_t a = vabd_u8(up, up_left), b = vabd_u8(left, up_left);
    // The third distance may exceed 8 bits. Clamped to 255 it compares with the others in the same way.
    const uint8x8_t c = vqmovn_u16(vabdq_u16(vaddl_u8(left, up), vaddl_u8(up_left, up_left)));
    const uint8x8_t other = vbsl_u8(vcle_u8(b, c), up, up_left);
    return vbsl_u8(vcle_u8(a, vmin_u8(b, c)), left, other);
}

static inline void undo_paeth_filter(
    const uint8_t *filtered, const uint8_t *previous_row, uint8_t *row, size_t count, int32_t bytes_per_pixel) {
    uint8x8_t left = vdup_n_u8(0), up_left = vdup_n_u8(0);
    for (size_t i = 0; i < count; i += (size_t)bytes_per_pixel) {
        const uint8x8_t up = load_pixel(previous_row + i);
        left = vadd_u8(load_pixel(filtered + i), paeth_predictor(left, up, up_left));
        up_left = up;
        store_pixel(row + i, left, bytes_per_pixel, i + (size_t)bytes_per_pixel >= count);
    }
}

__attribute__((always_inline)) static inline bool unfilter_row(
    uint8_t type, const uint8_t *filtered, const uint8_t *previous_row, uint8_t *row, size_t count,
    int32_t bytes_per_pixel) {
    switch (type) {
    case 0: memcpy(row, filtered, count); return true;
    case 1: undo_sub_filter(filtered, row, count, bytes_per_pixel); return true;
    case 2: undo_up_filter(filtered, previous_row, row, count); return true;
    case 3: undo_average_filter(filtered, previous_row, row, count, bytes_per_pixel); return true;
    case 4: undo_paeth_filter(filtered, previous_row, row, count, bytes_per_pixel); return true;
    default: return false;
    }
}

// With a constant number of bytes, the loops are specialized for it.
bool prep_png_unfilter_neon(
    uint8_t type, const uint8_t *filtered, const uint8_t *previous_row, uint8_t *row, size_t count,
    int32_t bytes_per_pixel) {
    return bytes_per_pixel == 3 ? unfilter_row(type, filtered, previous_row, row, count, 3)
                                : unfilter_row(type, filtered, previous_row, row, count, 4);
}
#endif
