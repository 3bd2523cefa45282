#include "pixel_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

// Only the functions below are compiled for AVX2. The target itself uses the architecture's baseline.
#define TARGET_AVX2 __attribute__((target("avx2")))

TARGET_AVX2 static inline __m256i load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }

// Returns the coefficients of two adjacent rows in each 32-bit lane, as pmaddwd needs for two interleaved rows.
TARGET_AVX2 static inline __m256i broadcast_coefficient_pair(const int16_t *coefficients) {
    int32_t pair;
    memcpy(&pair, coefficients, sizeof pair);
    return _mm256_set1_epi32(pair);
}

// Adds the weighted samples of 32 columns of two rows to four accumulators of 8 columns each. Their order is that of
// the unpack instructions, within 128-bit lanes. `store_32_columns` restores the order of the columns.
TARGET_AVX2 static inline void accumulate_32_columns(
    __m256i acc[4], const uint8_t *upper, const uint8_t *lower, __m256i coefficients) {
    const __m256i zero = _mm256_setzero_si256();
    const __m256i a = load(upper), b = load(lower);
    const __m256i low = _mm256_unpacklo_epi8(a, b), high = _mm256_unpackhi_epi8(a, b);
    acc[0] = _mm256_add_epi32(acc[0], _mm256_madd_epi16(_mm256_unpacklo_epi8(low, zero), coefficients));
    acc[1] = _mm256_add_epi32(acc[1], _mm256_madd_epi16(_mm256_unpackhi_epi8(low, zero), coefficients));
    acc[2] = _mm256_add_epi32(acc[2], _mm256_madd_epi16(_mm256_unpacklo_epi8(high, zero), coefficients));
    acc[3] = _mm256_add_epi32(acc[3], _mm256_madd_epi16(_mm256_unpackhi_epi8(high, zero), coefficients));
}

TARGET_AVX2 static inline void store_32_columns(const __m256i acc[4], __m128i shift, int16_t *out) {
    const __m256i a = _mm256_packs_epi32(_mm256_sra_epi32(acc[0], shift), _mm256_sra_epi32(acc[1], shift));
    const __m256i b = _mm256_packs_epi32(_mm256_sra_epi32(acc[2], shift), _mm256_sra_epi32(acc[3], shift));
    _mm256_storeu_si256((__m256i *)out, _mm256_permute2x128_si256(a, b, 0x20));
    _mm256_storeu_si256((__m256i *)(out + 16), _mm256_permute2x128_si256(a, b, 0x31));
}

// 64 columns at a time, in eight accumulators. The coefficients and addresses of two rows are loaded once for all.
TARGET_AVX2 void prep_convolve_vertically_avx2(
    const uint8_t *rows, const int32_t *offsets, const int16_t *coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *out) {
    const __m256i half = _mm256_set1_epi32(1 << (shift - 1));
    const __m128i shift_count = _mm_cvtsi32_si128(shift);
    for (int32_t x = 0; x < count; x += 64) {
        __m256i left[4] = {half, half, half, half}, right[4] = {half, half, half, half};
        for (int32_t k = 0; k < padded_tap_count; k += 2) {
            const uint8_t *upper = rows + offsets[k] + x, *lower = rows + offsets[k + 1] + x;
            const __m256i pair = broadcast_coefficient_pair(coefficients + k);
            accumulate_32_columns(left, upper, lower, pair);
            accumulate_32_columns(right, upper + 32, lower + 32, pair);
        }
        store_32_columns(left, shift_count, out + x);
        store_32_columns(right, shift_count, out + x + 32);
    }
}

// 32 columns at a time. The unpack and pack instructions leave the columns of two bytes in their order.
TARGET_AVX2 void prep_convolve_wide_rows_vertically_avx2(
    const uint8_t *rows, const int32_t *offsets, const int16_t *coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *out) {
    const __m256i half = _mm256_set1_epi32(1 << (shift - 1));
    const __m128i shift_count = _mm_cvtsi32_si128(shift);
    for (int32_t x = 0; x < count; x += 32) {
        __m256i acc[4] = {half, half, half, half};
        for (int32_t k = 0; k < padded_tap_count; k += 2) {
            const uint8_t *upper = rows + offsets[k] + 2 * x, *lower = rows + offsets[k + 1] + 2 * x;
            const __m256i pair = broadcast_coefficient_pair(coefficients + k);
            for (int j = 0; j < 2; j++) {
                const __m256i a = load(upper + 32 * j), b = load(lower + 32 * j);
                acc[2 * j] = _mm256_add_epi32(acc[2 * j], _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), pair));
                acc[2 * j + 1] =
                    _mm256_add_epi32(acc[2 * j + 1], _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), pair));
            }
        }
        for (int j = 0; j < 2; j++) {
            const __m256i words = _mm256_packs_epi32(
                _mm256_sra_epi32(acc[2 * j], shift_count), _mm256_sra_epi32(acc[2 * j + 1], shift_count));
            _mm256_storeu_si256((__m256i *)(out + x + 16 * j), words);
        }
    }
}

