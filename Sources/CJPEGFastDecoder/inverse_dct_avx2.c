#include "inverse_dct.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET_AVX2 __attribute__((target("avx2")))
#define INLINE_AVX2 TARGET_AVX2 static inline

// Two 16-bit factors in each 32-bit lane.
#define FACTOR_PAIR(a, b) ((int32_t)((uint32_t)(uint16_t)(int16_t)(a) | (uint32_t)(uint16_t)(int16_t)(b) << 16))
#define BROADCAST_PAIR(a, b) _mm256_set1_epi32(FACTOR_PAIR(a, b))
#define DOT(x, a, b) _mm256_madd_epi16(x, BROADCAST_PAIR(a, b))
#define ADD _mm256_add_epi32
#define SUB _mm256_sub_epi32

// One dimension of the transform for 8 lines at once, each in a 32-bit lane. `even04` has entries 0 and 4 of every
// line, and so on; `out[i]` receives entry i. Each constant is a sum of the algorithm's constants, with 13 fractional
// bits. All sums and products are integers, so the result is the same as that of the algorithm's individual steps.
INLINE_AVX2 void inverse_dct_lines(
    __m256i even04, __m256i even26, __m256i odd13, __m256i odd57, int32_t rounding, __m256i out[8]) {
    const __m256i half = _mm256_set1_epi32(rounding);
    const __m256i sum = ADD(DOT(even04, 8192, 8192), half), difference = ADD(DOT(even04, 8192, -8192), half);
    const __m256i outer = DOT(even26, 10703, 4433), inner = DOT(even26, 4433, -10704);
    const __m256i e0 = ADD(sum, outer), e3 = SUB(sum, outer), e1 = ADD(difference, inner), e2 = SUB(difference, inner);
    const __m256i o0 = ADD(DOT(odd13, 11363, 9633), DOT(odd57, 6437, 2260));
    const __m256i o1 = ADD(DOT(odd13, 9633, -2259), DOT(odd57, -11362, -6436));
    const __m256i o2 = ADD(DOT(odd13, 6437, -11362), DOT(odd57, 2261, 9633));
    const __m256i o3 = ADD(DOT(odd13, 2260, -6436), DOT(odd57, 9633, -11363));
    out[0] = ADD(e0, o0), out[7] = SUB(e0, o0);
    out[1] = ADD(e1, o1), out[6] = SUB(e1, o1);
    out[2] = ADD(e2, o2), out[5] = SUB(e2, o2);
    out[3] = ADD(e3, o3), out[4] = SUB(e3, o3);
}

// Shifts 32-bit sums right and packs those of two vectors to 16 bits.
#define SHIFT_AND_PACK(sums, i, bits) \
    _mm256_packs_epi32(_mm256_srai_epi32((sums)[i], bits), _mm256_srai_epi32((sums)[(i) + 1], bits))

INLINE_AVX2 int32_t sum_lanes(__m128i four) {
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1)));
}

INLINE_AVX2 bool is_within_coefficient_limit(const __m256i *values, const __m256i *steps) {
    __m256i sum = _mm256_setzero_si256();
    for (int i = 0; i < 4; i++) sum = ADD(sum, _mm256_madd_epi16(_mm256_abs_epi16(values[i]), steps[i]));
    return sum_lanes(_mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1))) <=
        PREP_MAX_COEFFICIENT_SUM;
}

