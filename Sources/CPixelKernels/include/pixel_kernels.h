// The inner loops of resampling, color conversion, measuring and turning images, with one implementation per
// instruction set. All are bit-identical. The reference of resampling and of color conversion is the Swift code in
// Imaging/PortablePixelKernels.swift, and that of the others is the portable C function without a suffix.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Vertical pass: out[x] = (sum over k of coefficients[k] * rows[offsets[k] + x] + half) >> shift, for x in 0..<count.
// `count` is a multiple of 64 and `padded_tap_count` of 2. Every row has `count` readable bytes. `shift` is at least 1.
typedef void prep_convolve_vertically_kernel(
    const uint8_t *_Nonnull rows, const int32_t *_Nonnull offsets, const int16_t *_Nonnull coefficients,
    int32_t padded_tap_count, int32_t shift, int32_t count, int16_t *_Nonnull out);

// The vertical pass of samples of two bytes, the lower one first, of at most 4095. Sample x of a row is at
// rows + offsets[k] + 2 * x. Every row has `2 * count` readable bytes.
typedef void prep_convolve_wide_rows_vertically_kernel(
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

// Adds up the samples of `cell_count` cells of 4 by 4 samples, next to each other, and counts those of at most
// `black_limit` and of at least `white_limit`.
typedef void prep_measure_cells_kernel(
    const uint8_t *_Nonnull rows, ptrdiff_t stride, int32_t cell_count, uint8_t black_limit, uint8_t white_limit,
    uint16_t *_Nonnull sums, uint8_t *_Nonnull black_counts, uint8_t *_Nonnull white_counts);
prep_measure_cells_kernel prep_measure_cells;

// Adds up the white samples of places of 4 by 4 cells, next to each other, and tells whether all their cells are in the
// field.
void prep_count_in_places(
    const uint8_t *_Nonnull white_counts, const bool *_Nonnull in_field, ptrdiff_t stride, int32_t place_count,
    uint16_t *_Nonnull white_sums, bool *_Nonnull is_inside);

// Adds up the sums of units of `side` by `side` cells, next to each other. `side` is at most 1,024.
void prep_add_cells(
    const uint16_t *_Nonnull sums, ptrdiff_t stride, int32_t side, int32_t unit_count, uint32_t *_Nonnull unit_sums);

// Adds up the sums and counts of the cells in the field to `totals`, with their number, and counts their means.
void prep_measure_exposure(
    const uint16_t *_Nonnull sums, const uint8_t *_Nonnull black_counts, const uint8_t *_Nonnull white_counts,
    const bool *_Nonnull in_field, int32_t count, uint32_t *_Nonnull histogram, uint64_t *_Nonnull totals);

// Computes the coarse detail of cells: 4 times the sum with the coefficients 1, 6, 1 along both axes, minus the sum
// with 1, 4, 6, 4, 1. The edges are repeated. `values` has a border of one value, which repeats the nearest one:
// (columns + 2) * (rows + 2) values. `scratch` has room for 3 * columns + 8 values.
typedef void prep_filter_cells_kernel(
    const uint16_t *_Nonnull sums, int32_t columns, int32_t rows, int32_t *_Nonnull scratch,
    int32_t *_Nonnull values);
prep_filter_cells_kernel prep_filter_cells;

// Measures coarse detail in places of 4 by 4 cells, next to each other, as `prep_measure_gradients` does with fine
// detail. `values` is the first value of the first place. One more row and column are readable on each side.
typedef void prep_measure_coarse_gradients_kernel(
    const int32_t *_Nonnull values, ptrdiff_t stride, int32_t place_count, uint64_t *_Nonnull energies);
prep_measure_coarse_gradients_kernel prep_measure_coarse_gradients;

// Measures fine detail in places of 16 by 16 samples, or of 8 by 8 if `is_half_size`, next to each other:
// energies[4 * i + d] is the sum over place i of squared differences of detail between the neighbors of a sample in
// direction d: horizontal, vertical, and both diagonals. Detail is 8 times the difference between a sample and the
// binomial mean of 3 by 3 samples, rounded down.
//
// `rows` is the first sample of the first place. Two more rows and columns are readable on each side of the places.
// With places of n by n samples, `scratch` has room for (n + 3) * (n * place_count + 2) + 2 values.
typedef void prep_measure_gradients_kernel(
    const uint8_t *_Nonnull rows, ptrdiff_t stride, bool is_half_size, int32_t place_count,
    int16_t *_Nonnull scratch, uint32_t *_Nonnull energies);
prep_measure_gradients_kernel prep_measure_gradients;

// Adds up the differences between neighboring samples by their place in blocks of 8 by 8 samples: column_sums[k] is
// the sum of |row[x + 1] - row[x]| over all x with x % 8 == k, and row_sums[k] the same for rows. `width` and `height`
// are positive; a row has at most 2^24 samples.
typedef void prep_measure_blocks_kernel(
    const uint8_t *_Nonnull rows, ptrdiff_t stride, int32_t width, int32_t height, uint64_t *_Nonnull column_sums,
    uint64_t *_Nonnull row_sums);
prep_measure_blocks_kernel prep_measure_blocks;

// Returns whether the CPU and the operating system support AVX2; false on other architectures.
bool prep_cpu_has_avx2(void);

// Returns whether they support AVX2, AVX-512F and AVX-512BW.
bool prep_cpu_has_avx512(void);

#if defined(__x86_64__)
prep_convolve_vertically_kernel prep_convolve_vertically_avx2;
prep_convolve_wide_rows_vertically_kernel prep_convolve_wide_rows_vertically_avx2;
prep_convolve_horizontally_kernel prep_convolve_horizontally_avx2;
prep_convolve_horizontally_to_16_bits_kernel prep_convolve_horizontally_to_16_bits_avx2;
prep_convert_rgb_to_ycbcr_kernel prep_convert_rgb_to_ycbcr_avx2;
prep_convert_luma_kernel prep_convert_luma_avx2;
prep_convert_chroma_kernel prep_convert_chroma_avx2;
prep_measure_cells_kernel prep_measure_cells_avx2;
prep_filter_cells_kernel prep_filter_cells_avx2;
prep_measure_coarse_gradients_kernel prep_measure_coarse_gradients_avx2;
prep_measure_gradients_kernel prep_measure_gradients_avx2;
prep_measure_blocks_kernel prep_measure_blocks_avx2;
prep_convolve_vertically_kernel prep_convolve_vertically_avx512;
#elif defined(__aarch64__)
prep_convolve_vertically_kernel prep_convolve_vertically_neon;
prep_convolve_wide_rows_vertically_kernel prep_convolve_wide_rows_vertically_neon;
prep_convolve_horizontally_kernel prep_convolve_horizontally_neon;
prep_convolve_horizontally_to_16_bits_kernel prep_convolve_horizontally_to_16_bits_neon;
prep_convert_rgb_to_ycbcr_kernel prep_convert_rgb_to_ycbcr_neon;
prep_convert_luma_kernel prep_convert_luma_neon;
prep_convert_chroma_kernel prep_convert_chroma_neon;
#endif
