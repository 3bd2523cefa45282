#include "pixel_kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

// The numbers of the cells and of the groups of weights of eight pixels.
typedef struct {
    uint16_t cells[8], weights[8];
} indices_8;

static inline void compute_8_indices(const uint8_t *y, const uint8_t *cb, const uint8_t *cr, indices_8 *indices) {
    const uint8x8_t luma = vld1_u8(y), bluish = vld1_u8(cb), reddish = vld1_u8(cr), low = vdup_n_u8(7);
    const uint16x8_t cells = vorrq_u16(
        vshlq_n_u16(vmovl_u8(vshr_n_u8(bluish, 3)), 10),
        vorrq_u16(vshlq_n_u16(vmovl_u8(vshr_n_u8(reddish, 3)), 5), vmovl_u8(vshr_n_u8(luma, 3))));
    const uint16x8_t weights = vorrq_u16(
        vshlq_n_u16(vmovl_u8(vand_u8(bluish, low)), 6),
        vorrq_u16(vshlq_n_u16(vmovl_u8(vand_u8(reddish, low)), 3), vmovl_u8(vand_u8(luma, low))));
    vst1q_u16(indices->cells, cells);
    vst1q_u16(indices->weights, weights);
}

// Returns four sums of two corners.
static inline int32x4_t products(const int16_t *cell, const int16_t *group) {
    const int16x8_t values = vld1q_s16(cell), factors = vld1q_s16(group);
    return vmlal_high_s16(vmull_s16(vget_low_s16(values), vget_low_s16(factors)), values, factors);
}

// Returns four results, clamped below and to 16 bits.
static inline uint16x4_t sum_4(int32x4_t a, int32x4_t b, int32x4_t c, int32x4_t d) {
    return vqrshrun_n_s32(vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d)), 15);
}

// Returns the results of eight pixels, whose cells have `values_per_cell` values, from the 8 values at `cells` on.
static inline uint8x8_t convert_8(
    const int16_t *cells, size_t values_per_cell, const int16_t *weights, const indices_8 *indices) {
    int32x4_t p[8];
    for (int i = 0; i < 8; i++)
        p[i] = products(cells + indices->cells[i] * values_per_cell, weights + (size_t)indices->weights[i] * 8);
    return vqmovn_u16(vcombine_u16(sum_4(p[0], p[1], p[2], p[3]), sum_4(p[4], p[5], p[6], p[7])));
}

void prep_convert_luma_neon(
    const int16_t *cells, const int16_t *weights, const uint8_t *cb, const uint8_t *cr, int32_t count, uint8_t *y) {
    for (int32_t x = 0; x < count; x += 8) {
        indices_8 indices;
        compute_8_indices(y + x, cb + x, cr + x, &indices);
        vst1_u8(y + x, convert_8(cells, 8, weights, &indices));
    }
}

void prep_convert_chroma_neon(
    const int16_t *cells, const int16_t *weights, const uint8_t *y, int32_t count, uint8_t *cb, uint8_t *cr) {
    for (int32_t x = 0; x < count; x += 8) {
        indices_8 indices;
        compute_8_indices(y + x, cb + x, cr + x, &indices);
        vst1_u8(cb + x, convert_8(cells, 16, weights, &indices));
        vst1_u8(cr + x, convert_8(cells + 8, 16, weights, &indices));
    }
}
#endif
