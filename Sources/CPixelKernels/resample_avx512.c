#include "pixel_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define TARGET_AVX512 __attribute__((target("avx512f,avx512bw")))

// Adds the weighted samples of 64 columns of two rows to four accumulators of 16 columns each. Their order is that of
// the unpack instructions, within 128-bit lanes. AVX512-VNNI, which sums products in one instruction, was not faster.
TARGET_AVX512 static inline void accumulate_64_columns(
    __m512i acc[4], const uint8_t *upper, const uint8_t *lower, __m512i coefficients) {
    const __m512i zero = _mm512_setzero_si512();
    const __m512i a = _mm512_loadu_si512(upper), b = _mm512_loadu_si512(lower);
    const __m512i low = _mm512_unpacklo_epi8(a, b), high = _mm512_unpackhi_epi8(a, b);
    acc[0] = _mm512_add_epi32(acc[0], _mm512_madd_epi16(_mm512_unpacklo_epi8(low, zero), coefficients));
    acc[1] = _mm512_add_epi32(acc[1], _mm512_madd_epi16(_mm512_unpackhi_epi8(low, zero), coefficients));
    acc[2] = _mm512_add_epi32(acc[2], _mm512_madd_epi16(_mm512_unpacklo_epi8(high, zero), coefficients));
    acc[3] = _mm512_add_epi32(acc[3], _mm512_madd_epi16(_mm512_unpackhi_epi8(high, zero), coefficients));
}

// The first eight of each lane's 16 columns are in one vector, the others in another.
TARGET_AVX512 static inline void store_64_columns(const __m512i acc[4], __m128i shift, int16_t *out) {
    const __m512i a = _mm512_packs_epi32(_mm512_sra_epi32(acc[0], shift), _mm512_sra_epi32(acc[1], shift));
    const __m512i b = _mm512_packs_epi32(_mm512_sra_epi32(acc[2], shift), _mm512_sra_epi32(acc[3], shift));
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                  last = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    _mm512_storeu_si512(out, _mm512_permutex2var_epi64(a, first, b));
    _mm512_storeu_si512(out + 32, _mm512_permutex2var_epi64(a, last, b));
}

TARGET_AVX512 static inline __m512i broadcast_coefficient_pair(const int16_t *coefficients) {
    int32_t pair;
    memcpy(&pair, coefficients, sizeof pair);
    return _mm512_set1_epi32(pair);
}

TARGET_AVX512 void prep_convolve_vertically_avx512(
    const uint8_t *rows, const int32_t *offsets, const int16_t *coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *out) {
    const __m512i half = _mm512_set1_epi32(1 << (shift - 1));
    const __m128i shift_count = _mm_cvtsi32_si128(shift);
    int32_t x = 0;
    for (; x + 128 <= count; x += 128) {
        __m512i left[4] = {half, half, half, half}, right[4] = {half, half, half, half};
        for (int32_t k = 0; k < padded_tap_count; k += 2) {
            const uint8_t *upper = rows + offsets[k] + x, *lower = rows + offsets[k + 1] + x;
            const __m512i pair = broadcast_coefficient_pair(coefficients + k);
            accumulate_64_columns(left, upper, lower, pair);
            accumulate_64_columns(right, upper + 64, lower + 64, pair);
        }
        store_64_columns(left, shift_count, out + x);
        store_64_columns(right, shift_count, out + x + 64);
    }
    if (x == count) return;
    __m512i acc[4] = {half, half, half, half};
    for (int32_t k = 0; k < padded_tap_count; k += 2) {
        accumulate_64_columns(
            acc, rows + offsets[k] + x, rows + offsets[k + 1] + x, broadcast_coefficient_pair(coefficients + k));
    }
    store_64_columns(acc, shift_count, out + x);
}
#endif
