// Compares the kernels and PNG's filters with their formulas, and the inverse DCT and the measures of images with the
// portable ones. Their buffers end at protected pages. Tests/NEON/run runs this for arm64.
#include <stdlib.h>
#include <string.h>

#include "adler32.h"
#include "inverse_dct.h"
#include "pixel_kernels.h"
#include "support.h"
#include "unfilter.h"

enum { AREA = 1 << 16, AREAS = 4, CALLS = 50 };

uint64_t kernel_compared;

static guarded input[AREAS], output[AREAS];

// Returns an extreme in half of the calls.
static int32_t extreme(int32_t low, int32_t high) {
    switch (random_below(4)) {
    case 0: return low;
    case 1: return high;
    default: return random_between(low, high);
    }
}

static void fill_extreme(uint8_t *bytes, size_t count) {
    random_fill(bytes, count);
    if (random_once_in(2)) return;
    for (size_t i = 0; i < count; i++) bytes[i] = bytes[i] < 64 ? 0 : bytes[i] < 128 ? 255 : bytes[i];
}

static void check(bool is_equal, const char *what) {
    if (!is_equal) fail(what);
    kernel_compared++;
}

#if defined(__x86_64__)
#define SIMD(name) name##_avx2
static bool has_simd(void) { return prep_cpu_has_avx2(); }
#elif defined(__aarch64__)
#define SIMD(name) name##_neon
static bool has_simd(void) { return true; }
#endif

#if defined(SIMD)
static void run_convolve_vertically(prep_convolve_vertically_kernel *kernel) {
    const int32_t taps = 2 * random_between(1, 16), shift = random_between(8, 16), count = 64 * random_between(1, 4);
    const size_t rows_count = (size_t)count + random_below(4000);
    uint8_t *rows = guarded_place(&input[0], rows_count);
    fill_extreme(rows, rows_count);
    int32_t *offsets = (int32_t *)guarded_place(&input[1], (size_t)taps * sizeof *offsets);
    int16_t *coefficients = (int16_t *)guarded_place(&input[2], (size_t)taps * sizeof *coefficients);
    const int32_t most = (100 << shift) / (255 * taps); // so that the sum and the result fit, as the tables see to
    for (int32_t k = 0; k < taps; k++) {
        offsets[k] = extreme(0, (int32_t)rows_count - count);
        coefficients[k] = (int16_t)extreme(-most, most);
    }
    int16_t *out = (int16_t *)guarded_place(&output[0], (size_t)count * sizeof *out);
    kernel(rows, offsets, coefficients, taps, shift, count, out);
    bool is_equal = true;
    for (int32_t x = 0; x < count; x++) {
        int32_t sum = 1 << (shift - 1);
        for (int32_t k = 0; k < taps; k++) sum += coefficients[k] * rows[offsets[k] + x];
        is_equal = is_equal && out[x] == (int16_t)(sum >> shift);
    }
    check(is_equal, "the vertical pass");
}

static void run_convolve_wide_rows_vertically(void) {
    const int32_t taps = 2 * random_between(1, 16), shift = random_between(8, 16), count = 64 * random_between(1, 4);
    const int32_t limit = (1 << random_between(9, 12)) - 1, first = (int32_t)random_below(2); // aligned or not
    const size_t sample_count = (size_t)count + random_below(2000), rows_count = 2 * sample_count + (size_t)first;
    uint8_t *rows = guarded_place(&input[0], rows_count);
    rows[0] = 0;
    for (size_t i = 0; i < sample_count; i++) {
        const int32_t sample = extreme(0, limit);
        rows[(size_t)first + 2 * i] = (uint8_t)sample;
        rows[(size_t)first + 2 * i + 1] = (uint8_t)(sample >> 8);
    }
    int32_t *offsets = (int32_t *)guarded_place(&input[1], (size_t)taps * sizeof *offsets);
    int16_t *coefficients = (int16_t *)guarded_place(&input[2], (size_t)taps * sizeof *coefficients);
    const int32_t most = (int32_t)(((int64_t)20000 << shift) / ((int64_t)limit * taps));
    for (int32_t k = 0; k < taps; k++) {
        offsets[k] = first + 2 * extreme(0, (int32_t)sample_count - count);
        coefficients[k] = (int16_t)extreme(most < INT16_MAX ? -most : -INT16_MAX, most < INT16_MAX ? most : INT16_MAX);
    }
    int16_t *out = (int16_t *)guarded_place(&output[0], (size_t)count * sizeof *out);
    SIMD(prep_convolve_wide_rows_vertically)(rows, offsets, coefficients, taps, shift, count, out);
    bool is_equal = true;
    for (int32_t x = 0; x < count; x++) {
        int32_t sum = 1 << (shift - 1);
        for (int32_t k = 0; k < taps; k++) {
            const uint8_t *sample = rows + offsets[k] + 2 * x;
            sum += coefficients[k] * (sample[0] | sample[1] << 8);
        }
        is_equal = is_equal && out[x] == (int16_t)(sum >> shift);
    }
    check(is_equal, "the vertical pass of samples of two bytes");
}

