#include "inverse_dct.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#include <string.h>

// The factors of inverse_dct_portable.c, which multiplications take from a lane of a vector.
typedef struct {
    int16x4_t even;
    int16x8_t odd;
} transform_factors;

enum { F10703, F10704, F4433 };                                          // lanes of `even`
enum { F11363, F11362, F9633, F6437, F6436, F2261, F2260, F2259 }; // lanes of `odd`

// The empty assembly hides the values. Otherwise a compiler gives each factor a register of its own, with two
// instructions, which are a tenth of a sparse block's.
static inline transform_factors load_factors(void) {
    static const int16_t even[4] = {10703, 10704, 4433, 0};
    static const int16_t odd[8] = {11363, 11362, 9633, 6437, 6436, 2261, 2260, 2259};
    transform_factors factors = {vld1_s16(even), vld1q_s16(odd)};
    __asm__("" : "+w"(factors.even), "+w"(factors.odd));
    return factors;
}

// One dimension of the transform for four lines, before its last additions: entry i is even[i] + odd[i], and entry
// 7 - i is even[i] - odd[i].
typedef struct {
    int32x4_t even[4], odd[4];
} transformed_lines;

// Transforms four lines, of which x[i] has entry i.
static inline transformed_lines transform_lines(transform_factors f, const int16x4_t x[8]) {
    const int32x4_t x0 = vshll_n_s16(x[0], 13), x4 = vshll_n_s16(x[4], 13);
    const int32x4_t sum = vaddq_s32(x0, x4), difference = vsubq_s32(x0, x4);
    const int32x4_t outer = vmlal_lane_s16(vmull_lane_s16(x[2], f.even, F10703), x[6], f.even, F4433);
    const int32x4_t inner = vmlsl_lane_s16(vmull_lane_s16(x[2], f.even, F4433), x[6], f.even, F10704);
    int32x4_t o0 = vmlal_laneq_s16(vmull_laneq_s16(x[1], f.odd, F11363), x[3], f.odd, F9633);
    int32x4_t o1 = vmlsl_laneq_s16(vmull_laneq_s16(x[1], f.odd, F9633), x[3], f.odd, F2259);
    int32x4_t o2 = vmlsl_laneq_s16(vmull_laneq_s16(x[1], f.odd, F6437), x[3], f.odd, F11362);
    int32x4_t o3 = vmlsl_laneq_s16(vmull_laneq_s16(x[1], f.odd, F2260), x[3], f.odd, F6436);
    o0 = vmlal_laneq_s16(vmlal_laneq_s16(o0, x[5], f.odd, F6437), x[7], f.odd, F2260);
    o1 = vmlsl_laneq_s16(vmlsl_laneq_s16(o1, x[5], f.odd, F11362), x[7], f.odd, F6436);
    o2 = vmlal_laneq_s16(vmlal_laneq_s16(o2, x[5], f.odd, F2261), x[7], f.odd, F9633);
    o3 = vmlsl_laneq_s16(vmlal_laneq_s16(o3, x[5], f.odd, F9633), x[7], f.odd, F11363);
    return (transformed_lines){
        .even = {vaddq_s32(sum, outer), vaddq_s32(difference, inner), vsubq_s32(difference, inner),
                 vsubq_s32(sum, outer)},
        .odd = {o0, o1, o2, o3}};
}

// Transforms four lines of which only entries 0 to 3 are not zero.
static inline transformed_lines transform_sparse_lines(transform_factors f, const int16x4_t x[4]) {
    const int32x4_t x0 = vshll_n_s16(x[0], 13);
    const int32x4_t outer = vmull_lane_s16(x[2], f.even, F10703), inner = vmull_lane_s16(x[2], f.even, F4433);
    return (transformed_lines){
        .even = {vaddq_s32(x0, outer), vaddq_s32(x0, inner), vsubq_s32(x0, inner), vsubq_s32(x0, outer)},
        .odd = {
            vmlal_laneq_s16(vmull_laneq_s16(x[1], f.odd, F11363), x[3], f.odd, F9633),
            vmlsl_laneq_s16(vmull_laneq_s16(x[1], f.odd, F9633), x[3], f.odd, F2259),
            vmlsl_laneq_s16(vmull_laneq_s16(x[1], f.odd, F6437), x[3], f.odd, F11362),
            vmlsl_laneq_s16(vmull_laneq_s16(x[1], f.odd, F2260), x[3], f.odd, F6436)}};
}

