#include "unfilter.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

// Each pixel needs the one before it, so these loops take a pixel a turn, with its bytes side by side.
#define AVX2 __attribute__((target("avx2"))) static inline

AVX2 __m128i load_pixel(const uint8_t *bytes) {
    int32_t four;
    memcpy(&four, bytes, sizeof four);
    return _mm_cvtsi32_si128(four);
}

// Of 3 bytes a fourth is written too, which the next pixel replaces; the last one has none behind it.
AVX2 void store_pixel(uint8_t *row, __m128i pixel, int32_t pixel_bytes, bool is_last) {
    const int32_t four = _mm_cvtsi128_si32(pixel);
    if (pixel_bytes == 3 && is_last) memcpy(row, &four, 3);
    else memcpy(row, &four, sizeof four);
}

AVX2 void undo_sub(const uint8_t *filtered, uint8_t *row, size_t count, int32_t pixel_bytes) {
    __m128i left = _mm_setzero_si128();
    for (size_t i = 0; i < count; i += (size_t)pixel_bytes) {
        left = _mm_add_epi8(left, load_pixel(filtered + i));
        store_pixel(row + i, left, pixel_bytes, i + (size_t)pixel_bytes >= count);
    }
}

AVX2 void undo_up(const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count) {
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        const __m256i sum = _mm256_add_epi8(
            _mm256_loadu_si256((const __m256i *)(filtered + i)), _mm256_loadu_si256((const __m256i *)(above + i)));
        _mm256_storeu_si256((__m256i *)(row + i), sum);
    }
    for (; i < count; i++) row[i] = (uint8_t)(filtered[i] + above[i]);
}

AVX2 void undo_average(
    const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int32_t pixel_bytes) {
    __m128i left = _mm_setzero_si128();
    for (size_t i = 0; i < count; i += (size_t)pixel_bytes) {
        const __m128i up = load_pixel(above + i);
        // The instruction rounds up, the filter down.
        const __m128i odd = _mm_and_si128(_mm_xor_si128(left, up), _mm_set1_epi8(1));
        left = _mm_add_epi8(load_pixel(filtered + i), _mm_sub_epi8(_mm_avg_epu8(left, up), odd));
        store_pixel(row + i, left, pixel_bytes, i + (size_t)pixel_bytes >= count);
    }
}

// Of left, above and above left, the one nearest to left + above - above left, the first of equals. In 16 bits each.
AVX2 __m128i predict(__m128i left, __m128i up, __m128i up_left) {
    const __m128i from_left = _mm_sub_epi16(up, up_left), from_up = _mm_sub_epi16(left, up_left);
    const __m128i a = _mm_abs_epi16(from_left), b = _mm_abs_epi16(from_up);
    const __m128i c = _mm_abs_epi16(_mm_add_epi16(from_left, from_up));
    const __m128i least = _mm_min_epi16(_mm_min_epi16(a, b), c);
    const __m128i other = _mm_blendv_epi8(up_left, up, _mm_cmpeq_epi16(b, least));
    return _mm_blendv_epi8(other, left, _mm_cmpeq_epi16(a, least));
}

AVX2 void undo_paeth(const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int32_t pixel_bytes) {
    const __m128i zero = _mm_setzero_si128();
    __m128i left = zero, up_left = zero;
    for (size_t i = 0; i < count; i += (size_t)pixel_bytes) {
        const __m128i up = _mm_unpacklo_epi8(load_pixel(above + i), zero);
        const __m128i difference = _mm_unpacklo_epi8(load_pixel(filtered + i), zero);
        // As bytes: the upper ones stay 0.
        left = _mm_add_epi8(difference, predict(left, up, up_left));
        up_left = up;
        store_pixel(row + i, _mm_packus_epi16(left, left), pixel_bytes, i + (size_t)pixel_bytes >= count);
    }
}

__attribute__((target("avx2")))
static bool unfilter(
    uint8_t type, const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int32_t pixel_bytes) {
    switch (type) {
    case 0: memcpy(row, filtered, count); return true;
    case 1: undo_sub(filtered, row, count, pixel_bytes); return true;
    case 2: undo_up(filtered, above, row, count); return true;
    case 3: undo_average(filtered, above, row, count, pixel_bytes); return true;
    case 4: undo_paeth(filtered, above, row, count, pixel_bytes); return true;
    default: return false;
    }
}

bool prep_png_unfilter(
    uint8_t type, const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int32_t pixel_bytes) {
    // With the number known, the loops are compiled for it.
    return pixel_bytes == 3 ? unfilter(type, filtered, above, row, count, 3)
                            : unfilter(type, filtered, above, row, count, 4);
}
#else
bool prep_png_unfilter(
    uint8_t type, const uint8_t *filtered, const uint8_t *above, uint8_t *row, size_t count, int32_t pixel_bytes) {
    (void)type, (void)filtered, (void)above, (void)row, (void)count, (void)pixel_bytes;
    return false;
}
#endif