// Stores the second pass's sums, which have a column in each vector. They are clamped to bytes around 128, transposed
// in blocks of 4 by 4 bytes, and joined to rows. `order` is the row in each lane.
INLINE_AVX2 void store_columns_as_rows(const __m256i s[8], const uint8_t order[8], uint8_t *out, size_t stride) {
    const __m256i bias = _mm256_set1_epi8((char)0x80);
    const __m256i left = _mm256_packs_epi16(SHIFT_AND_PACK(s, 0, 18), SHIFT_AND_PACK(s, 2, 18));
    const __m256i right = _mm256_packs_epi16(SHIFT_AND_PACK(s, 4, 18), SHIFT_AND_PACK(s, 6, 18));
    const __m256i transpose_4x4 = _mm256_setr_epi8(
        0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m256i l = _mm256_shuffle_epi8(_mm256_xor_si256(left, bias), transpose_4x4);
    const __m256i r = _mm256_shuffle_epi8(_mm256_xor_si256(right, bias), transpose_4x4);
    const __m256i low = _mm256_unpacklo_epi32(l, r), high = _mm256_unpackhi_epi32(l, r);
    const __m128i pairs[4] = {
        _mm256_castsi256_si128(low), _mm256_castsi256_si128(high),
        _mm256_extracti128_si256(low, 1), _mm256_extracti128_si256(high, 1)};
    for (int i = 0; i < 4; i++) {
        _mm_storel_epi64((__m128i *)(out + order[2 * i] * stride), pairs[i]);
        _mm_storeh_pd((double *)(out + order[2 * i + 1] * stride), _mm_castsi128_pd(pairs[i]));
    }
}

TARGET_AVX2
bool prep_inverse_dct_block_avx2(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    const coefficient_block copy = *block;
    const __m256i *values = (const __m256i *)copy.values, *factors = (const __m256i *)steps->values;
    if (!is_within_coefficient_limit(values, factors)) return false;
    *block = (coefficient_block){{0}};
    __m256i s[8];
    inverse_dct_lines(
        _mm256_mullo_epi16(values[0], factors[0]), _mm256_mullo_epi16(values[1], factors[1]),
        _mm256_mullo_epi16(values[2], factors[2]), _mm256_mullo_epi16(values[3], factors[3]), 1 << 10, s);

    // Transposes: four rounds of unpacking within lanes leave columns c and c + 4 in the halves of a vector.
    const __m256i p0 = SHIFT_AND_PACK(s, 0, 11), p1 = SHIFT_AND_PACK(s, 2, 11), p2 = SHIFT_AND_PACK(s, 4, 11),
                  p3 = SHIFT_AND_PACK(s, 6, 11);
    const __m256i u0 = _mm256_unpacklo_epi16(p0, p1), u1 = _mm256_unpackhi_epi16(p0, p1);
    const __m256i u2 = _mm256_unpacklo_epi16(p2, p3), u3 = _mm256_unpackhi_epi16(p2, p3);
    const __m256i v0 = _mm256_unpacklo_epi16(u0, u1), v1 = _mm256_unpackhi_epi16(u0, u1);
    const __m256i v2 = _mm256_unpacklo_epi16(u2, u3), v3 = _mm256_unpackhi_epi16(u2, u3);
    const __m256i c04 = _mm256_unpacklo_epi64(v0, v2), c15 = _mm256_unpackhi_epi64(v0, v2);
    const __m256i c26 = _mm256_unpacklo_epi64(v1, v3), c37 = _mm256_unpackhi_epi64(v1, v3);
    // Interleaves pairs of columns, with lines 0 to 3 in the low half and 4 to 7 in the high half.
    const __m256i alternate = _mm256_setr_epi8(
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    const __m256i even04 = _mm256_shuffle_epi8(_mm256_permute4x64_epi64(c04, 0xD8), alternate);
    const __m256i even26 = _mm256_shuffle_epi8(_mm256_permute4x64_epi64(c26, 0xD8), alternate);
    const __m256i first = _mm256_unpacklo_epi16(c15, c37), last = _mm256_unpackhi_epi16(c15, c37);
    const __m256i odd13 = _mm256_permute2x128_si256(first, last, 0x20);
    const __m256i odd57 = _mm256_permute2x128_si256(first, last, 0x31);
    inverse_dct_lines(even04, even26, odd13, odd57, 1 << 17, s);

    static const uint8_t in_order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    store_columns_as_rows(s, in_order, out, stride);
    return true;
}

// The dequantized first four entries of rows 0 and 2, alternating, and of rows 1 and 3.
typedef struct {
    __m128i even, odd;
} sparse_rows;

// Dequantizes a sparse block and sets it to zero. Returns false if the sum of the magnitudes exceeds the maximum.
INLINE_AVX2 bool take_sparse_rows(coefficient_block *block, const coefficient_block *steps, sparse_rows *rows) {
    __m128i *values = (__m128i *)block->values;
    const __m128i *factors = (const __m128i *)steps->values;
    __m128i sum = _mm_setzero_si128();
    for (int i = 0; i < 6; i += 2) sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_abs_epi16(values[i]), factors[i]));
    if (sum_lanes(sum) > PREP_MAX_COEFFICIENT_SUM) return false;
    const __m128i row0 = _mm_mullo_epi16(values[0], factors[0]), row2 = _mm_mullo_epi16(values[2], factors[2]);
    rows->even = _mm_or_si128(row0, _mm_slli_epi32(row2, 16));
    rows->odd = _mm_mullo_epi16(values[4], factors[4]);
    values[0] = values[2] = values[4] = _mm_setzero_si128();
    return true;
}

// Different constants for the two halves of a vector.
#define HALVES(low, high) _mm256_set_m128i(_mm_set1_epi32(high), _mm_set1_epi32(low))