// Transposes the 4 by 4 entries in each half of four vectors.
static inline void transpose_halves(int16x8_t x[4]) {
    const int32x4_t a = vreinterpretq_s32_s16(vtrn1q_s16(x[0], x[1]));
    const int32x4_t b = vreinterpretq_s32_s16(vtrn2q_s16(x[0], x[1]));
    const int32x4_t c = vreinterpretq_s32_s16(vtrn1q_s16(x[2], x[3]));
    const int32x4_t d = vreinterpretq_s32_s16(vtrn2q_s16(x[2], x[3]));
    x[0] = vreinterpretq_s16_s32(vtrn1q_s32(a, c));
    x[1] = vreinterpretq_s16_s32(vtrn1q_s32(b, d));
    x[2] = vreinterpretq_s16_s32(vtrn2q_s32(a, c));
    x[3] = vreinterpretq_s16_s32(vtrn2q_s32(b, d));
}

// Returns two columns of samples around 0, from entries of the second pass without their lowest 16 bits. They are
// rounded to 18 bits less; that the first 16 were rounded down makes no difference.
static inline uint8x16_t narrow_columns(int16x8_t first, int16x8_t second) {
    return vreinterpretq_u8_s8(vqrshrn_high_n_s16(vqrshrn_n_s16(first, 2), second, 2));
}

#define JOIN(part, bits, half, a, b) \
    vzip##part##q_u##bits(vreinterpretq_u##bits##_u##half(a), vreinterpretq_u##bits##_u##half(b))

// Stores the samples of lines that are rows 0 to 3 and rows 4 to 7. A vector of all lines is a column, so the columns
// are joined in pairs: to 2, to 4 and to 8 samples of a row.
static inline void store_rows(transformed_lines top, transformed_lines bottom, uint8_t *out, size_t stride) {
    int16x8_t columns[8];
    for (int i = 0; i < 4; i++) {
        columns[i] = vaddhn_high_s32(vaddhn_s32(top.even[i], top.odd[i]), bottom.even[i], bottom.odd[i]);
        columns[7 - i] = vsubhn_high_s32(vsubhn_s32(top.even[i], top.odd[i]), bottom.even[i], bottom.odd[i]);
    }
    const uint8x16_t bias = vdupq_n_u8(0x80);
    const uint8x16_t c02 = veorq_u8(narrow_columns(columns[0], columns[2]), bias);
    const uint8x16_t c13 = veorq_u8(narrow_columns(columns[1], columns[3]), bias);
    const uint8x16_t c46 = veorq_u8(narrow_columns(columns[4], columns[6]), bias);
    const uint8x16_t c57 = veorq_u8(narrow_columns(columns[5], columns[7]), bias);
    const uint8x16_t c01 = vzip1q_u8(c02, c13), c23 = vzip2q_u8(c02, c13);
    const uint8x16_t c45 = vzip1q_u8(c46, c57), c67 = vzip2q_u8(c46, c57);
    const uint16x8_t left_top = JOIN(1, 16, 8, c01, c23), left_bottom = JOIN(2, 16, 8, c01, c23);
    const uint16x8_t right_top = JOIN(1, 16, 8, c45, c67), right_bottom = JOIN(2, 16, 8, c45, c67);
    const uint32x4_t rows[4] = {
        JOIN(1, 32, 16, left_top, right_top), JOIN(2, 32, 16, left_top, right_top),
        JOIN(1, 32, 16, left_bottom, right_bottom), JOIN(2, 32, 16, left_bottom, right_bottom)};
    for (int i = 0; i < 4; i++) {
        vst1_u8(out + (size_t)(2 * i) * stride, vget_low_u8(vreinterpretq_u8_u32(rows[i])));
        vst1_u8(out + (size_t)(2 * i + 1) * stride, vget_high_u8(vreinterpretq_u8_u32(rows[i])));
    }
}

