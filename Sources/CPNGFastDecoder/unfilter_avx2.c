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
INLINE_AVX2 __m256i add_paeth_predictor(__m256i difference, __m256i left, __m256i up, __m256i up_left) {
    const __m256i double_middle = _mm256_sub_epi16(_mm256_add_epi16(up_left, _mm256_add_epi16(up_left, up_left)), up);
    const __m256i outer = _mm256_sub_epi16(double_middle, up);
    const __m256i low = _mm256_min_epi16(up, outer), high = _mm256_max_epi16(up, outer);
    // Left of more than this is nearer to the larger one of up and up-left.
    const __m256i middle = _mm256_srai_epi16(_mm256_add_epi16(double_middle, _mm256_cmpgt_epi16(up, up_left)), 1);
    // 8-bit additions: the upper byte of each lane stays 0.
    const __m256i smaller = _mm256_add_epi8(_mm256_min_epi16(up, up_left), difference);
    const __m256i larger = _mm256_add_epi8(_mm256_max_epi16(up, up_left), difference);
    const __m256i is_inside = _mm256_and_si256(_mm256_cmpgt_epi16(left, low), _mm256_cmpgt_epi16(high, left));
    const __m256i inside = _mm256_blendv_epi8(smaller, larger, _mm256_cmpgt_epi16(left, middle));
    return _mm256_blendv_epi8(_mm256_add_epi8(left, difference), inside, is_inside);
}

INLINE_AVX2 __m256i widen(__m128i pixels) { return _mm256_cvtepu8_epi16(pixels); }

INLINE_AVX2 void undo_paeth_filter(uint8_t *row, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    __m256i left = _mm256_setzero_si256(), up_left = left;
    for (size_t i = 0; i < count; i += (size_t)bytes_per_pixel) {
        const __m256i up = widen(load_pixel(previous_row + i));
        left = add_paeth_predictor(widen(load_pixel(row + 1 + i)), left, up, up_left);
        up_left = up;
        const __m128i pixel = _mm256_castsi256_si128(left);
        store_pixel(row + i, _mm_packus_epi16(pixel, pixel));
    }
}

#define UNFILTER_INLINE __attribute__((always_inline)) INLINE_AVX2

typedef struct {
    __m256i left, up_left;
} paeth_rows;

UNFILTER_INLINE void undo_paeth_step(
    paeth_rows *state, uint8_t *const rows[PAETH_ROWS], const uint8_t *previous_row, size_t x, int32_t bytes_per_pixel,
    int32_t first, int32_t last) {
    int32_t differences[4] = {0}, above = 0;
    for (int32_t r = first; r <= last; r++)
        memcpy(&differences[r], rows[r] + 1 + x - (size_t)(r * bytes_per_pixel), sizeof *differences);
    if (first == 0) memcpy(&above, previous_row + x, sizeof above);
    const __m256i difference = widen(
        _mm_setr_epi32(differences[0], differences[1], differences[2], differences[3]));
    const __m256i moved = _mm256_permute4x64_epi64(state->left, 0x90);
    const __m256i up = _mm256_blend_epi32(moved, widen(_mm_cvtsi32_si128(above)), 0x03);
    state->left = add_paeth_predictor(difference, state->left, up, state->up_left);
    state->up_left = up;
    const __m256i packed = _mm256_packus_epi16(state->left, state->left);
    const __m128i low = _mm256_castsi256_si128(packed), high = _mm256_extracti128_si256(packed, 1);
    const int32_t pixels[4] = {
        _mm_cvtsi128_si32(low), _mm_extract_epi32(low, 1), _mm_cvtsi128_si32(high), _mm_extract_epi32(high, 1)};
    for (int32_t r = first; r <= last; r++)
        memcpy(rows[r] + x - (size_t)(r * bytes_per_pixel), &pixels[r], sizeof *pixels);
}

#include "unfilter_simd.h"

// With a constant number of bytes, the loops are specialized for it.
TARGET_AVX2 const uint8_t *prep_png_unfilter_avx2(
    uint8_t *filtered, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    return bytes_per_pixel == 3 ? unfilter_row(filtered, previous_row, count, 3)
                                : unfilter_row(filtered, previous_row, count, 4);
}

TARGET_AVX2 void prep_png_unfilter_paeth_rows_avx2(
    uint8_t *filtered, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel) {
    const paeth_rows zero = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    if (bytes_per_pixel == 3) undo_paeth_filters(zero, filtered, previous_row, count, 3);
    else undo_paeth_filters(zero, filtered, previous_row, count, 4);
}
#endif
