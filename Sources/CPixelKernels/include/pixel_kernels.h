// The inner loops of resampling and of color conversion, with one implementation per instruction set. The Swift
// functions in Imaging/PortablePixelKernels.swift are the reference: every implementation is bit-identical to them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Vertical pass: out[x] = (sum over k of coefficients[k] * rows[offsets[k] + x] + half) >> shift, for x in 0..<count.
// `count` is a multiple of 64 and `padded_tap_count` of 2. Every row has `count` readable bytes. `shift` is at least 1.
typedef void prep_convolve_vertically_kernel(
    const uint8_t *_Nonnull rows, const int32_t *_Nonnull offsets, const int16_t *_Nonnull coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *_Nonnull out);

// Horizontal pass: out[i] = clamp((sum over k of coefficients[i * taps + k] * row[starts[i] + k] + half) >> shift),
// with taps = padded_tap_count. `count` is a multiple of 8 and `padded_tap_count` of 16. row[starts[i] + taps - 1] is
// readable for every i.
typedef void prep_convolve_horizontally_kernel(
    const int16_t *_Nonnull row, const int32_t *_Nonnull starts, const int16_t *_Nonnull coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, uint8_t *_Nonnull out);

// The same pass with results of 16 bits: clamped to their range instead of that of 8 bits. With a `shift` that is
// smaller by 6 they have 6 fractional bits.
typedef void prep_convolve_horizontally_to_16_bits_kernel(
    const int16_t *_Nonnull row, const int32_t *_Nonnull starts, const int16_t *_Nonnull coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *_Nonnull out);

// Converts RGB pixels, or RGBA pixels over `background`, to Y, Cb and Cr.
//
// Pixels have 3 bytes without a background and 4 with one. The background has 3 bytes. `count` is a multiple of 8.
typedef void prep_convert_rgb_to_ycbcr_kernel(
    const uint8_t *_Nonnull pixels, const uint8_t *_Nullable background, int32_t count,
    uint8_t *_Nonnull y, uint8_t *_Nonnull cb, uint8_t *_Nonnull cr);

// Conversion of Y, Cb and Cr by a table with 33 nodes along each axis, 8 levels apart. It is stored as 32 * 32 * 32
// cells. Cell (cb / 8) << 10 | (cr / 8) << 5 | y / 8 has the values of its 8 corners, with 6 fractional bits. Bit 0 of
// a corner's number is set for the greater Y, bit 1 for the greater Cr, bit 2 for the greater Cb.
//
// `weights` has 512 groups of 8: group (cb % 8) << 6 | (cr % 8) << 3 | y % 8 has the weights of the corners, whose sum
// is 512. A result is clamp((sum over the corners of value * weight + (1 << 14)) >> 15). `count` is a multiple of 8.
//
// The first kernel writes Y, over the samples that it reads. Its cells have 8 values. The second one writes Cb and Cr,
// over the samples that it reads. Its cells have 16 values, first those of Cb.
typedef void prep_convert_luma_kernel(
    const int16_t *_Nonnull cells, const int16_t *_Nonnull weights, const uint8_t *_Nonnull cb,
    const uint8_t *_Nonnull cr, int32_t count, uint8_t *_Nonnull y);
typedef void prep_convert_chroma_kernel(
    const int16_t *_Nonnull cells, const int16_t *_Nonnull weights, const uint8_t *_Nonnull y, int32_t count,
    uint8_t *_Nonnull cb, uint8_t *_Nonnull cr);

// Repeats samples: target[x] = source[x / factor], for x in 0..<count. `factor` is 1 to 4.
void prep_repeat_samples(const uint8_t *_Nonnull source, int32_t factor, int32_t count, uint8_t *_Nonnull target);

// Computes the rounded means of blocks of `factor` by `row_count` samples, each 1 to 4, of rows `stride` bytes apart.
// The rows have `width` samples, so the last block may be narrower. `target` receives ceil(width / factor) means.
void prep_average_samples(
    const uint8_t *_Nonnull rows, ptrdiff_t stride, int32_t row_count, int32_t factor, int32_t width,
    uint8_t *_Nonnull target);

// Transposes samples: target[x * target_stride + y] = source[y * source_stride + x], for x in 0..<width and y in
// 0..<height. A negative stride mirrors.
void prep_transpose_samples(
    const uint8_t *_Nonnull source, ptrdiff_t source_stride, int32_t width, int32_t height,
    uint8_t *_Nonnull target, ptrdiff_t target_stride);

// Copies `count` samples in reverse order. `source` and `target` must not overlap.
void prep_reverse_samples(const uint8_t *_Nonnull source, int32_t count, uint8_t *_Nonnull target);

// Averages cells of two rows: 2 by 2 samples, or 1 by 2 if `is_pair` is false. out[i] is the rounded average of cell i.
// Adds what the averages lose to losses[i / 8]: the sum of squared differences between a cell's samples, which is 4
// times the sum of their squared distances from the average. Samples that occur twice count twice.
void prep_average_cells(
    const uint8_t *_Nonnull first, const uint8_t *_Nonnull second, bool is_pair, int32_t count,
    uint8_t *_Nonnull out, uint32_t *_Nonnull losses);

// Returns whether the CPU and the operating system support AVX2; false on other architectures.
bool prep_cpu_has_avx2(void);

// Returns whether they support AVX2, AVX-512F and AVX-512BW.
bool prep_cpu_has_avx512(void);

#if defined(__x86_64__)
prep_convolve_vertically_kernel prep_convolve_vertically_avx2;
prep_convolve_horizontally_kernel prep_convolve_horizontally_avx2;
prep_convolve_horizontally_to_16_bits_kernel prep_convolve_horizontally_to_16_bits_avx2;
prep_convert_rgb_to_ycbcr_kernel prep_convert_rgb_to_ycbcr_avx2;
prep_convert_luma_kernel prep_convert_luma_avx2;
prep_convert_chroma_kernel prep_convert_chroma_avx2;
prep_convolve_vertically_kernel prep_convolve_vertically_avx512;
#elif defined(__aarch64__)
prep_convolve_vertically_kernel prep_convolve_vertically_neon;
prep_convolve_horizontally_kernel prep_convolve_horizontally_neon;
prep_convolve_horizontally_to_16_bits_kernel prep_convolve_horizontally_to_16_bits_neon;
prep_convert_rgb_to_ycbcr_kernel prep_convert_rgb_to_ycbcr_neon;
prep_convert_luma_kernel prep_convert_luma_neon;
prep_convert_chroma_kernel prep_convert_chroma_neon;
#endif
