#include "gradients.h"

static inline uint32_t energy_portable(
    const int16_t *detail, ptrdiff_t stride, int32_t side, ptrdiff_t first, ptrdiff_t second) {
    uint32_t sum = 0;
    for (int32_t y = 0; y < side; y++) {
        const int16_t *a = detail + y * stride + first, *b = detail + y * stride + second;
        int32_t row_sum = 0;
        for (int32_t x = 0; x < side; x++) {
            const int16_t difference = (int16_t)(a[x] - b[x]);
            row_sum += difference * difference;
        }
        sum += (uint32_t)row_sum;
    }
    return sum;
}

// The compiler knows each side, so that the inner loops have a fixed length.
void prep_measure_gradients(
    const uint8_t *rows, ptrdiff_t stride, bool is_half_size, int32_t place_count, int16_t *scratch,
    uint32_t *energies) {
    if (is_half_size) {
        measure_gradients(rows, stride, 8, place_count, scratch, energies, energy_portable);
    } else {
        measure_gradients(rows, stride, 16, place_count, scratch, energies, energy_portable);
    }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET_AVX2 __attribute__((target("avx2")))

TARGET_AVX2 static inline uint32_t sum_of_lanes(__m128i lanes) {
    lanes = _mm_add_epi32(lanes, _mm_shuffle_epi32(lanes, 0x4E));
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(lanes, _mm_shuffle_epi32(lanes, 0xB1)));
}

// The compiler does not find pmaddwd for these sums.
TARGET_AVX2 static inline uint32_t energy_avx2(
    const int16_t *detail, ptrdiff_t stride, int32_t side, ptrdiff_t first, ptrdiff_t second) {
    if (side == 8) {
        __m128i sum = _mm_setzero_si128();
        for (int32_t y = 0; y < side; y++, detail += stride) {
            const __m128i a = _mm_loadu_si128((const __m128i *)(detail + first));
            const __m128i b = _mm_loadu_si128((const __m128i *)(detail + second));
            const __m128i difference = _mm_sub_epi16(a, b);
            sum = _mm_add_epi32(sum, _mm_madd_epi16(difference, difference));
        }
        return sum_of_lanes(sum);
    }
    __m256i sum = _mm256_setzero_si256();
    for (int32_t y = 0; y < side; y++, detail += stride) {
        const __m256i a = _mm256_loadu_si256((const __m256i *)(detail + first));
        const __m256i b = _mm256_loadu_si256((const __m256i *)(detail + second));
        const __m256i difference = _mm256_sub_epi16(a, b);
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(difference, difference));
    }
    return sum_of_lanes(_mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1)));
}

TARGET_AVX2 void prep_measure_gradients_avx2(
    const uint8_t *rows, ptrdiff_t stride, bool is_half_size, int32_t place_count, int16_t *scratch,
    uint32_t *energies) {
    if (is_half_size) {
        measure_gradients(rows, stride, 8, place_count, scratch, energies, energy_avx2);
    } else {
        measure_gradients(rows, stride, 16, place_count, scratch, energies, energy_avx2);
    }
}
#endif
