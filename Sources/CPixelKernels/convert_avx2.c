#include "pixel_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define TARGET_AVX2 __attribute__((target("avx2")))

// Two 16-bit factors in each 32-bit lane.
#define LANE_HALF(a) ((uint32_t)(uint16_t)(int16_t)(a))
#define BROADCAST_PAIR(a, b) _mm256_set1_epi32((int32_t)(LANE_HALF(a) | LANE_HALF(b) << 16))

#define ALPHA_BITS ((int32_t)0xFF000000)

// Eight pixels, one in each 32-bit lane, as pairs of 16 bits: red and blue, green and 0.
typedef struct {
    __m256i red_blue, green;
} rgb_pixels_8;

// Loads eight pixels of 3 bytes. The second of two 16-byte loads ends 4 bytes after the last pixel.
TARGET_AVX2 static inline rgb_pixels_8 load_8_rgb_pixels(const uint8_t *pixels) {
    const __m256i apart = _mm256_setr_epi8(
        0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    const __m128i low = _mm_loadu_si128((const __m128i *)pixels);
    const __m128i high = _mm_loadu_si128((const __m128i *)(pixels + 12));
    const __m256i lanes = _mm256_shuffle_epi8(_mm256_set_m128i(high, low), apart);
    const __m256i even = _mm256_set1_epi32(0x00FF00FF);
    return (rgb_pixels_8){_mm256_and_si256(lanes, even), _mm256_srli_epi16(lanes, 8)};
}

// Returns floor(x / 255) for every x up to 65,152, which is 255 * 255 + 127.
TARGET_AVX2 static inline __m256i divide_by_255(__m256i x) {
    const __m256i plus_one = _mm256_add_epi16(x, _mm256_set1_epi16(1));
    return _mm256_srli_epi16(_mm256_add_epi16(plus_one, _mm256_srli_epi16(plus_one, 8)), 8);
}

TARGET_AVX2 static inline __m256i blend_over_background(__m256i samples, __m256i background, __m256i alpha) {
    const __m256i rest = _mm256_sub_epi16(_mm256_set1_epi16(255), alpha);
    const __m256i sum = _mm256_add_epi16(_mm256_mullo_epi16(samples, alpha), _mm256_mullo_epi16(background, rest));
    return divide_by_255(_mm256_add_epi16(sum, _mm256_set1_epi16(127)));
}

// Blends eight pixels of 4 bytes with `background`. Most images are opaque: testing for this takes less time than
// blending, and the result is the same.
TARGET_AVX2 static inline rgb_pixels_8 blend_8_rgba_pixels(__m256i lanes, rgb_pixels_8 background) {
    const __m256i opaque = _mm256_set1_epi32(ALPHA_BITS);
    const __m256i red_blue = _mm256_and_si256(lanes, _mm256_set1_epi32(0x00FF00FF));
    const __m256i green = _mm256_and_si256(_mm256_srli_epi32(lanes, 8), _mm256_set1_epi32(0xFF));
    if (_mm256_testc_si256(lanes, opaque)) return (rgb_pixels_8){red_blue, green};
    const __m256i alphas = _mm256_setr_epi8(
        3, -1, 3, -1, 7, -1, 7, -1, 11, -1, 11, -1, 15, -1, 15, -1, 3, -1, 3, -1, 7, -1, 7, -1, 11, -1, 11, -1, 15, -1,
        15, -1);
    const __m256i alpha = _mm256_shuffle_epi8(lanes, alphas);
    return (rgb_pixels_8){
        blend_over_background(red_blue, background.red_blue, alpha),
        blend_over_background(green, background.green, alpha)};
}

// Uses the factors of PortablePixelKernels.yCbCr. Factors that do not fit in 16 bits are split: 38,470 is twice 19,235,
// and 32,768 is 32,767 plus 1.
TARGET_AVX2 static inline void store_8_ycbcr_pixels(rgb_pixels_8 pixels, uint8_t *y, uint8_t *cb, uint8_t *cr) {
    const __m256i half = _mm256_set1_epi32(1 << 15), bias = _mm256_set1_epi32((128 << 16) + (1 << 15) - 1);
    const __m256i red = _mm256_and_si256(pixels.red_blue, _mm256_set1_epi32(0xFF));
    const __m256i blue = _mm256_srli_epi32(pixels.red_blue, 16);
    const __m256i luma = _mm256_add_epi32(
        _mm256_madd_epi16(pixels.red_blue, BROADCAST_PAIR(19595, 7471)),
        _mm256_slli_epi32(_mm256_madd_epi16(pixels.green, BROADCAST_PAIR(19235, 0)), 1));
    const __m256i bluish = _mm256_add_epi32(
        _mm256_add_epi32(_mm256_madd_epi16(pixels.red_blue, BROADCAST_PAIR(-11059, 32767)), blue),
        _mm256_madd_epi16(pixels.green, BROADCAST_PAIR(-21709, 0)));
    const __m256i reddish = _mm256_add_epi32(
        _mm256_add_epi32(_mm256_madd_epi16(pixels.red_blue, BROADCAST_PAIR(32767, -5329)), red),
        _mm256_madd_epi16(pixels.green, BROADCAST_PAIR(-27439, 0)));
    const __m256i y32 = _mm256_srai_epi32(_mm256_add_epi32(luma, half), 16);
    const __m256i cb32 = _mm256_srai_epi32(_mm256_add_epi32(bluish, bias), 16);
    const __m256i cr32 = _mm256_srai_epi32(_mm256_add_epi32(reddish, bias), 16);
    // Each half has four bytes each of Y, Cb and Cr. The permutation joins the halves.
    const __m256i bytes = _mm256_packus_epi16(_mm256_packs_epi32(y32, cb32), _mm256_packs_epi32(cr32, cr32));
    const __m256i sorted = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    const __m128i low = _mm256_castsi256_si128(sorted);
    _mm_storel_epi64((__m128i *)y, low);
    _mm_storel_epi64((__m128i *)cb, _mm_unpackhi_epi64(low, low));
    _mm_storel_epi64((__m128i *)cr, _mm256_extracti128_si256(sorted, 1));
}

TARGET_AVX2 static void convert_opaque_rgb(const uint8_t *pixels, int32_t count, uint8_t *y, uint8_t *cb, uint8_t *cr) {
    int32_t x = 0;
    for (; x < count - 8; x += 8)
        store_8_ycbcr_pixels(load_8_rgb_pixels(pixels + (int64_t)x * 3), y + x, cb + x, cr + x);
    uint8_t last[28] = {0}; // with 4 bytes of padding, which are loaded
    memcpy(last, pixels + (int64_t)x * 3, 24);
    store_8_ycbcr_pixels(load_8_rgb_pixels(last), y + x, cb + x, cr + x);
}

TARGET_AVX2 void prep_convert_rgb_to_ycbcr_avx2(
    const uint8_t *pixels, const uint8_t *background, int32_t count, uint8_t *y, uint8_t *cb, uint8_t *cr) {
    if (count == 0) return;
    if (!background) return convert_opaque_rgb(pixels, count, y, cb, cr);
    const rgb_pixels_8 background_pixels = {
        BROADCAST_PAIR(background[0], background[2]), BROADCAST_PAIR(background[1], 0)};
    // Most of a drawing is transparent, and there the result is the background.
    uint8_t background_y[8], background_cb[8], background_cr[8];
    store_8_ycbcr_pixels(background_pixels, background_y, background_cb, background_cr);
    for (int32_t x = 0; x < count; x += 8) {
        const __m256i lanes = _mm256_loadu_si256((const __m256i *)(pixels + (int64_t)x * 4));
        if (_mm256_testz_si256(lanes, _mm256_set1_epi32(ALPHA_BITS))) {
            memcpy(y + x, background_y, 8);
            memcpy(cb + x, background_cb, 8);
            memcpy(cr + x, background_cr, 8);
        } else {
            store_8_ycbcr_pixels(blend_8_rgba_pixels(lanes, background_pixels), y + x, cb + x, cr + x);
        }
    }
}
#endif
