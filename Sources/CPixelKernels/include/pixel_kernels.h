// The inner loops of resampling and of colour conversion, one implementation per instruction set. The Swift functions
// in Imaging/PortablePixelKernels.swift are their specification: every implementation here equals them bit for bit.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Vertical pass: out[x] = (sum over k of weights[k] * rows[offsets[k] + x] + half) >> shift, for x in 0..<count.
// `count` is a multiple of 64 and `taps` of 2; every row has `count` readable bytes. `shift` is at least 1.
typedef void prep_convolve_vertically_kernel(
    const uint8_t *_Nonnull rows, const int32_t *_Nonnull offsets, const int16_t *_Nonnull coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *_Nonnull out);

// Horizontal pass: out[i] = clamp((sum over k of weights[i * taps + k] * row[starts[i] + k] + half) >> shift).
// `count` is a multiple of 8 and `taps` of 16; row[starts[i] + taps - 1] is readable for every i.
typedef void prep_convolve_horizontally_kernel(
    const int16_t *_Nonnull row, const int32_t *_Nonnull starts, const int16_t *_Nonnull coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, uint8_t *_Nonnull out);

// Pixels of red, green and blue, or with alpha over `background`, to Y, Cb and Cr.
//
// Without a background they have 3 bytes each, otherwise 4, and the background 3. `count` is a multiple of 8.
typedef void prep_convert_rgb_to_ycbcr_kernel(
    const uint8_t *_Nonnull pixels, const uint8_t *_Nullable background, int32_t count,
    uint8_t *_Nonnull y, uint8_t *_Nonnull cb, uint8_t *_Nonnull cr);

// Rows become columns: target[x * target_stride + y] = source[y * source_stride + x], for x in 0..<width and y in
// 0..<height. A negative stride mirrors.
void prep_transpose_samples(
    const uint8_t *_Nonnull source, ptrdiff_t source_stride, int32_t width, int32_t height,
    uint8_t *_Nonnull target, ptrdiff_t target_stride);

// The last of `count` samples becomes the first. `source` and `target` don't overlap.
void prep_reverse_samples(const uint8_t *_Nonnull source, int32_t count, uint8_t *_Nonnull target);

// Whether this CPU, and the operating system under it, run AVX2. False on other architectures.
bool prep_cpu_has_avx2(void);

// Whether they run AVX2, and of AVX-512 the foundation (F) and the operations on bytes and words (BW).
bool prep_cpu_has_avx512(void);

#if defined(__x86_64__)
prep_convolve_vertically_kernel prep_convolve_vertically_avx2;
prep_convolve_horizontally_kernel prep_convolve_horizontally_avx2;
prep_convert_rgb_to_ycbcr_kernel prep_convert_rgb_to_ycbcr_avx2;
prep_convolve_vertically_kernel prep_convolve_vertically_avx512;
#elif defined(__aarch64__)
prep_convolve_vertically_kernel prep_convolve_vertically_neon;
prep_convolve_horizontally_kernel prep_convolve_horizontally_neon;
prep_convert_rgb_to_ycbcr_kernel prep_convert_rgb_to_ycbcr_neon;
#endif
