// Tests the encoder: every instruction set, with one part or two, gives the same file, libjpeg reads it without a
// warning, and its coefficients are the nearest multiples of the steps, or a lower one that saves bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "../../Sources/CJPEGEncoder/forward_dct.h"
#include "support.h"
#include "test_images.h"

enum { LARGEST_SIDE = 90, AREA = 1 << 14, COMPONENTS = 3 };

uint64_t encoder_compared;

static guarded areas[COMPONENTS];

typedef struct source {
    prep_jpeg_compact_image image;
    prep_jpeg_compact_rows planes[COMPONENTS];
    uint32_t widths[COMPONENTS];
} source;

typedef struct {
    uint8_t *bytes;
    size_t count;
} encoded;

static void fill_plane(uint8_t *samples, size_t width, size_t rows, size_t stride) {
    static const uint32_t amplitudes[] = {1, 4, 30, 120, 256};
    const uint32_t amplitude = amplitudes[random_below(5)], across = random_below(8), down = random_below(8);
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < width; x++)
            samples[y * stride + x] = (uint8_t)(x * across + y * down + random_below(amplitude));
}

static source make_source(void) {
    static const int32_t samplings[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {2, 2}, {4, 1}, {4, 2}, {3, 2}};
    const int32_t *sampling = samplings[random_below(8)];
    source source = {
        .image = {
            .width = 1 + random_below(LARGEST_SIDE), .height = 1 + random_below(LARGEST_SIDE),
            .component_count = random_once_in(4) ? 1 : 3, .horizontal_sampling = sampling[0],
            .vertical_sampling = sampling[1], .is_progressive = random_once_in(2)}};
    for (int32_t c = 0; c < source.image.component_count; c++) {
        const uint32_t across = c == 0 ? 1 : (uint32_t)sampling[0], down = c == 0 ? 1 : (uint32_t)sampling[1];
        const uint32_t rows = (source.image.height + down - 1) / down;
        source.widths[c] = (source.image.width + across - 1) / across;
        const size_t width = ((size_t)source.widths[c] + 7) / 8 * 8, stride = width + random_below(2) * 8;
        uint8_t *samples = guarded_place(&areas[c], (rows - 1) * stride + width);
        fill_plane(samples, width, rows, stride);
        source.planes[c] = (prep_jpeg_compact_rows){samples, stride, rows};
    }
    return source;
}

static void add_row(
    prep_jpeg_compact_encoder *encoder, prep_jpeg_compact_part part, const source *source, uint32_t row) {
    const prep_jpeg_compact_image *image = &source->image;
    prep_jpeg_compact_rows rows[COMPONENTS];
    for (int32_t c = 0; c < image->component_count; c++) {
        const uint32_t factor = c == 0 && image->component_count > 1 ? (uint32_t)image->vertical_sampling : 1;
        const uint32_t first = row * 8 * factor;
        rows[c] = source->planes[c];
        rows[c].samples += first * rows[c].stride;
        rows[c].row_count -= first;
    }
    if (!prep_jpeg_compact_encoder_add_mcu_row(encoder, part, rows)) fail("a row is rejected");
}

// Adds all rows. Before the row `division` is added, the rest is divided, and then rows of both parts are added in a
// random order.
static void add_rows(prep_jpeg_compact_encoder *encoder, const source *source, uint32_t division) {
    encoded file;
    const uint32_t mcu_rows = prep_jpeg_compact_encoder_mcu_row_count(encoder);
    uint32_t next = 0, end = mcu_rows, next_of_second = mcu_rows;
    while (next < end || next_of_second < mcu_rows) {
        if (next == division && next_of_second == mcu_rows) {
            const uint32_t middle = prep_jpeg_compact_encoder_divide(encoder);
            const bool can_divide =
                !source->image.is_progressive && !source->image.keeps_coefficients && mcu_rows - next >= 2;
            if (can_divide != (middle > next && middle < mcu_rows)) fail("a division");
            if (middle > 0) end = next_of_second = middle;
            if (prep_jpeg_compact_encoder_divide(encoder) != 0) fail("a second division");
            division = UINT32_MAX;
        }
        if (prep_jpeg_compact_encoder_write(encoder, NULL, 0, &file.bytes, &file.count)) fail("a row is missing");
        if (next_of_second < mcu_rows && (next == end || random_once_in(2)))
            add_row(encoder, PREP_JPEG_COMPACT_SECOND_PART, source, next_of_second++);
        else add_row(encoder, PREP_JPEG_COMPACT_FIRST_PART, source, next++);
    }
    for (int part = PREP_JPEG_COMPACT_FIRST_PART; part <= PREP_JPEG_COMPACT_SECOND_PART + 1; part++)
        if (prep_jpeg_compact_encoder_add_mcu_row(encoder, (prep_jpeg_compact_part)part, source->planes))
            fail("a row too many is accepted");
}