// Dequantizes a block into rows. Returns false if the sum of the magnitudes exceeds the maximum.
static inline bool dequantize(const coefficient_block *block, const coefficient_block *steps, int16x8_t rows[8]) {
    static const uint8_t row_pairs[4][2] = {{0, 4}, {2, 6}, {1, 3}, {5, 7}};
    uint32x4_t low_sum = vdupq_n_u32(0), high_sum = vdupq_n_u32(0);
    for (int i = 0; i < 4; i++) {
        const int16x8x2_t values = vld2q_s16(block->values + 16 * i), factors = vld2q_s16(steps->values + 16 * i);
        for (int j = 0; j < 2; j++) {
            const uint16x8_t magnitudes = vreinterpretq_u16_s16(vabsq_s16(values.val[j]));
            const uint16x8_t unsigned_factors = vreinterpretq_u16_s16(factors.val[j]);
            low_sum = vmlal_u16(low_sum, vget_low_u16(magnitudes), vget_low_u16(unsigned_factors));
            high_sum = vmlal_high_u16(high_sum, magnitudes, unsigned_factors);
            rows[row_pairs[i][j]] = vmulq_s16(values.val[j], factors.val[j]);
        }
    }
    return vaddvq_u32(vaddq_u32(low_sum, high_sum)) <= PREP_MAX_COEFFICIENT_SUM;
}

// Between the passes, the 4 by 4 entries of each quarter of the block are transposed:
//
//     rows 0 to 3:  | a b |  becomes  | a' b' |: entry i of lines 0 to 3 in the low half of vector i for i < 4, in the
//     rows 4 to 7:  | c d |           | c' d' |  high half of vector i - 4 otherwise; lines 4 to 7 likewise
bool prep_inverse_dct_block_neon(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    int16x8_t rows[8];
    if (!dequantize(block, steps, rows)) return false;
    *block = (coefficient_block){{0}};
    const transform_factors f = load_factors();
    int16x4_t left[8], right[8];
    for (int i = 0; i < 8; i++) left[i] = vget_low_s16(rows[i]), right[i] = vget_high_s16(rows[i]);
    const transformed_lines l = transform_lines(f, left), r = transform_lines(f, right);
    for (int i = 0; i < 4; i++) {
        rows[i] = vrshrn_high_n_s32(
            vrshrn_n_s32(vaddq_s32(l.even[i], l.odd[i]), 11), vaddq_s32(r.even[i], r.odd[i]), 11);
        rows[7 - i] = vrshrn_high_n_s32(
            vrshrn_n_s32(vsubq_s32(l.even[i], l.odd[i]), 11), vsubq_s32(r.even[i], r.odd[i]), 11);
    }
    transpose_halves(rows);
    transpose_halves(rows + 4);
    int16x4_t top[8], bottom[8];
    for (int i = 0; i < 4; i++) {
        top[i] = vget_low_s16(rows[i]), top[i + 4] = vget_high_s16(rows[i]);
        bottom[i] = vget_low_s16(rows[i + 4]), bottom[i + 4] = vget_high_s16(rows[i + 4]);
    }
    store_rows(transform_lines(f, top), transform_lines(f, bottom), out, stride);
    return true;
}

