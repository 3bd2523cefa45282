#include "unfilter.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

// Each pixel depends on the one before it, so these loops process one pixel at a time, with all its bytes at once.
#define TARGET_AVX2 __attribute__((target("avx2")))
#define INLINE_AVX2 TARGET_AVX2 static inline

INLINE_AVX2 __m128i load_pixel(const uint8_t *bytes) {
    int32_t four;
    memcpy(&four, bytes, sizeof four);
    return _mm_cvtsi32_si128(four);
}

// With 3 bytes a pixel a fourth byte is written. It is overwritten by the next pixel; after the last pixel it is the
// place of the last filtered byte, which has been read.
INLINE_AVX2 void store_pixel(uint8_t *row, __m128i pixel) {
    const int32_t four = _mm_cvtsi128_si32(pixel);
    memcpy(row, &four, sizeof four);
}

INLINE_AVX2 void undo_sub_filter(uint8_t *row, size_t count, int32_t bytes_per_pixel) {
    __m128i left = _mm_setzero_si128();
    for (size_t i = 0; i < count; i += (size_t)bytes_per_pixel) {
        left = _mm_add_epi8(left, load_pixel(row + 1 + i));
        store_pixel(row + i, left);
    }
}

INLINE_AVX2 void undo_up_filter(uint8_t *row, const uint8_t *previous_row, size_t count) {
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        const __m256i sum = _mm256_add_epi8(
            _mm256_loadu_si256((const __m256i *)(row + 1 + i)),
            _mm256_loadu_si256((const __m256i *)(previous_row + i)));
        _mm256_storeu_si256((__m256i *)(row + i), sum);
    }
    for (; i < count; i++) row[i] = (uint8_t)(row[i + 1] + previous_row[i]);
}

// The instruction rounds up, and the filter rounds down: ~average(~a, ~b) rounds down. The complement of the pixel to
// the left is kept, so that a pixel waits for two instructions only.
INLINE_AVX2 void undo_average_filter(
    uint8_t *row, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    const __m128i ones = _mm_set1_epi8(-1);
    __m128i left_complement = ones;
    for (size_t i = 0; i < count; i += (size_t)bytes_per_pixel) {
        const __m128i up_complement = _mm_xor_si128(load_pixel(previous_row + i), ones);
        // ~(difference + ~average) = average - difference
        left_complement = _mm_sub_epi8(_mm_avg_epu8(left_complement, up_complement), load_pixel(row + 1 + i));
        store_pixel(row + i, _mm_xor_si128(left_complement, ones));
    }
}

// Selects from left, up and up-left the one nearest to left + up - up-left, the first if equal, and adds the
// difference. In 16-bit lanes. Each pixel waits for the one before it, so `left` is compared with limits that do not
// depend on it. With d = up - up_left, a positive one (a negative one is the mirror image):
//
//   the nearest:      left   |   up-left   |     up     |   left
//   value of left:  ---------+-------------+------------+---------->
//                      up_left - 2d  up_left - d/2      up
//
// Left is the nearest at the outer limits too, and up is the nearest at the middle.
INLINE_AVX2 __m128i add_paeth_predictor(__m128i difference, __m128i left, __m128i up, __m128i up_left) {
    const __m128i double_middle = _mm_sub_epi16(_mm_add_epi16(up_left, _mm_add_epi16(up_left, up_left)), up);
    const __m128i outer = _mm_sub_epi16(double_middle, up);
    const __m128i low = _mm_min_epi16(up, outer), high = _mm_max_epi16(up, outer);
    // Left of more than this is nearer to the larger one of up and up-left.
    const __m128i middle = _mm_srai_epi16(_mm_add_epi16(double_middle, _mm_cmpgt_epi16(up, up_left)), 1);
    // 8-bit additions: the upper byte of each lane stays 0.
    const __m128i smaller = _mm_add_epi8(_mm_min_epi16(up, up_left), difference);
    const __m128i larger = _mm_add_epi8(_mm_max_epi16(up, up_left), difference);
    const __m128i is_inside = _mm_and_si128(_mm_cmpgt_epi16(left, low), _mm_cmpgt_epi16(high, left));
    const __m128i inside = _mm_blendv_epi8(smaller, larger, _mm_cmpgt_epi16(left, middle));
    return _mm_blendv_epi8(_mm_add_epi8(left, difference), inside, is_inside);
}

INLINE_AVX2 void undo_paeth_filter(uint8_t *row, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    const __m128i zero = _mm_setzero_si128();
    __m128i left = zero, up_left = zero;
    for (size_t i = 0; i < count; i += (size_t)bytes_per_pixel) {
        const __m128i up = _mm_unpacklo_epi8(load_pixel(previous_row + i), zero);
        const __m128i difference = _mm_unpacklo_epi8(load_pixel(row + 1 + i), zero);
        left = add_paeth_predictor(difference, left, up, up_left);
        up_left = up;
        store_pixel(row + i, _mm_packus_epi16(left, left));
    }
}

__attribute__((always_inline)) INLINE_AVX2 const uint8_t *unfilter_row(
    uint8_t *row, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    switch (row[0]) {
    case 0: return row + 1;
    case 1: undo_sub_filter(row, count, bytes_per_pixel); return row;
    case 2: undo_up_filter(row, previous_row, count); return row;
    case 3: undo_average_filter(row, previous_row, count, bytes_per_pixel); return row;
    case 4: undo_paeth_filter(row, previous_row, count, bytes_per_pixel); return row;
    default: return NULL;
    }
}

// With a constant number of bytes, the loops are specialized for it.
TARGET_AVX2 const uint8_t *prep_png_unfilter_avx2(
    uint8_t *filtered, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    return bytes_per_pixel == 3 ? unfilter_row(filtered, previous_row, count, 3)
                                : unfilter_row(filtered, previous_row, count, 4);
}
#endif
