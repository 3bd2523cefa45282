#include "pixel_kernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

static inline uint8x8_t blend_over_background(uint8x8_t samples, uint8_t background, uint8x8_t alpha) {
    const uint16x8_t rest = vmull_u8(vdup_n_u8(background), vmvn_u8(alpha));
    // floor(x / 255) for every x up to 65,152, which is 255 * 255 + 127; `plus_one` is x + 1.
    const uint16x8_t plus_one = vaddq_u16(vmlal_u8(rest, samples, alpha), vdupq_n_u16(128));
    return vshrn_n_u16(vaddq_u16(plus_one, vshrq_n_u16(plus_one, 8)), 8);
}

// Returns the upper 16 bits of each sum, which fit in 8 bits.
static inline uint8x8_t narrow_high_halves(uint32x4_t low, uint32x4_t high) {
    return vmovn_u16(vcombine_u16(vshrn_n_u32(low, 16), vshrn_n_u32(high, 16)));
}

// Returns the sums for four pixels in 32 bits, with the factors of PortablePixelKernels.yCbCr.
static inline uint32x4_t luma_sums(uint16x4_t r, uint16x4_t g, uint16x4_t b) {
    return vmlal_n_u16(vmlal_n_u16(vmlal_n_u16(vdupq_n_u32(1 << 15), r, 19595), g, 38470), b, 7471);
}

static inline uint32x4_t chroma_sums(
    uint16x4_t primary, uint16x4_t first, uint16_t first_factor, uint16x4_t second, uint16_t second_factor) {
    const uint32x4_t sum = vmlal_n_u16(vdupq_n_u32((128 << 16) + (1 << 15) - 1), primary, 32768);
    return vmlsl_n_u16(vmlsl_n_u16(sum, first, first_factor), second, second_factor);
}

static inline void store_ycbcr(uint8x8_t red, uint8x8_t green, uint8x8_t blue, uint8_t *y, uint8_t *cb, uint8_t *cr) {
    const uint16x8_t r = vmovl_u8(red), g = vmovl_u8(green), b = vmovl_u8(blue);
    const uint16x4_t r0 = vget_low_u16(r), g0 = vget_low_u16(g), b0 = vget_low_u16(b);
    const uint16x4_t r1 = vget_high_u16(r), g1 = vget_high_u16(g), b1 = vget_high_u16(b);
    vst1_u8(y, narrow_high_halves(luma_sums(r0, g0, b0), luma_sums(r1, g1, b1)));
    vst1_u8(cb, narrow_high_halves(chroma_sums(b0, r0, 11059, g0, 21709), chroma_sums(b1, r1, 11059, g1, 21709)));
    vst1_u8(cr, narrow_high_halves(chroma_sums(r0, g0, 27439, b0, 5329), chroma_sums(r1, g1, 27439, b1, 5329)));
}

void prep_convert_rgb_to_ycbcr_neon(
    const uint8_t *pixels, const uint8_t *background, int32_t count, uint8_t *y, uint8_t *cb, uint8_t *cr) {
    for (int32_t x = 0; x < count; x += 8) {
        if (!background) {
            const uint8x8x3_t rgb = vld3_u8(pixels + (int64_t)x * 3);
            store_ycbcr(rgb.val[0], rgb.val[1], rgb.val[2], y + x, cb + x, cr + x);
        } else {
            const uint8x8x4_t rgba = vld4_u8(pixels + (int64_t)x * 4);
            store_ycbcr(
                blend_over_background(rgba.val[0], background[0], rgba.val[3]),
                blend_over_background(rgba.val[1], background[1], rgba.val[3]),
                blend_over_background(rgba.val[2], background[2], rgba.val[3]), y + x, cb + x, cr + x);
        }
    }
}
#endif
