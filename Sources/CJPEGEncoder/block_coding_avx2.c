#include "block_coding.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt")))
#define INLINE_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt"), always_inline)) static inline

// Returns the sum of the squared AC coefficients.
INLINE_AVX2 uint32_t sum_ac_squares(const __m256i x[4]) {
    const __m256i ac = _mm256_blend_epi16(x[0], _mm256_setzero_si256(), 1); // also clears entry 8, in the other lane
    __m256i sum = _mm256_madd_epi16(_mm256_blend_epi32(ac, x[0], 0xF0), _mm256_blend_epi32(ac, x[0], 0xF0));
    for (int i = 1; i < 4; i++) sum = _mm256_add_epi32(sum, _mm256_madd_epi16(x[i], x[i]));
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1)));
}

// Returns a bit for each entry of two vectors, which are all ones or zero.
INLINE_AVX2 uint64_t bits_of(__m256i a, __m256i b) {
    return (uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xD8));
}

TARGET_AVX2
token *prep_code_block_avx2(
    const int16_t *coefficients, const block_quantizer *quantizer, int32_t *dc_predictor, token *tokens,
    uint32_t *counts) {
    _Alignas(32) int16_t signed_levels[64];
    __m256i x[4], magnitudes[4], levels[4], is_zero[4], is_small[4];
    for (int i = 0; i < 4; i++) {
        x[i] = _mm256_loadu_si256((const __m256i *)coefficients + i);
        magnitudes[i] = _mm256_abs_epi16(x[i]);
        __m256i v = _mm256_add_epi16(magnitudes[i], ((const __m256i *)quantizer->half_steps)[i]);
        v = _mm256_slli_epi16(_mm256_srli_epi16(v, 3), 1);
        v = _mm256_mulhi_epu16(v, ((const __m256i *)quantizer->reciprocals)[i]);
        v = _mm256_mulhi_epu16(_mm256_add_epi16(v, v), ((const __m256i *)quantizer->shift_factors)[i]);
        is_zero[i] = _mm256_cmpeq_epi16(v, _mm256_setzero_si256());
        levels[i] = v;
    }
    const int32_t class = energy_class(sum_ac_squares(x));
    const __m256i *thresholds = (const __m256i *)quantizer->thresholds[class];
    const __m256i *level_2_thresholds = (const __m256i *)quantizer->level_2_thresholds[class];
    for (int i = 0; i < 4; i++) {
        is_small[i] = _mm256_cmpgt_epi16(thresholds[i], magnitudes[i]);
        const __m256i reduced = _mm256_and_si256(
            _mm256_cmpeq_epi16(levels[i], _mm256_set1_epi16(2)),
            _mm256_cmpgt_epi16(level_2_thresholds[i], magnitudes[i]));
        // The comparison is -1 where a level is reduced.
        ((__m256i *)signed_levels)[i] = _mm256_sign_epi16(_mm256_add_epi16(levels[i], reduced), x[i]);
    }
    const uint64_t nonzero = ~(bits_of(is_zero[0], is_zero[1]) | bits_of(is_zero[2], is_zero[3]) << 32);
    const uint64_t small = bits_of(is_small[0], is_small[1]) | bits_of(is_small[2], is_small[3]) << 32;
    return code_levels(
        coefficients, signed_levels, nonzero, nonzero & small, class, quantizer, dc_predictor, tokens, counts);
}
#endif