// Dequantizes the first four entries of rows 0 to 3, and sets the block to zero. Returns false if the sum of the
// magnitudes exceeds the maximum.
static inline bool take_sparse_rows(coefficient_block *block, const coefficient_block *steps, int16x4_t rows[4]) {
    const int16x4x2_t odd_values = vld2_s16(block->values + ROW_1), odd_factors = vld2_s16(steps->values + ROW_1);
    const int16x4_t values[4] = {
        vld2_s16(block->values + ROW_0).val[0], odd_values.val[0], vld2_s16(block->values + ROW_2).val[0],
        odd_values.val[1]};
    const int16x4_t factors[4] = {
        vld2_s16(steps->values + ROW_0).val[0], odd_factors.val[0], vld2_s16(steps->values + ROW_2).val[0],
        odd_factors.val[1]};
    uint32x4_t sum = vdupq_n_u32(0);
    for (int i = 0; i < 4; i++) {
        sum = vmlal_u16(sum, vreinterpret_u16_s16(vabs_s16(values[i])), vreinterpret_u16_s16(factors[i]));
        rows[i] = vmul_s16(values[i], factors[i]);
    }
    if (vaddvq_u32(sum) > PREP_MAX_COEFFICIENT_SUM) return false;
    vst1q_s16(block->values + ROW_0, vdupq_n_s16(0));
    vst1q_s16(block->values + ROW_2, vdupq_n_s16(0));
    vst1q_s16(block->values + ROW_1, vdupq_n_s16(0));
    return true;
}

// The first pass has four lines, the columns 0 to 3. Its rows 4 to 7 become the high halves of the vectors of rows 0 to
// 3, so that both halves are transposed together.
bool prep_inverse_dct_sparse_block_neon(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    int16x4_t top[4], bottom[4];
    if (!take_sparse_rows(block, steps, top)) return false;
    const transform_factors f = load_factors();
    const transformed_lines l = transform_sparse_lines(f, top);
    int16x8_t rows[4];
    for (int i = 0; i < 4; i++)
        rows[i] = vrshrn_high_n_s32(
            vrshrn_n_s32(vaddq_s32(l.even[i], l.odd[i]), 11), vsubq_s32(l.even[3 - i], l.odd[3 - i]), 11);
    transpose_halves(rows);
    for (int i = 0; i < 4; i++) top[i] = vget_low_s16(rows[i]), bottom[i] = vget_high_s16(rows[i]);
    store_rows(transform_sparse_lines(f, top), transform_sparse_lines(f, bottom), out, stride);
    return true;
}

enum { H15137, H6270 };                                          // lanes of `even` at half size
enum { H20995, H7373, H4926, H4176, H8697, H17799, H11893, H1730 }; // lanes of `odd` at half size

static inline transform_factors load_half_factors(void) {
    static const int16_t even[4] = {15137, 6270, 0, 0};
    static const int16_t odd[8] = {20995, 7373, 4926, 4176, 8697, 17799, 11893, 1730};
    transform_factors factors = {vld1_s16(even), vld1q_s16(odd)};
    __asm__("" : "+w"(factors.even), "+w"(factors.odd));
    return factors;
}

// Transforms four lines at half size, of which x[i] has entry i. Entry 4 is not used.
static inline void half_transform_lines(transform_factors f, const int16x4_t x[8], int32x4_t out[4]) {
    const int32x4_t x0 = vshll_n_s16(x[0], 14);
    const int32x4_t x2 = vmlsl_lane_s16(vmull_lane_s16(x[2], f.even, H15137), x[6], f.even, H6270);
    int32x4_t o0 = vmlal_laneq_s16(vmull_laneq_s16(x[1], f.odd, H20995), x[3], f.odd, H7373);
    int32x4_t o1 = vmlsl_laneq_s16(vmull_laneq_s16(x[1], f.odd, H8697), x[3], f.odd, H17799);
    o0 = vmlsl_laneq_s16(vmlsl_laneq_s16(o0, x[5], f.odd, H4926), x[7], f.odd, H4176);
    o1 = vmlsl_laneq_s16(vmlal_laneq_s16(o1, x[5], f.odd, H11893), x[7], f.odd, H1730);
    const int32x4_t e0 = vaddq_s32(x0, x2), e1 = vsubq_s32(x0, x2);
    out[0] = vaddq_s32(e0, o0), out[3] = vsubq_s32(e0, o0);
    out[1] = vaddq_s32(e1, o1), out[2] = vsubq_s32(e1, o1);
}

