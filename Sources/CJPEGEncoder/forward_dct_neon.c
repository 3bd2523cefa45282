#include "forward_dct.h"

#if defined(__aarch64__)
#include <arm_neon.h>

// Sums of products for 8 lines, in two vectors of 32 bits.
typedef struct {
    int32x4_t low, high;
} line_sums;

static inline line_sums multiply(int16x8_t x, int16_t factor) {
    return (line_sums){vmull_n_s16(vget_low_s16(x), factor), vmull_high_n_s16(x, factor)};
}

static inline line_sums multiply_add(line_sums sums, int16x8_t x, int16_t factor) {
    return (line_sums){vmlal_n_s16(sums.low, vget_low_s16(x), factor), vmlal_high_n_s16(sums.high, x, factor)};
}

// The shift is a constant of the instruction.
#define SHIFT_ROUNDING(sums, bits) vrshrn_high_n_s32(vrshrn_n_s32((sums).low, bits), (sums).high, bits)

static inline line_sums dot_2(int16x8_t a, int16x8_t b, int16_t fa, int16_t fb) {
    return multiply_add(multiply(a, fa), b, fb);
}

static inline line_sums dot_4(const int16x8_t d[4], int16_t f0, int16_t f1, int16_t f2, int16_t f3) {
    return multiply_add(multiply_add(dot_2(d[0], d[1], f0, f1), d[2], f2), d[3], f3);
}

// One dimension of the transform for 8 lines. `v[i]` has entry i of every line. See forward_dct_portable.c.
#define FORWARD_DCT_LINES(v, bits, SCALE)                                                       \
    do {                                                                                        \
        int16x8_t s[4], d[4];                                                                   \
        for (int i = 0; i < 4; i++) {                                                           \
            s[i] = vaddq_s16((v)[i], (v)[7 - i]);                                               \
            d[i] = vsubq_s16((v)[i], (v)[7 - i]);                                               \
        }                                                                                       \
        const int16x8_t s03 = vaddq_s16(s[0], s[3]), s12 = vaddq_s16(s[1], s[2]);               \
        const int16x8_t outer = vsubq_s16(s[0], s[3]), inner = vsubq_s16(s[1], s[2]);           \
        const line_sums x2 = dot_2(outer, inner, 10703, 4433), x6 = dot_2(outer, inner, 4433, -10704); \
        const line_sums x1 = dot_4(d, 11363, 9633, 6437, 2260), x3 = dot_4(d, 9633, -2259, -11362, -6436); \
        const line_sums x5 = dot_4(d, 6437, -11362, 2261, 9633), x7 = dot_4(d, 2260, -6436, 9633, -11363); \
        (v)[0] = SCALE(vaddq_s16(s03, s12), 2);                                                 \
        (v)[4] = SCALE(vsubq_s16(s03, s12), 2);                                                 \
        (v)[2] = SHIFT_ROUNDING(x2, bits), (v)[6] = SHIFT_ROUNDING(x6, bits);                   \
        (v)[1] = SHIFT_ROUNDING(x1, bits), (v)[3] = SHIFT_ROUNDING(x3, bits);                   \
        (v)[5] = SHIFT_ROUNDING(x5, bits), (v)[7] = SHIFT_ROUNDING(x7, bits);                   \
    } while (0)

#define ZIP(part, bits, a, b) \
    vreinterpretq_s16_s##bits(vzip##part##q_s##bits(vreinterpretq_s##bits##_s16(a), vreinterpretq_s##bits##_s16(b)))

static inline void transpose(int16x8_t v[8]) {
    int16x8_t a[8], b[8];
    for (int i = 0; i < 4; i++) {
        a[2 * i] = vzip1q_s16(v[2 * i], v[2 * i + 1]);
        a[2 * i + 1] = vzip2q_s16(v[2 * i], v[2 * i + 1]);
    }
    for (int i = 0; i < 2; i++) {
        b[4 * i] = ZIP(1, 32, a[4 * i], a[4 * i + 2]);
        b[4 * i + 1] = ZIP(2, 32, a[4 * i], a[4 * i + 2]);
        b[4 * i + 2] = ZIP(1, 32, a[4 * i + 1], a[4 * i + 3]);
        b[4 * i + 3] = ZIP(2, 32, a[4 * i + 1], a[4 * i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        v[2 * i] = ZIP(1, 64, b[i], b[i + 4]);
        v[2 * i + 1] = ZIP(2, 64, b[i], b[i + 4]);
    }
}

// Stores the coefficients in zigzag order. Each half of the rows is a table of 64 bytes; an index beyond it leaves the
// byte as it is.
static inline void store_in_zigzag(const int16x8_t v[8], int16_t *out) {
    uint8x16x4_t top, bottom;
    for (int i = 0; i < 4; i++) {
        top.val[i] = vreinterpretq_u8_s16(v[i]);
        bottom.val[i] = vreinterpretq_u8_s16(v[i + 4]);
    }
    for (int i = 0; i < 8; i++) {
        // The byte indices of 8 coefficients: 2 * index in the low bytes and one more in the high ones.
        const uint8x8_t zigzag = vshl_n_u8(vld1_u8(prep_encoder_zigzag + 8 * i), 1);
        const uint8x8_t next = vadd_u8(zigzag, vdup_n_u8(1));
        const uint8x16_t indices = vcombine_u8(vzip1_u8(zigzag, next), vzip2_u8(zigzag, next));
        const uint8x16_t low = vqtbl4q_u8(top, indices);
        const uint8x16_t all = vqtbx4q_u8(low, bottom, vsubq_u8(indices, vdupq_n_u8(64)));
        vst1q_s16(out + 8 * i, vreinterpretq_s16_u8(all));
    }
}

void prep_forward_dct_neon(const uint8_t *const rows[8], int32_t block_count, int16_t *out) {
    for (int32_t i = 0; i < block_count; i++, out += 64) {
        int16x8_t v[8];
        for (int y = 0; y < 8; y++)
            v[y] = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(rows[y] + 8 * i), vdup_n_u8(128)));
        transpose(v);
        FORWARD_DCT_LINES(v, 11, vshlq_n_s16);
        transpose(v);
        FORWARD_DCT_LINES(v, 15, vrshrq_n_s16);
        store_in_zigzag(v, out);
    }
}
#endif