// Within each half of the vectors, sums the four lanes of each of four accumulators into the lanes of one. Horizontal
// additions are fewer instructions, but take 1.04 to 1.10 times as long for a row.
TARGET_AVX2 static inline __m256i sum_lanes_of_4(const __m256i acc[4]) {
    const __m256i ab =
        _mm256_add_epi32(_mm256_unpacklo_epi32(acc[0], acc[1]), _mm256_unpackhi_epi32(acc[0], acc[1]));
    const __m256i cd =
        _mm256_add_epi32(_mm256_unpacklo_epi32(acc[2], acc[3]), _mm256_unpackhi_epi32(acc[2], acc[3]));
    return _mm256_add_epi32(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
}

// Sums the eight lanes of each of eight accumulators into the lanes of one.
TARGET_AVX2 static inline __m256i sum_lanes_of_8(const __m256i acc[8]) {
    const __m256i a = sum_lanes_of_4(acc), b = sum_lanes_of_4(acc + 4);
    return _mm256_add_epi32(_mm256_permute2x128_si256(a, b, 0x20), _mm256_permute2x128_si256(a, b, 0x31));
}

// Eight outputs at a time, so that one tree of additions serves eight sums. With a constant `padded_tap_count`
// everything stays in registers. The results go to `words` if it is not null, and otherwise to `bytes`.
TARGET_AVX2 __attribute__((always_inline)) static inline void convolve_horizontally(
    const int16_t *row, const int32_t *starts, const int16_t *coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, uint8_t *bytes, int16_t *words) {
    const __m256i half = _mm256_set1_epi32(1 << (shift - 1));
    const __m128i shift_count = _mm_cvtsi32_si128(shift);
    for (int32_t i = 0; i < count; i += 8) {
        __m256i acc[8];
        for (int j = 0; j < 8; j++) acc[j] = _mm256_setzero_si256();
        const int16_t *w = coefficients + (int64_t)i * padded_tap_count;
        for (int32_t k = 0; k < padded_tap_count; k += 16) {
            for (int j = 0; j < 8; j++) {
                const __m256i products = _mm256_madd_epi16(
                    load(row + starts[i + j] + k), load(w + j * padded_tap_count + k));
                acc[j] = _mm256_add_epi32(acc[j], products);
            }
        }
        const __m256i sums = _mm256_sra_epi32(_mm256_add_epi32(sum_lanes_of_8(acc), half), shift_count);
        const __m128i results = _mm_packs_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        if (words)
            _mm_storeu_si128((__m128i *)(words + i), results);
        else
            _mm_storel_epi64((__m128i *)(bytes + i), _mm_packus_epi16(results, results));
    }
}

// Lanczos3 needs 16 taps for a reduction to two fifths, 32 to a fifth, and 48 to a seventh. These cases take 0.69 to
// 0.77 of the time of a loop with a variable count.
TARGET_AVX2 void prep_convolve_horizontally_avx2(
    const int16_t *row, const int32_t *starts, const int16_t *coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, uint8_t *out) {
    switch (padded_tap_count) {
        case 16: convolve_horizontally(row, starts, coefficients, 16, shift, count, out, NULL); break;
        case 32: convolve_horizontally(row, starts, coefficients, 32, shift, count, out, NULL); break;
        case 48: convolve_horizontally(row, starts, coefficients, 48, shift, count, out, NULL); break;
        default: convolve_horizontally(row, starts, coefficients, padded_tap_count, shift, count, out, NULL);
    }
}

TARGET_AVX2 void prep_convolve_horizontally_to_16_bits_avx2(
    const int16_t *row, const int32_t *starts, const int16_t *coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *out) {
    switch (padded_tap_count) {
        case 16: convolve_horizontally(row, starts, coefficients, 16, shift, count, NULL, out); break;
        case 32: convolve_horizontally(row, starts, coefficients, 32, shift, count, NULL, out); break;
        case 48: convolve_horizontally(row, starts, coefficients, 48, shift, count, NULL, out); break;
        default: convolve_horizontally(row, starts, coefficients, padded_tap_count, shift, count, NULL, out);
    }
}
#endif
