#include "forward_dct.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET_AVX2 __attribute__((target("avx2")))
#define INLINE_AVX2 __attribute__((target("avx2"), always_inline)) static inline
#define ADD _mm256_add_epi16
#define SUB _mm256_sub_epi16

// Two 16-bit factors in each 32-bit lane.
#define FACTOR_PAIR(a, b) \
    _mm256_set1_epi32((int32_t)((uint32_t)(uint16_t)(int16_t)(a) | (uint32_t)(uint16_t)(int16_t)(b) << 16))

// A pair of entries of each line: those of lines 0 to 3 of both blocks, and those of lines 4 to 7.
typedef struct {
    __m256i low, high;
} entry_pairs;

INLINE_AVX2 entry_pairs pair_entries(__m256i a, __m256i b) {
    return (entry_pairs){_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)};
}

INLINE_AVX2 __m256i shift_rounding_and_pack(__m256i low, __m256i high, int bits) {
    const __m256i half = _mm256_set1_epi32(1 << (bits - 1));
    low = _mm256_srai_epi32(_mm256_add_epi32(low, half), bits);
    return _mm256_packs_epi32(low, _mm256_srai_epi32(_mm256_add_epi32(high, half), bits));
}

#define DOT_2(x, a, b, bits)                                                          \
    shift_rounding_and_pack(                                                          \
        _mm256_madd_epi16((x).low, FACTOR_PAIR(a, b)), _mm256_madd_epi16((x).high, FACTOR_PAIR(a, b)), bits)

#define DOT_PART(part, x, y, a, b, c, d) \
    _mm256_add_epi32(                    \
        _mm256_madd_epi16((x).part, FACTOR_PAIR(a, b)), _mm256_madd_epi16((y).part, FACTOR_PAIR(c, d)))

#define DOT_4(x, y, a, b, c, d, bits) \
    shift_rounding_and_pack(DOT_PART(low, x, y, a, b, c, d), DOT_PART(high, x, y, a, b, c, d), bits)

// One dimension of the transform for 8 lines of two blocks, which are the lanes of a vector. `v[i]` has entry i of
// every line. See forward_dct_portable.c.
INLINE_AVX2 void forward_dct_lines(__m256i v[8], bool is_first_pass) {
    const int bits = is_first_pass ? 11 : 15;
    const __m256i s0 = ADD(v[0], v[7]), d0 = SUB(v[0], v[7]), s1 = ADD(v[1], v[6]), d1 = SUB(v[1], v[6]);
    const __m256i s2 = ADD(v[2], v[5]), d2 = SUB(v[2], v[5]), s3 = ADD(v[3], v[4]), d3 = SUB(v[3], v[4]);
    const __m256i s03 = ADD(s0, s3), s12 = ADD(s1, s2), sum = ADD(s03, s12), difference = SUB(s03, s12);
    const __m256i half = _mm256_set1_epi16(2);
    v[0] = is_first_pass ? _mm256_slli_epi16(sum, 2) : _mm256_srai_epi16(ADD(sum, half), 2);
    v[4] = is_first_pass ? _mm256_slli_epi16(difference, 2) : _mm256_srai_epi16(ADD(difference, half), 2);
    const entry_pairs even = pair_entries(SUB(s0, s3), SUB(s1, s2));
    v[2] = DOT_2(even, 10703, 4433, bits);
    v[6] = DOT_2(even, 4433, -10704, bits);
    const entry_pairs d01 = pair_entries(d0, d1), d23 = pair_entries(d2, d3);
    v[1] = DOT_4(d01, d23, 11363, 9633, 6437, 2260, bits);
    v[3] = DOT_4(d01, d23, 9633, -2259, -11362, -6436, bits);
    v[5] = DOT_4(d01, d23, 6437, -11362, 2261, 9633, bits);
    v[7] = DOT_4(d01, d23, 2260, -6436, 9633, -11363, bits);
}