static void run_convolve_horizontally(void) {
    const int32_t taps = 16 * random_between(1, 5), shift = random_between(20, 22), count = 8 * random_between(1, 6);
    const int32_t row_count = taps + random_between(0, 300);
    int16_t *row = (int16_t *)guarded_place(&input[0], (size_t)row_count * sizeof *row);
    int32_t *starts = (int32_t *)guarded_place(&input[1], (size_t)count * sizeof *starts);
    int16_t *coefficients = (int16_t *)guarded_place(&input[2], (size_t)(count * taps) * sizeof *coefficients);
    for (int32_t i = 0; i < row_count; i++) row[i] = (int16_t)extreme(-5000, 21000);
    for (int32_t i = 0; i < count; i++) starts[i] = extreme(0, row_count - taps);
    for (int32_t i = 0; i < count * taps; i++) coefficients[i] = (int16_t)extreme(-90000 / taps, 90000 / taps);
    uint8_t *out = guarded_place(&output[0], (size_t)count);
    SIMD(prep_convolve_horizontally)(row, starts, coefficients, taps, shift, count, out);
    bool is_equal = true;
    for (int32_t i = 0; i < count; i++) {
        int64_t sum = 1 << (shift - 1);
        for (int32_t k = 0; k < taps; k++) sum += (int64_t)coefficients[i * taps + k] * row[starts[i] + k];
        const int64_t value = sum >> shift;
        is_equal = is_equal && out[i] == (value < 0 ? 0 : value > 255 ? 255 : value);
    }
    check(is_equal, "the horizontal pass");

    const int32_t wide_shift = shift - 6;
    int16_t *words = (int16_t *)guarded_place(&output[1], (size_t)count * sizeof *words);
    SIMD(prep_convolve_horizontally_to_16_bits)(row, starts, coefficients, taps, wide_shift, count, words);
    for (int32_t i = 0; i < count; i++) {
        int64_t sum = 1 << (wide_shift - 1);
        for (int32_t k = 0; k < taps; k++) sum += (int64_t)coefficients[i * taps + k] * row[starts[i] + k];
        const int64_t value = sum >> wide_shift;
        is_equal = is_equal && words[i] == (value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
    }
    check(is_equal, "the horizontal pass with 16 bits");
}

static int32_t over(int32_t sample, int32_t background, int32_t alpha) {
    return (sample * alpha + background * (255 - alpha) + 127) / 255;
}

static void run_convert(void) {
    const int32_t count = 8 * random_between(0, 20), channels = random_between(3, 4);
    uint8_t background[3];
    fill_extreme(background, sizeof background);
    uint8_t *pixels = guarded_place(&input[0], (size_t)(count * channels));
    fill_extreme(pixels, (size_t)(count * channels));
    // Kernels have shorter paths for eight transparent or opaque pixels.
    for (int32_t x = 0; channels == 4 && x < count; x += 8) {
        const int alpha = random_between(-2, 1);
        for (int i = 3; alpha >= 0 && i < 32; i += 4) pixels[x * 4 + i] = (uint8_t)(255 * alpha);
    }
    uint8_t *planes[3];
    for (int i = 0; i < 3; i++) planes[i] = guarded_place(&output[i], (size_t)count);
    SIMD(prep_convert_rgb_to_ycbcr)(pixels, channels == 4 ? background : NULL, count, planes[0], planes[1], planes[2]);
    bool is_equal = true;
    for (int32_t x = 0; x < count; x++) {
        int32_t c[3];
        for (int i = 0; i < 3; i++) {
            c[i] = pixels[x * channels + i];
            if (channels == 4) c[i] = over(c[i], background[i], pixels[x * 4 + 3]);
        }
        const int32_t half = 1 << 15, bias = (128 << 16) + half - 1;
        is_equal = is_equal && planes[0][x] == (19595 * c[0] + 38470 * c[1] + 7471 * c[2] + half) >> 16
            && planes[1][x] == (-11059 * c[0] - 21709 * c[1] + 32768 * c[2] + bias) >> 16
            && planes[2][x] == (32768 * c[0] - 27439 * c[1] - 5329 * c[2] + bias) >> 16;
    }
    check(is_equal, "the conversion of pixels");
}

static uint8_t interpolated(const int16_t *corners, const int16_t *weights) {
    int64_t sum = 1 << 14;
    for (int k = 0; k < 8; k++) sum += corners[k] * weights[k];
    sum >>= 15;
    return (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

// The table is made once, because it is large. Kernels read its last cell where all samples are 255.
static void run_color_table(void) {
    enum { CELLS = 32 * 32 * 32 };
    static guarded luma_cells, chroma_cells, groups;
    static int16_t *luma, *chroma, *weights;
    if (!luma) {
        guarded_create(&luma_cells, 1, CELLS * 8 * sizeof *luma);
        guarded_create(&chroma_cells, 1, CELLS * 16 * sizeof *chroma);
        guarded_create(&groups, 1, 512 * 8 * sizeof *weights);
        luma = (int16_t *)guarded_place(&luma_cells, CELLS * 8 * sizeof *luma);
        chroma = (int16_t *)guarded_place(&chroma_cells, CELLS * 16 * sizeof *chroma);
        weights = (int16_t *)guarded_place(&groups, 512 * 8 * sizeof *weights);
        for (int i = 0; i < CELLS * 8; i++) luma[i] = (int16_t)extreme(-8192, 24512);
        for (int i = 0; i < CELLS * 16; i++) chroma[i] = (int16_t)extreme(-8192, 24512);
        for (int i = 0; i < 512 * 8; i++) {
            const int v = i >> 9, u = i >> 6 & 7, t = i >> 3 & 7;
            weights[i] = (int16_t)((i & 4 ? v : 8 - v) * (i & 2 ? u : 8 - u) * (i & 1 ? t : 8 - t));
        }
    }
    const int32_t count = 8 * random_between(0, 20);
    uint8_t *planes[3], *rows[3];
    for (int i = 0; i < 3; i++) {
        rows[i] = guarded_place(&input[i], (size_t)count);
        planes[i] = guarded_place(&output[i], (size_t)count);
        fill_extreme(rows[i], (size_t)count);
        memcpy(planes[i], rows[i], (size_t)count);
    }
    SIMD(prep_convert_luma)(luma, weights, rows[1], rows[2], count, planes[0]);
    SIMD(prep_convert_chroma)(chroma, weights, rows[0], count, planes[1], planes[2]);
    bool is_equal = true;
    for (int32_t x = 0; x < count; x++) {
        const int y = rows[0][x], cb = rows[1][x], cr = rows[2][x];
        const int cell = cb / 8 * 1024 + cr / 8 * 32 + y / 8;
        const int16_t *group = weights + (cb % 8 * 64 + cr % 8 * 8 + y % 8) * 8;
        is_equal = is_equal && planes[0][x] == interpolated(luma + cell * 8, group)
            && planes[1][x] == interpolated(chroma + cell * 16, group)
            && planes[2][x] == interpolated(chroma + cell * 16 + 8, group);
    }
    check(is_equal, "the conversion by a table");
}

#if defined(__x86_64__)
static void run_measure_cells(void) {
    enum { MAX_CELLS = 600 };
    const int32_t count = random_between(1, MAX_CELLS);
    const size_t width = 4 * (size_t)count, stride = width + random_below(9), row_bytes = 3 * stride + width;
    uint8_t *rows = guarded_place(&input[0], row_bytes), *counts[2];
    fill_extreme(rows, row_bytes);
    uint16_t *sums = (uint16_t *)guarded_place(&output[0], (size_t)count * sizeof *sums), expected_sums[MAX_CELLS];
    for (int i = 0; i < 2; i++) counts[i] = guarded_place(&output[1 + i], (size_t)count);
    uint8_t expected_counts[2][MAX_CELLS];
    const uint8_t black = (uint8_t)random_between(0, 20), white = (uint8_t)random_between(200, 255);
    const ptrdiff_t step = (ptrdiff_t)stride;
    prep_measure_cells(rows, step, count, black, white, expected_sums, expected_counts[0], expected_counts[1]);
    prep_measure_cells_avx2(rows, step, count, black, white, sums, counts[0], counts[1]);
    check(
        memcmp(sums, expected_sums, (size_t)count * sizeof *sums) == 0
            && memcmp(counts[0], expected_counts[0], (size_t)count) == 0
            && memcmp(counts[1], expected_counts[1], (size_t)count) == 0,
        "the sums of cells");
}

static void run_filter_cells(void) {
    enum { MAX_COLUMNS = 100, MAX_ROWS = 40, MAX_VALUES = (MAX_COLUMNS + 2) * (MAX_ROWS + 2) };
    const int32_t columns = random_between(1, MAX_COLUMNS), rows = random_between(1, MAX_ROWS);
    const size_t count = (size_t)columns * (size_t)rows, value_count = (size_t)(columns + 2) * (size_t)(rows + 2);
    uint16_t *sums = (uint16_t *)guarded_place(&input[0], count * sizeof *sums);
    for (size_t i = 0; i < count; i++) sums[i] = (uint16_t)extreme(0, 16 * 255);
    int32_t *scratch = (int32_t *)guarded_place(&input[1], (size_t)(3 * columns + 8) * sizeof *scratch);
    int32_t *values = (int32_t *)guarded_place(&output[0], value_count * sizeof *values), expected[MAX_VALUES];
    prep_filter_cells(sums, columns, rows, scratch, expected);
    prep_filter_cells_avx2(sums, columns, rows, scratch, values);
    check(memcmp(values, expected, value_count * sizeof *values) == 0, "the coarse detail of cells");
}

static void run_measure_coarse_gradients(void) {
    enum { MAX_PLACES = 64, LIMIT = 256 * 16 * 255 };
    const int32_t count = random_between(1, MAX_PLACES);
    const size_t width = 4 * (size_t)count + 2, stride = width + random_below(9), value_count = 5 * stride + width;
    int32_t *values = (int32_t *)guarded_place(&input[0], value_count * sizeof *values);
    for (size_t i = 0; i < value_count; i++) values[i] = extreme(-LIMIT, LIMIT);
    const size_t byte_count = 4 * (size_t)count * sizeof(uint64_t);
    uint64_t *energies = (uint64_t *)guarded_place(&output[0], byte_count), expected[4 * MAX_PLACES];
    prep_measure_coarse_gradients(values + stride + 1, (ptrdiff_t)stride, count, expected);
    prep_measure_coarse_gradients_avx2(values + stride + 1, (ptrdiff_t)stride, count, energies);
    check(memcmp(energies, expected, byte_count) == 0, "the gradients of coarse detail");
}

static void run_measure_gradients(void) {
    enum { MAX_PLACES = 20 };
    const bool is_half_size = random_once_in(2);
    const int32_t count = random_between(1, MAX_PLACES), side = is_half_size ? 8 : 16, inner = side * count;
    const size_t width = (size_t)inner + 4, stride = width + random_below(9);
    const size_t row_bytes = (size_t)(side + 3) * stride + width;
    uint8_t *rows = guarded_place(&input[0], row_bytes), *first = rows + 2 * stride + 2;
    fill_extreme(rows, row_bytes);
    const size_t scratch_count = (size_t)((side + 3) * (inner + 2) + 2);
    int16_t *scratch = (int16_t *)guarded_place(&input[1], scratch_count * sizeof *scratch);
    const size_t byte_count = 4 * (size_t)count * sizeof(uint32_t);
    uint32_t *energies = (uint32_t *)guarded_place(&output[0], byte_count), expected[4 * MAX_PLACES];
    prep_measure_gradients(first, (ptrdiff_t)stride, is_half_size, count, scratch, expected);
    prep_measure_gradients_avx2(first, (ptrdiff_t)stride, is_half_size, count, scratch, energies);
    check(memcmp(energies, expected, byte_count) == 0, "the gradients of fine detail");
}

// A row of more than 8,192 samples is added up in parts.
static void run_measure_blocks(void) {
    const bool is_long = random_once_in(16);
    const int32_t width = is_long ? random_between(8190, 9000) : random_between(1, 300);
    const int32_t height = random_between(1, is_long ? 4 : 40);
    const size_t stride = (size_t)width + random_below(9), row_bytes = (size_t)(height - 1) * stride + (size_t)width;
    uint8_t *rows = guarded_place(&input[0], row_bytes);
    fill_extreme(rows, row_bytes);
    uint64_t *sums[2], expected[2][8];
    for (int i = 0; i < 2; i++) sums[i] = (uint64_t *)guarded_place(&output[i], sizeof expected[i]);
    prep_measure_blocks(rows, (ptrdiff_t)stride, width, height, expected[0], expected[1]);
    prep_measure_blocks_avx2(rows, (ptrdiff_t)stride, width, height, sums[0], sums[1]);
    check(
        memcmp(sums[0], expected[0], sizeof expected[0]) == 0 && memcmp(sums[1], expected[1], sizeof expected[1]) == 0,
        "the differences at the edges of blocks");
}
#endif

static void run_vectors(void) {
    if (!has_simd()) return;
    run_convolve_vertically(SIMD(prep_convolve_vertically));
#if defined(__x86_64__)
    if (prep_cpu_has_avx512()) run_convolve_vertically(prep_convolve_vertically_avx512);
    run_measure_cells();
    run_filter_cells();
    run_measure_coarse_gradients();
    run_measure_gradients();
    run_measure_blocks();
#endif
    run_convolve_wide_rows_vertically();
    run_convolve_horizontally();
    run_convert();
    run_color_table();
}
#else
static void run_vectors(void) {}
#endif

static uint8_t predicted(int filter, int a, int b, int c) {
    const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    switch (filter) {
    case 1: return (uint8_t)a;
    case 2: return (uint8_t)b;
    case 3: return (uint8_t)((a + b) / 2);
    case 4: return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
    default: return 0;
    }
}

static void run_unfilter(prep_png_unfilter_function *unfilter) {
    const int32_t pixel = random_between(3, 4);
    const size_t count = (size_t)pixel * (1 + random_below(100));
    const uint8_t filter = (uint8_t)random_below(6);
    uint8_t *filtered = guarded_place(&input[0], 1 + count + UNFILTER_READ_PADDING), original[1 + 400];
    uint8_t *above = guarded_place(&input[1], count + UNFILTER_READ_PADDING);
    fill_extreme(filtered, 1 + count + UNFILTER_READ_PADDING);
    fill_extreme(above, count + UNFILTER_READ_PADDING);
    filtered[0] = filter;
    memcpy(original, filtered, 1 + count);
    const uint8_t padding = filtered[1 + count];
    const uint8_t *row = unfilter(filtered, above, count, pixel);
    const uint8_t *expected = filter == 0 ? filtered + 1 : filter < 5 ? filtered : NULL;
    bool is_equal = row == expected && filtered[1 + count] == padding;
    for (size_t i = 0; row && i < count; i++) {
        const bool is_first = i < (size_t)pixel;
        const int a = is_first ? 0 : row[i - (size_t)pixel], c = is_first ? 0 : above[i - (size_t)pixel];
        is_equal = is_equal && row[i] == (uint8_t)(original[1 + i] + predicted(filter, a, above[i], c));
    }
    check(is_equal, "PNG's filters");
}

static void run_unfilter_paeth_rows(
    prep_png_unfilter_paeth_rows_function *unfilter_rows, prep_png_unfilter_function *unfilter) {
    const int32_t pixel = random_between(3, 4);
    const size_t count = (size_t)pixel * (PAETH_ROWS + random_below(100)), stride = count + 1;
    const size_t byte_count = PAETH_ROWS * stride + UNFILTER_READ_PADDING;
    uint8_t *filtered = guarded_place(&input[0], byte_count), expected[PAETH_ROWS * 413 + UNFILTER_READ_PADDING];
    uint8_t *above = guarded_place(&input[1], count + UNFILTER_READ_PADDING);
    fill_extreme(filtered, byte_count);
    fill_extreme(above, count + UNFILTER_READ_PADDING);
    for (size_t r = 0; r < PAETH_ROWS; r++) filtered[r * stride] = PAETH_FILTER;
    memcpy(expected, filtered, byte_count);
    const uint8_t *previous = above;
    for (size_t r = 0; r < PAETH_ROWS; r++) previous = unfilter(expected + r * stride, previous, count, pixel);
    unfilter_rows(filtered, above, count, pixel);
    bool is_equal = filtered[byte_count - 1] == expected[byte_count - 1];
    for (size_t r = 0; r < PAETH_ROWS; r++)
        is_equal = is_equal && memcmp(filtered + r * stride, expected + r * stride, count) == 0;
    check(is_equal, "Paeth's filter in several rows");
}

#if defined(__x86_64__)
static void run_adler32(void) {
    if (!has_simd()) return;
    const size_t count = random_once_in(8) ? random_below(AREA) : random_below(300);
    uint8_t *bytes = guarded_place(&input[0], count);
    fill_extreme(bytes, count);
    if (random_once_in(4)) memset(bytes, 255, count);
    const uint32_t before = (uint32_t)extreme(0, 65520) << 16 | (uint32_t)extreme(0, 65520);
    uint32_t a = before & 0xFFFF, b = before >> 16;
    for (size_t i = 0; i < count; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    check(prep_adler32_avx2(before, bytes, count) == (b << 16 | a), "the checksum of zlib");
}
#endif

// Makes a block of `count` coefficients in zigzag order. The sum of their magnitudes is often right at the limit: what
// the other coefficients leave is that of one whose step is 1.
static void make_block(int32_t count, coefficient_block *block, coefficient_block *steps) {
    const int32_t max_step = 1 << random_between(0, 11), last = random_between(0, count - 1);
    int32_t room = random_once_in(4) ? 1 << 24 : extreme(PREP_MAX_COEFFICIENT_SUM, PREP_MAX_COEFFICIENT_SUM + 1);
    memset(block, 0, sizeof *block);
    for (int k = 0; k < 64; k++) steps->values[prep_block_index_of_zigzag[k]] = (int16_t)extreme(1, max_step);
    steps->values[prep_block_index_of_zigzag[last]] = 1;
    const int32_t share = random_once_in(2) ? room : room / count;
    for (int32_t k = 0; k < count; k++) {
        const int i = prep_block_index_of_zigzag[k];
        const int32_t most = (share < room ? share : room) / steps->values[i];
        if (k == last || random_once_in(4)) continue;
        block->values[i] = (int16_t)extreme(most < 2047 ? -most : -2047, most < 2047 ? most : 2047);
        room -= abs(block->values[i]) * steps->values[i];
    }
    const int32_t rest = room < 2047 ? room : 2047;
    block->values[prep_block_index_of_zigzag[last]] = (int16_t)(random_once_in(2) ? rest : -rest);
}

static const inverse_dct_kernels *portable_inverse_dct(size_t size) {
    return prep_inverse_dct_kernels(PREP_JPEG_FAST_PORTABLE, (int32_t)size);
}

static bool is_zero(const coefficient_block *block) {
    static const coefficient_block zero;
    return memcmp(block, &zero, sizeof zero) == 0;
}

// Runs a transform to `size` by `size` samples on a copy of a block, and compares it with the portable one.
static void compare_inverse_dct(
    inverse_dct_function *function, size_t size, const coefficient_block *block, const coefficient_block *steps) {
    coefficient_block *copy = (coefficient_block *)guarded_place(&input[0], sizeof *copy);
    coefficient_block *factors = (coefficient_block *)guarded_place(&input[1], sizeof *factors);
    coefficient_block expected_block = *block;
    const size_t stride = size + random_below(3) * size;
    uint8_t expected[64], *rows = guarded_place(&output[0], (size - 1) * stride + size);
    *copy = *block;
    *factors = *steps;
    const bool is_valid = portable_inverse_dct(size)->any_block(&expected_block, steps, expected, size);
    bool is_equal = function(copy, factors, rows, stride) == is_valid;
    for (size_t y = 0; is_valid && y < size; y++)
        is_equal = is_equal && memcmp(rows + y * stride, expected + size * y, size) == 0;
    check(is_equal && (!is_valid || is_zero(copy)), "the inverse DCT");
}

static void run_inverse_dct(const inverse_dct_kernels *kernels, size_t size) {
    _Alignas(coefficient_block) coefficient_block block, steps;
    make_block(64, &block, &steps);
    compare_inverse_dct(kernels->any_block, size, &block, &steps);
    make_block(PREP_SPARSE_COEFFICIENT_COUNT, &block, &steps);
    compare_inverse_dct(kernels->any_block, size, &block, &steps);
    compare_inverse_dct(kernels->sparse_block, size, &block, &steps);
    make_block(1, &block, &steps);
    uint8_t expected[64], *rows = guarded_place(&output[0], size * size);
    const int32_t dc = block.values[0] * steps.values[0];
    if (!portable_inverse_dct(size)->any_block(&block, &steps, expected, size)) return;
    kernels->dc_only_block(dc, rows, size);
    check(memcmp(rows, expected, size * size) == 0, "the inverse DCT of a DC coefficient");
}

bool is_required_set(int set) {
#if defined(__aarch64__)
    return set != PREP_JPEG_FAST_AVX2;
#else
    return set == PREP_JPEG_FAST_PORTABLE;
#endif
}

static void run_decoder_kernels(void) {
    for (int set = PREP_JPEG_FAST_PORTABLE; set <= PREP_JPEG_FAST_NEON; set++) {
        for (int32_t size = 4; size <= 8; size += 4) {
            const inverse_dct_kernels *kernels = prep_inverse_dct_kernels((prep_jpeg_fast_instruction_set)set, size);
            check(kernels || !is_required_set(set), "the transform of this processor");
            if (kernels) run_inverse_dct(kernels, (size_t)size);
        }
    }
    for (int set = PREP_PNG_FAST_PORTABLE; set <= PREP_PNG_FAST_NEON; set++) {
        prep_png_unfilter_function *unfilter = prep_png_unfilter_kernel((prep_png_fast_instruction_set)set);
        check(unfilter || !is_required_set(set), "the filters of this processor");
        if (unfilter) run_unfilter(unfilter);
        prep_png_unfilter_paeth_rows_function *unfilter_rows =
            unfilter ? prep_png_unfilter_paeth_rows_kernel((prep_png_fast_instruction_set)set) : NULL;
        check(unfilter_rows || !is_required_set(set) || set == PREP_PNG_FAST_PORTABLE, "Paeth's filter");
        if (unfilter_rows) run_unfilter_paeth_rows(unfilter_rows, prep_png_unfilter_portable);
    }
}

// Transposition, mirrored or not.
static void run_transpose(void) {
    const int32_t width = random_between(1, 150), height = random_between(1, 150);
    const size_t wide = (size_t)width + random_below(9), high = (size_t)height + random_below(9);
    const size_t last_row = wide * (size_t)(height - 1), last_column = high * (size_t)(width - 1);
    uint8_t *source = guarded_place(&input[0], last_row + (size_t)width);
    random_fill(source, last_row + (size_t)width);
    uint8_t *target = guarded_place(&output[0], last_column + (size_t)height);
    const bool mirrors_rows = random_once_in(2), mirrors_columns = random_once_in(2);
    const ptrdiff_t source_step = mirrors_rows ? -(ptrdiff_t)wide : (ptrdiff_t)wide;
    const ptrdiff_t target_step = mirrors_columns ? -(ptrdiff_t)high : (ptrdiff_t)high;
    prep_transpose_samples(
        source + (mirrors_rows ? last_row : 0), source_step, width, height,
        target + (mirrors_columns ? last_column : 0), target_step);
    bool is_equal = true;
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            const size_t from = (size_t)(mirrors_rows ? height - 1 - y : y);
            const size_t to = (size_t)(mirrors_columns ? width - 1 - x : x);
            is_equal = is_equal && target[to * high + (size_t)y] == source[from * wide + (size_t)x];
        }
    }
    check(is_equal, "rows that become columns");
    uint8_t *reversed = guarded_place(&output[1], (size_t)width);
    prep_reverse_samples(source, width, reversed);
    for (int32_t x = 0; x < width; x++) is_equal = is_equal && reversed[x] == source[width - 1 - x];
    check(is_equal, "rows that are reversed");
}

uint64_t kernel_round(void) {
    if (!input[0].start) {
        guarded_create(input, AREAS, AREA);
        guarded_create(output, AREAS, AREA);
    }
    const uint64_t before = kernel_compared;
    for (int i = 0; i < CALLS; i++) {
        run_vectors();
        run_decoder_kernels();
#if defined(__x86_64__)
        run_adler32();
#endif
        if (random_once_in(8)) run_transpose();
    }
    return kernel_compared - before;
}
