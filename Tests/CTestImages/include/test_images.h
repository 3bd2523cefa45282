// Writes and reads images with the plain C libraries: the kinds of files that the package itself never makes, and a
// second opinion on what is in them. Every function returns whether it succeeded; no jump leaves it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEST_JPEG_MAX_COMPONENTS = 4 };

typedef enum { TEST_JPEG_GRAY, TEST_JPEG_YCBCR, TEST_JPEG_RGB, TEST_JPEG_CMYK, TEST_JPEG_YCCK } test_jpeg_color;

// One scan of a script: libjpeg's jpeg_scan_info.
typedef struct {
    int32_t component_count;
    int32_t components[TEST_JPEG_MAX_COMPONENTS];
    int32_t first_coefficient, last_coefficient;
    int32_t high_bit, low_bit;
} test_jpeg_scan;

typedef struct {
    uint32_t width, height;
    test_jpeg_color color;
    int32_t component_count;
    int32_t horizontal[TEST_JPEG_MAX_COMPONENTS], vertical[TEST_JPEG_MAX_COMPONENTS];
    int32_t quality;
    bool jfif, adobe, progressive, arithmetic;
    int32_t restart_interval; // MCUs; 0 for none
    const test_jpeg_scan *_Nullable scans; // NULL for libjpeg's own script
    int32_t scan_count;
} test_jpeg;

typedef struct {
    uint8_t *_Nonnull samples;
    size_t stride;
    uint32_t width, rows;
} test_plane;

// Writes a JPEG of the components given, which are read in whole blocks: strides are multiples of 8. `output` is the
// caller's, who hands it to `test_free`.
bool test_jpeg_write(
    const test_jpeg *_Nonnull file, const test_plane *_Nonnull planes,
    uint8_t *_Nullable *_Nonnull output, size_t *_Nonnull count);

// Reads the components as they are stored, as far as `planes` are large.
bool test_jpeg_read_planes(const uint8_t *_Nonnull bytes, size_t count, const test_plane *_Nonnull planes);

// Reads interleaved pixels by jpeg_read_scanlines, without color conversion.
bool test_jpeg_read_pixels(const uint8_t *_Nonnull bytes, size_t count, uint8_t *_Nonnull pixels, size_t capacity);

typedef struct {
    uint32_t width, height;
    int32_t bit_depth, color_type;
    bool interlaced;
} test_png;

// Writes a PNG of packed rows, compressed, and with filters of every kind.
bool test_png_write(
    const test_png *_Nonnull file, const uint8_t *_Nonnull rows, size_t stride,
    uint8_t *_Nullable *_Nonnull output, size_t *_Nonnull count);

// Writes the chunk of image data of a WebP, and the alpha chunk of a lossy image before it: RIFF header and metadata
// are the caller's. `pixels` are RGBA, 4 bytes each; alpha is only written with `has_alpha`.
bool test_webp_write_pixels(
    const uint8_t *_Nonnull pixels, uint32_t width, uint32_t height, bool is_lossless, bool has_alpha,
    uint8_t *_Nullable *_Nonnull output, size_t *_Nonnull count);

// The same of stored planes, lossy, 4:2:0.
bool test_webp_write_planes(
    const test_plane *_Nonnull planes, uint32_t width, uint32_t height, int32_t quality,
    uint8_t *_Nullable *_Nonnull output, size_t *_Nonnull count);

// Reads the stored planes of a lossy WebP, all at once.
bool test_webp_read_planes(const uint8_t *_Nonnull bytes, size_t count, const test_plane *_Nonnull planes);

// Reads RGBA pixels of a WebP, all at once.
bool test_webp_read_pixels(const uint8_t *_Nonnull bytes, size_t count, uint8_t *_Nonnull pixels, size_t capacity);

void test_free(uint8_t *_Nullable output);