// Adds all rows, and writes the file. At another quality first if `quality_before` is not 0. Divides the rest before
// the row `division`. Returns no bytes if this processor does not have the instruction set.
static encoded encode(
    const source *source, int32_t quality, int32_t quality_before, uint32_t division,
    prep_jpeg_compact_instruction_set set) {
    struct source kept = *source;
    kept.image.keeps_coefficients = quality_before > 0;
    const prep_jpeg_compact_image image = kept.image;
    prep_jpeg_compact_encoder *encoder =
        prep_jpeg_compact_encoder_create(&image, quality_before > 0 ? quality_before : quality, set);
    encoded file = {NULL, 0};
    if (!encoder) return file;
    add_rows(encoder, &kept, division);
    if (prep_jpeg_compact_encoder_requantize(encoder, quality) != image.keeps_coefficients) fail("kept coefficients");
    if (!prep_jpeg_compact_encoder_write(encoder, NULL, 0, &file.bytes, &file.count)) fail("no file");
    prep_jpeg_compact_encoder_destroy(encoder);
    return file;
}

static void fail_on_error(j_common_ptr codec) {
    char message[JMSG_LENGTH_MAX];
    codec->err->format_message(codec, message);
    fail(message);
}

static void fail_on_warning(j_common_ptr codec, int level) {
    if (level < 0) fail_on_error(codec);
}

// Coefficients of all blocks with samples, in natural order, component after component.
typedef struct {
    int16_t values[3 * 12 * 12 * 64];
    uint16_t tables[COMPONENTS][64];
    size_t count;
} coefficients;

static void read_coefficients(encoded file, coefficients *out) {
    struct jpeg_decompress_struct codec;
    struct jpeg_error_mgr errors;
    codec.err = jpeg_std_error(&errors);
    errors.error_exit = fail_on_error;
    errors.emit_message = fail_on_warning;
    jpeg_create_decompress(&codec);
    jpeg_mem_src(&codec, file.bytes, file.count);
    jpeg_read_header(&codec, TRUE);
    jvirt_barray_ptr *arrays = jpeg_read_coefficients(&codec);
    out->count = 0;
    for (int c = 0; c < codec.num_components; c++) {
        const jpeg_component_info *info = &codec.comp_info[c];
        memcpy(out->tables[c], info->quant_table->quantval, sizeof out->tables[c]);
        for (JDIMENSION y = 0; y < info->height_in_blocks; y++) {
            JBLOCKARRAY row = codec.mem->access_virt_barray((j_common_ptr)&codec, arrays[c], y, 1, FALSE);
            memcpy(out->values + out->count, row[0], info->width_in_blocks * sizeof(JBLOCK));
            out->count += info->width_in_blocks * 64;
        }
    }
    jpeg_finish_decompress(&codec);
    jpeg_destroy_decompress(&codec);
}

// The level of the transform's output for a step, which is not in the tables: the nearest one.
static int32_t nearest_level(int32_t value, int32_t step) {
    const int32_t magnitude = (abs(value) + 4 * step) / (8 * step);
    return value < 0 ? -magnitude : magnitude;
}

// A coefficient that is not the nearest one is an AC coefficient that became smaller by 1.
static bool is_expected_level(int32_t level, int32_t nearest, int k) {
    return level == nearest || (k > 0 && abs(nearest) <= 2 && abs(level) == abs(nearest) - 1 && level * nearest >= 0);
}

// Checks a file's coefficients with those of the transform. `is_exact` for those of libjpeg, with steps of 1.
static void check_coefficients(const source *source, const coefficients *found, bool is_exact) {
    size_t index = 0;
    for (int32_t c = 0; c < source->image.component_count; c++) {
        const prep_jpeg_compact_rows *plane = &source->planes[c];
        for (uint32_t y = 0; y < plane->row_count; y += 8) {
            for (uint32_t x = 0; x < source->widths[c]; x += 8, index += 64) {
                const uint8_t *rows[8];
                int16_t block[64];
                for (uint32_t i = 0; i < 8; i++) {
                    const uint32_t row = y + i < plane->row_count ? y + i : plane->row_count - 1;
                    rows[i] = plane->samples + row * plane->stride + x;
                }
                prep_forward_dct_portable(rows, 1, block);
                for (int k = 0; k < 64; k++) {
                    const int natural = prep_encoder_zigzag[k], level = found->values[index + (size_t)natural];
                    const int32_t nearest = nearest_level(block[k], found->tables[c][natural]);
                    if (is_exact ? level != nearest : !is_expected_level(level, nearest, k)) fail("a coefficient");
                }
            }
        }
    }
    if (index != found->count) fail("the number of blocks");
    encoder_compared++;
}