// Transposes the 8 by 8 entries in each lane.
INLINE_AVX2 void transpose(__m256i v[8]) {
    __m256i a[8], b[8];
    for (int i = 0; i < 4; i++) {
        a[2 * i] = _mm256_unpacklo_epi16(v[2 * i], v[2 * i + 1]);
        a[2 * i + 1] = _mm256_unpackhi_epi16(v[2 * i], v[2 * i + 1]);
    }
    for (int i = 0; i < 2; i++) {
        b[4 * i] = _mm256_unpacklo_epi32(a[4 * i], a[4 * i + 2]);
        b[4 * i + 1] = _mm256_unpackhi_epi32(a[4 * i], a[4 * i + 2]);
        b[4 * i + 2] = _mm256_unpacklo_epi32(a[4 * i + 1], a[4 * i + 3]);
        b[4 * i + 3] = _mm256_unpackhi_epi32(a[4 * i + 1], a[4 * i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        v[2 * i] = _mm256_unpacklo_epi64(b[i], b[i + 4]);
        v[2 * i + 1] = _mm256_unpackhi_epi64(b[i], b[i + 4]);
    }
}

// Selects an entry of a row for each entry of a vector in zigzag order; `_` is zero.
#define BYTES(i) (char)((i) < 0 ? -1 : 2 * (i)), (char)((i) < 0 ? -1 : 2 * (i) + 1)
#define LANE(a, b, c, d, e, f, g, h) BYTES(a), BYTES(b), BYTES(c), BYTES(d), BYTES(e), BYTES(f), BYTES(g), BYTES(h)
#define SELECT(row, ...) _mm256_shuffle_epi8(row, _mm256_setr_epi8(LANE(__VA_ARGS__), LANE(__VA_ARGS__)))
#define OR _mm256_or_si256
#define _ (-1)

// Puts rows of coefficients in zigzag order. The second half is the first one mirrored at the antidiagonal.
INLINE_AVX2 void order_in_zigzag(const __m256i r[8], __m256i out[8]) {
    out[0] = OR(OR(SELECT(r[0], 0, 1, _, _, _, 2, 3, _), SELECT(r[1], _, _, 0, _, 1, _, _, 2)),
                SELECT(r[2], _, _, _, 0, _, _, _, _));
    out[1] = OR(OR(OR(SELECT(r[0], _, _, _, _, _, _, 4, 5), SELECT(r[1], _, _, _, _, _, 3, _, _)),
                   OR(SELECT(r[2], 1, _, _, _, 2, _, _, _), SELECT(r[3], _, 0, _, 1, _, _, _, _))),
                SELECT(r[4], _, _, 0, _, _, _, _, _));
    out[2] = OR(OR(OR(SELECT(r[1], 4, _, _, _, _, _, _, _), SELECT(r[2], _, 3, _, _, _, _, _, _)),
                   OR(SELECT(r[3], _, _, 2, _, _, _, _, _), SELECT(r[4], _, _, _, 1, _, _, _, 2))),
                OR(SELECT(r[5], _, _, _, _, 0, _, 1, _), SELECT(r[6], _, _, _, _, _, 0, _, _)));
    out[3] = OR(OR(SELECT(r[0], _, _, _, 6, 7, _, _, _), SELECT(r[1], _, _, 5, _, _, 6, _, _)),
                OR(SELECT(r[2], _, 4, _, _, _, _, 5, _), SELECT(r[3], 3, _, _, _, _, _, _, 4)));
    out[4] = OR(OR(SELECT(r[4], 3, _, _, _, _, _, _, 4), SELECT(r[5], _, 2, _, _, _, _, 3, _)),
                OR(SELECT(r[6], _, _, 1, _, _, 2, _, _), SELECT(r[7], _, _, _, 0, 1, _, _, _)));
    out[5] = OR(OR(OR(SELECT(r[1], _, _, 7, _, _, _, _, _), SELECT(r[2], _, 6, _, 7, _, _, _, _)),
                   OR(SELECT(r[3], 5, _, _, _, 6, _, _, _), SELECT(r[4], _, _, _, _, _, 5, _, _))),
                OR(SELECT(r[5], _, _, _, _, _, _, 4, _), SELECT(r[6], _, _, _, _, _, _, _, 3)));
    out[6] = OR(OR(OR(SELECT(r[3], _, _, _, _, _, 7, _, _), SELECT(r[4], _, _, _, _, 6, _, 7, _)),
                   OR(SELECT(r[5], _, _, _, 5, _, _, _, 6), SELECT(r[6], _, _, 4, _, _, _, _, _))),
                SELECT(r[7], 2, 3, _, _, _, _, _, _));
    out[7] = OR(OR(SELECT(r[5], _, _, _, _, 7, _, _, _), SELECT(r[6], 5, _, _, 6, _, 7, _, _)),
                SELECT(r[7], _, 4, 5, _, _, _, 6, 7));
}

// Transforms two blocks, or one with zeros beside it.
INLINE_AVX2 void transform_pair(const uint8_t *const rows[8], size_t x, bool has_second, int16_t *out) {
    __m256i v[8], ordered[8];
    for (int y = 0; y < 8; y++) {
        const __m128i *row = (const __m128i *)(rows[y] + x);
        const __m128i samples = has_second ? _mm_loadu_si128(row) : _mm_loadl_epi64(row);
        v[y] = _mm256_cvtepi8_epi16(_mm_xor_si128(samples, _mm_set1_epi8((char)0x80)));
    }
    transpose(v);
    forward_dct_lines(v, true);
    transpose(v);
    forward_dct_lines(v, false);
    order_in_zigzag(v, ordered);
    for (int i = 0; i < 8; i++) {
        _mm_storeu_si128((__m128i *)(out + 8 * i), _mm256_castsi256_si128(ordered[i]));
        if (has_second) _mm_storeu_si128((__m128i *)(out + 64 + 8 * i), _mm256_extracti128_si256(ordered[i], 1));
    }
}

TARGET_AVX2
void prep_forward_dct_avx2(const uint8_t *const rows[8], int32_t block_count, int16_t *out) {
    int32_t i = 0;
    for (; i + 2 <= block_count; i += 2) transform_pair(rows, 8 * (size_t)i, true, out + 64 * (size_t)i);
    if (i < block_count) transform_pair(rows, 8 * (size_t)i, false, out + 64 * (size_t)i);
}
#endif