// Only rows and columns 0 to 3 have coefficients. So the first pass has four lines, each in both halves of a vector
// with different constants. Its even part has only entries 0 and 2, its odd part only 1 and 3.
TARGET_AVX2
bool prep_inverse_dct_sparse_block_avx2(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    sparse_rows rows;
    if (!take_sparse_rows(block, steps, &rows)) return false;
    const __m256i even = _mm256_broadcastsi128_si256(rows.even), odd = _mm256_broadcastsi128_si256(rows.odd);
    __m256i half = _mm256_set1_epi32(1 << 10);
    const __m256i e01 = ADD(_mm256_madd_epi16(even, HALVES(FACTOR_PAIR(8192, 10703), FACTOR_PAIR(8192, 4433))), half);
    const __m256i e32 = ADD(_mm256_madd_epi16(even, HALVES(FACTOR_PAIR(8192, -10703), FACTOR_PAIR(8192, -4433))), half);
    const __m256i o01 = _mm256_madd_epi16(odd, HALVES(FACTOR_PAIR(11363, 9633), FACTOR_PAIR(9633, -2259)));
    const __m256i o32 = _mm256_madd_epi16(odd, HALVES(FACTOR_PAIR(2260, -6436), FACTOR_PAIR(6437, -11362)));
    const __m256i rows01 = _mm256_srai_epi32(ADD(e01, o01), 11), rows76 = _mm256_srai_epi32(SUB(e01, o01), 11);
    const __m256i rows32 = _mm256_srai_epi32(ADD(e32, o32), 11), rows45 = _mm256_srai_epi32(SUB(e32, o32), 11);

    // Transposes rows to lanes, in the order 0 4 3 7, 1 5 2 6: entries 0 and 2 in one vector, 1 and 3 in another.
    const __m256i pairs = _mm256_setr_epi8(
        0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    const __m256i first = _mm256_shuffle_epi8(_mm256_packs_epi32(rows01, rows45), pairs);
    const __m256i last = _mm256_shuffle_epi8(_mm256_packs_epi32(rows32, rows76), pairs);
    const __m256i even02 = _mm256_unpacklo_epi64(first, last), odd13 = _mm256_unpackhi_epi64(first, last);
    half = _mm256_set1_epi32(1 << 17);
    const __m256i e0 = ADD(DOT(even02, 8192, 10703), half), e1 = ADD(DOT(even02, 8192, 4433), half);
    const __m256i e2 = ADD(DOT(even02, 8192, -4433), half), e3 = ADD(DOT(even02, 8192, -10703), half);
    const __m256i o0 = DOT(odd13, 11363, 9633), o1 = DOT(odd13, 9633, -2259);
    const __m256i o2 = DOT(odd13, 6437, -11362), o3 = DOT(odd13, 2260, -6436);
    const __m256i s[8] = {
        ADD(e0, o0), ADD(e1, o1), ADD(e2, o2), ADD(e3, o3), SUB(e3, o3), SUB(e2, o2), SUB(e1, o1), SUB(e0, o0)};
    static const uint8_t order[8] = {0, 4, 3, 7, 1, 5, 2, 6};
    store_columns_as_rows(s, order, out, stride);
    return true;
}

// Stores a vector with four columns of 4 samples around 0 as rows.
INLINE_AVX2 void store_4_columns_as_rows(__m128i columns, uint8_t *out, size_t stride) {
    const __m128i transpose = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m128i rows = _mm_shuffle_epi8(_mm_xor_si128(columns, _mm_set1_epi8((char)0x80)), transpose);
    _mm_storeu_si32(out, rows);
    _mm_storeu_si32(out + stride, _mm_srli_si128(rows, 4));
    _mm_storeu_si32(out + 2 * stride, _mm_srli_si128(rows, 8));
    _mm_storeu_si32(out + 3 * stride, _mm_srli_si128(rows, 12));
}

// The first pass has 8 lines, the columns. The second has 4, the rows: entries 0 to 3 of each are in the low half of a
// vector and 4 to 7 in the high half, with different constants, so that the sum of the halves is the result.
TARGET_AVX2
bool prep_half_inverse_dct_block_avx2(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    const coefficient_block copy = *block;
    const __m256i *values = (const __m256i *)copy.values, *factors = (const __m256i *)steps->values;
    if (!is_within_coefficient_limit(values, factors)) return false;
    *block = (coefficient_block){{0}};
    const __m256i x04 = _mm256_mullo_epi16(values[0], factors[0]), x26 = _mm256_mullo_epi16(values[1], factors[1]);
    const __m256i x13 = _mm256_mullo_epi16(values[2], factors[2]), x57 = _mm256_mullo_epi16(values[3], factors[3]);
    const __m256i x0 = ADD(DOT(x04, 16384, 0), _mm256_set1_epi32(1 << 11)), x2 = DOT(x26, 15137, -6270);
    const __m256i e0 = ADD(x0, x2), e1 = SUB(x0, x2);
    const __m256i o0 = ADD(DOT(x13, 20995, 7373), DOT(x57, -4926, -4176));
    const __m256i o1 = ADD(DOT(x13, 8697, -17799), DOT(x57, 11893, -1730));
    const __m256i sums[4] = {ADD(e0, o0), ADD(e1, o1), SUB(e1, o1), SUB(e0, o0)};

    // Joins pairs of a row's entries: 0 and 2, 1 and 3; 4 and 6, 5 and 7.
    const __m256i pairs = _mm256_setr_epi8(
        0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    const __m256i rows01 = _mm256_shuffle_epi8(SHIFT_AND_PACK(sums, 0, 12), pairs);
    const __m256i rows23 = _mm256_shuffle_epi8(SHIFT_AND_PACK(sums, 2, 12), pairs);
    const __m256i even = _mm256_unpacklo_epi64(rows01, rows23), odd = _mm256_unpackhi_epi64(rows01, rows23);
    const __m256i even0 = _mm256_madd_epi16(even, HALVES(FACTOR_PAIR(16384, 15137), FACTOR_PAIR(0, -6270)));
    const __m256i even1 = _mm256_madd_epi16(even, HALVES(FACTOR_PAIR(16384, -15137), FACTOR_PAIR(0, 6270)));
    const __m256i odd0 = _mm256_madd_epi16(odd, HALVES(FACTOR_PAIR(20995, 7373), FACTOR_PAIR(-4926, -4176)));
    const __m256i odd1 = _mm256_madd_epi16(odd, HALVES(FACTOR_PAIR(8697, -17799), FACTOR_PAIR(11893, -1730)));
    const __m256i e01 = ADD(
        _mm256_permute2x128_si256(even0, even1, 0x20),
        ADD(_mm256_permute2x128_si256(even0, even1, 0x31), _mm256_set1_epi32(1 << 18)));
    const __m256i o01 =
        ADD(_mm256_permute2x128_si256(odd0, odd1, 0x20), _mm256_permute2x128_si256(odd0, odd1, 0x31));
    const __m256i columns[2] = {ADD(e01, o01), SUB(e01, o01)}; // 0 and 1, 3 and 2
    const __m256i packed = SHIFT_AND_PACK(columns, 0, 19);     // 0 and 3 in the low half, 1 and 2 in the high half
    const __m128i c0312 = _mm_packs_epi16(_mm256_castsi256_si128(packed), _mm256_extracti128_si256(packed, 1));
    store_4_columns_as_rows(_mm_shuffle_epi32(c0312, _MM_SHUFFLE(1, 3, 2, 0)), out, stride);
    return true;
}

#define DOT4(x, a, b) _mm_madd_epi16(x, _mm_set1_epi32(FACTOR_PAIR(a, b)))

// One dimension for four lines, of which `even` has entries 0 and 2, and `odd` has 1 and 3.
INLINE_AVX2 void half_inverse_dct_sparse_lines(__m128i even, __m128i odd, int32_t rounding, __m128i out[4]) {
    const __m128i half = _mm_set1_epi32(rounding);
    const __m128i e0 = _mm_add_epi32(DOT4(even, 16384, 15137), half);
    const __m128i e1 = _mm_add_epi32(DOT4(even, 16384, -15137), half);
    const __m128i o0 = DOT4(odd, 20995, 7373), o1 = DOT4(odd, 8697, -17799);
    out[0] = _mm_add_epi32(e0, o0), out[3] = _mm_sub_epi32(e0, o0);
    out[1] = _mm_add_epi32(e1, o1), out[2] = _mm_sub_epi32(e1, o1);
}

#define SHIFT_AND_PACK4(sums, i, bits) \
    _mm_packs_epi32(_mm_srai_epi32((sums)[i], bits), _mm_srai_epi32((sums)[(i) + 1], bits))

TARGET_AVX2
bool prep_half_inverse_dct_sparse_block_avx2(
    coefficient_block *block, const coefficient_block *steps, uint8_t *out, size_t stride) {
    sparse_rows rows;
    if (!take_sparse_rows(block, steps, &rows)) return false;
    __m128i sums[4];
    half_inverse_dct_sparse_lines(rows.even, rows.odd, 1 << 11, sums);
    const __m128i pairs = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    const __m128i rows01 = _mm_shuffle_epi8(SHIFT_AND_PACK4(sums, 0, 12), pairs);
    const __m128i rows23 = _mm_shuffle_epi8(SHIFT_AND_PACK4(sums, 2, 12), pairs);
    half_inverse_dct_sparse_lines(
        _mm_unpacklo_epi64(rows01, rows23), _mm_unpackhi_epi64(rows01, rows23), 1 << 18, sums);
    store_4_columns_as_rows(
        _mm_packs_epi16(SHIFT_AND_PACK4(sums, 0, 19), SHIFT_AND_PACK4(sums, 2, 19)), out, stride);
    return true;
}
#endif
