#include "pixel_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET_AVX2 __attribute__((target("avx2")))

// The numbers of the cells and of the groups of weights of eight pixels. They are in memory, because reading a number
// from there takes fewer operations than extracting it from a register.
typedef struct {
    uint16_t cells[8], weights[8];
} indices_8;

TARGET_AVX2 static inline void compute_8_indices(
    const uint8_t *y, const uint8_t *cb, const uint8_t *cr, indices_8 *indices) {
    const __m128i luma = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)y));
    const __m128i bluish = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)cb));
    const __m128i reddish = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)cr));
    const __m128i high = _mm_set1_epi16(0xF8), low = _mm_set1_epi16(7);
    const __m128i cells = _mm_or_si128(
        _mm_or_si128(_mm_slli_epi16(_mm_and_si128(bluish, high), 7), _mm_slli_epi16(_mm_and_si128(reddish, high), 2)),
        _mm_srli_epi16(luma, 3));
    const __m128i weights = _mm_or_si128(
        _mm_or_si128(_mm_slli_epi16(_mm_and_si128(bluish, low), 6), _mm_slli_epi16(_mm_and_si128(reddish, low), 3)),
        _mm_and_si128(luma, low));
    _mm_storeu_si128((__m128i *)indices->cells, cells);
    _mm_storeu_si128((__m128i *)indices->weights, weights);
}

TARGET_AVX2 static inline __m128i load_8(const int16_t *values, uint16_t index) {
    return _mm_loadu_si128((const __m128i *)(values + (size_t)index * 8));
}

// Returns the products of pixels i and i + 4, each as four sums of two corners, in a half of the vector.
TARGET_AVX2 static inline __m256i luma_products(
    const int16_t *cells, const int16_t *weights, const indices_8 *indices, int i) {
    const __m256i values = _mm256_set_m128i(load_8(cells, indices->cells[i + 4]), load_8(cells, indices->cells[i]));
    const __m256i factors = _mm256_set_m128i(
        load_8(weights, indices->weights[i + 4]), load_8(weights, indices->weights[i]));
    return _mm256_madd_epi16(values, factors);
}

// Adds the four numbers in each half of each vector. The sums of the first halves are in the first half of the result.
TARGET_AVX2 static inline __m256i sum_halves(__m256i a, __m256i b, __m256i c, __m256i d) {
    const __m256i sums = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    return _mm256_srai_epi32(_mm256_add_epi32(sums, _mm256_set1_epi32(1 << 14)), 15);
}

TARGET_AVX2 void prep_convert_luma_avx2(
    const int16_t *cells, const int16_t *weights, const uint8_t *cb, const uint8_t *cr, int32_t count, uint8_t *y) {
    for (int32_t x = 0; x < count; x += 8) {
        indices_8 indices;
        compute_8_indices(y + x, cb + x, cr + x, &indices);
        const __m256i sums = sum_halves(
            luma_products(cells, weights, &indices, 0), luma_products(cells, weights, &indices, 1),
            luma_products(cells, weights, &indices, 2), luma_products(cells, weights, &indices, 3));
        const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        _mm_storel_epi64((__m128i *)(y + x), _mm_packus_epi16(words, words));
    }
}

// Returns the products of a pixel: those of Cb in the first half, those of Cr in the second.
TARGET_AVX2 static inline __m256i chroma_products(
    const int16_t *cells, const int16_t *weights, const indices_8 *indices, int i) {
    const __m256i values = _mm256_loadu_si256((const __m256i *)(cells + (size_t)indices->cells[i] * 16));
    return _mm256_madd_epi16(values, _mm256_broadcastsi128_si256(load_8(weights, indices->weights[i])));
}

TARGET_AVX2 static inline __m256i chroma_sums_4(
    const int16_t *cells, const int16_t *weights, const indices_8 *indices, int i) {
    return sum_halves(
        chroma_products(cells, weights, indices, i), chroma_products(cells, weights, indices, i + 1),
        chroma_products(cells, weights, indices, i + 2), chroma_products(cells, weights, indices, i + 3));
}

TARGET_AVX2 void prep_convert_chroma_avx2(
    const int16_t *cells, const int16_t *weights, const uint8_t *y, int32_t count, uint8_t *cb, uint8_t *cr) {
    for (int32_t x = 0; x < count; x += 8) {
        indices_8 indices;
        compute_8_indices(y + x, cb + x, cr + x, &indices);
        const __m256i words = _mm256_packs_epi32(
            chroma_sums_4(cells, weights, &indices, 0), chroma_sums_4(cells, weights, &indices, 4));
        const __m256i bytes = _mm256_packus_epi16(words, words);
        _mm_storel_epi64((__m128i *)(cb + x), _mm256_castsi256_si128(bytes));
        _mm_storel_epi64((__m128i *)(cr + x), _mm256_extracti128_si256(bytes, 1));
    }
}
#endif