// Transforms four lines at half size of which only entries 0 to 3 are not zero.
static inline void half_transform_sparse_lines(transform_factors f, const int16x4_t x[4], int32x4_t out[4]) {
    const int32x4_t x0 = vshll_n_s16(x[0], 14), x2 = vmull_lane_s16(x[2], f.even, H15137);
    const int32x4_t o0 = vmlal_laneq_s16(vmull_laneq_s16(x[1], f.odd, H20995), x[3], f.odd, H7373);
    const int32x4_t o1 = vmlsl_laneq_s16(vmull_laneq_s16(x[1], f.odd, H8697), x[3], f.odd, H17799);
    const int32x4_t e0 = vaddq_s32(x0, x2), e1 = vsubq_s32(x0, x2);
    out[0] = vaddq_s32(e0, o0), out[3] = vsubq_s32(e0, o0);
    out[1] = vaddq_s32(e1, o1), out[2] = vsubq_s32(e1, o1);
}

static inline void store_4_samples(uint32_t samples, uint8_t *out) { memcpy(out, &samples, sizeof samples); }

// Stores the columns of the second pass, without their lowest 16 bits and then rounded to 3 bits less, as rows.
static inline void store_half_rows(const int32x4_t columns[4], uint8_t *out, size_t stride) {
    static const uint8_t transpose[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    const int16x8_t c01 = vshrn_high_n_s32(vshrn_n_s32(columns[0], 16), columns[1], 16);
    const int16x8_t c23 = vshrn_high_n_s32(vshrn_n_s32(columns[2], 16), columns[3], 16);
    const uint8x16_t samples = vreinterpretq_u8_s8(vqrshrn_high_n_s16(vqrshrn_n_s16(c01, 3), c23, 3));
    const uint32x4_t rows =
        vreinterpretq_u32_u8(vqtbl1q_u8(veorq_u8(samples, vdupq_n_u8(0x80)), vld1q_u8(transpose)));
    store_4_samples(vgetq_lane_u32(rows, 0), out);
    store_4_samples(vgetq_lane_u32(rows, 1), out + stride);
    store_4_samples(vgetq_lane_u32(rows, 2), out + 2 * stride);
    store_4_samples(vgetq_lane_u32(rows, 3), out + 3 * stride);
}

// The first pass gives four rows of 8 entries, of which each half is transposed.
bool prep_half_inverse_dct_block_neon(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    int16x8_t rows[8];
    if (!dequantize(block, steps, rows)) return false;
    *block = (coefficient_block){{0}};
    const transform_factors f = load_half_factors();
    int16x4_t left[8], right[8];
    for (int i = 0; i < 8; i++) left[i] = vget_low_s16(rows[i]), right[i] = vget_high_s16(rows[i]);
    int32x4_t l[4], r[4];
    half_transform_lines(f, left, l);
    half_transform_lines(f, right, r);
    for (int i = 0; i < 4; i++) rows[i] = vrshrn_high_n_s32(vrshrn_n_s32(l[i], 12), r[i], 12);
    transpose_halves(rows);
    for (int i = 0; i < 4; i++) left[i] = vget_low_s16(rows[i]), left[i + 4] = vget_high_s16(rows[i]);
    half_transform_lines(f, left, l);
    store_half_rows(l, out, stride);
    return true;
}

bool prep_half_inverse_dct_sparse_block_neon(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    int16x4_t rows[4];
    if (!take_sparse_rows(block, steps, rows)) return false;
    const transform_factors f = load_half_factors();
    int32x4_t sums[4];
    half_transform_sparse_lines(f, rows, sums);
    int16x8_t joined[4];
    for (int i = 0; i < 4; i++) joined[i] = vcombine_s16(vrshrn_n_s32(sums[i], 12), vdup_n_s16(0));
    transpose_halves(joined);
    for (int i = 0; i < 4; i++) rows[i] = vget_low_s16(joined[i]);
    half_transform_sparse_lines(f, rows, sums);
    store_half_rows(sums, out, stride);
    return true;
}
#endif