// libjpeg's coefficients at quality 100 are those of the transform, divided by 8.
static void compare_transform_with_libjpeg(const source *source) {
    static coefficients found;
    const prep_jpeg_compact_image *image = &source->image;
    test_jpeg jpeg = {
        .width = image->width, .height = image->height, .component_count = image->component_count, .quality = 100,
        .color = image->component_count == 1 ? TEST_JPEG_GRAY : TEST_JPEG_YCBCR, .jfif = true,
        .horizontal = {1, 1, 1}, .vertical = {1, 1, 1}};
    if (image->component_count > 1) {
        jpeg.horizontal[0] = image->horizontal_sampling;
        jpeg.vertical[0] = image->vertical_sampling;
    }
    test_plane planes[COMPONENTS];
    for (int32_t c = 0; c < image->component_count; c++) {
        const prep_jpeg_compact_rows *plane = &source->planes[c];
        planes[c] = (test_plane){(uint8_t *)plane->samples, plane->stride, source->widths[c], plane->row_count};
    }
    encoded file;
    if (!test_jpeg_write(&jpeg, planes, &file.bytes, &file.count)) fail("libjpeg does not encode");
    read_coefficients(file, &found);
    check_coefficients(source, &found, true);
    test_free(file.bytes);
}

static void check_rejections(const source *source) {
    prep_jpeg_compact_image image = source->image;
    switch (random_below(6)) {
    case 0: image.width = random_once_in(2) ? 0 : PREP_JPEG_COMPACT_MAX_DIMENSION + 1; break;
    case 1: image.height = random_once_in(2) ? 0 : UINT32_MAX; break;
    case 2: image.component_count = random_once_in(2) ? 2 : 4; break;
    case 3: image.horizontal_sampling = random_once_in(2) ? 0 : 5; break;
    case 4: image.horizontal_sampling = 3, image.vertical_sampling = 3; break;
    case 5: image.vertical_sampling = random_once_in(2) ? -1 : 5; break;
    }
    if (prep_jpeg_compact_encoder_create(&image, 80, PREP_JPEG_COMPACT_PORTABLE)) fail("an invalid image is accepted");
    const int32_t quality = random_once_in(2) ? 0 : 101;
    if (prep_jpeg_compact_encoder_create(&source->image, quality, PREP_JPEG_COMPACT_PORTABLE))
        fail("an invalid quality is accepted");
}

uint64_t encoder_round(void) {
    static coefficients baseline, progressive;
    if (!areas[0].start) guarded_create(areas, COMPONENTS, AREA);
    source source = make_source();
    const int32_t quality = random_between(1, 100);
    const encoded expected = encode(&source, quality, 0, UINT32_MAX, PREP_JPEG_COMPACT_PORTABLE);
    for (int set = PREP_JPEG_COMPACT_PORTABLE; set <= PREP_JPEG_COMPACT_NEON; set++) {
        const int32_t quality_before = random_once_in(2) ? random_between(1, 100) : 0;
        const uint32_t division = random_below(4);
        const encoded file =
            encode(&source, quality, quality_before, division, (prep_jpeg_compact_instruction_set)set);
        if (!file.bytes) continue;
        if (file.count != expected.count || memcmp(file.bytes, expected.bytes, file.count) != 0) fail("another file");
        free(file.bytes);
    }
    read_coefficients(expected, &baseline);
    check_coefficients(&source, &baseline, false);
    source.image.is_progressive = !source.image.is_progressive;
    const encoded other = encode(&source, quality, 0, UINT32_MAX, PREP_JPEG_COMPACT_PORTABLE);
    read_coefficients(other, &progressive);
    if (baseline.count != progressive.count || memcmp(baseline.values, progressive.values, 2 * baseline.count) != 0)
        fail("progressive coefficients");
    free(other.bytes);
    free(expected.bytes);
    if (random_once_in(4)) compare_transform_with_libjpeg(&source);
    if (random_once_in(16)) check_rejections(&source);
    return 3 + encoder_kernel_round();
}
