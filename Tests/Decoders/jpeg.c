// Tests the fast JPEG decoder, the shim over libjpeg, and the encoder.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "inverse_dct.h"
#include "jpeg_file.h"
#include "jpeg_shim.h"
#include "support.h"
#include "test_images.h"

enum { LARGEST_SIDE = 72, PLANE = 128 * 128, AREA = 1 << 16, STREAM = 1 << 17, CHANGES = 30 };

uint64_t jpeg_compared;

static guarded fast_areas[MAX_AREAS], shim_areas[MAX_AREAS], source_areas[MAX_AREAS];
static moving_file file, scans_file; // the second ends where the last scan does
static jpeg_description description;
static bool is_half_size; // of the current stream
static bool has_chroma_means; // whether blocks of chroma are decoded to one sample

// The rows of a component in complete MCU rows, in one of the areas.
typedef struct {
    uint8_t *samples;
    size_t width, rows, stride;
} plane;

typedef struct {
    plane planes[MAX_AREAS];
    uint32_t batches;
} decoded;

enum { GAP = 0x5A };

static size_t block_size(const prep_jpeg_header *header, int32_t c) {
    if (has_chroma_means && c > 0) return 1;
    return is_half_size ? (size_t)header->components[c].half_size_block_size : 8;
}

// Places the planes of an image. Returns false if they are too large.
static bool place_planes(const prep_jpeg_header *header, guarded *areas, decoded *out) {
    int32_t down = 1;
    for (int32_t c = 0; c < header->component_count; c++) {
        if (header->components[c].vertical_sampling > down) down = header->components[c].vertical_sampling;
    }
    out->batches = (header->height + 8 * (uint32_t)down - 1) / (8 * (uint32_t)down);
    const size_t wider = random_below(2) * random_below(24);
    for (int32_t c = 0; c < header->component_count; c++) {
        plane *plane = &out->planes[c];
        plane->width = (size_t)header->components[c].blocks_per_row * block_size(header, c);
        plane->stride = plane->width + wider;
        plane->rows = (size_t)out->batches * (size_t)header->components[c].vertical_sampling * block_size(header, c);
        if (plane->rows * plane->stride > AREA) return false;
    }
    for (int32_t c = 0; c < header->component_count; c++) {
        plane *plane = &out->planes[c];
        const size_t count = (plane->rows - 1) * plane->stride + plane->width;
        plane->samples = guarded_place(&areas[c], count);
        memset(plane->samples, GAP, count);
    }
    return true;
}

static void next_batch(
    const prep_jpeg_header *header, const decoded *decoded, uint32_t batch, size_t *offsets, size_t *strides) {
    for (int32_t c = 0; c < header->component_count; c++) {
        const plane *plane = &decoded->planes[c];
        const size_t row = (size_t)batch * (size_t)header->components[c].vertical_sampling * block_size(header, c);
        offsets[c] = (size_t)(plane->samples - decoded->planes[0].samples) + row * plane->stride;
        strides[c] = plane->stride;
    }
}

static void check_gaps(const prep_jpeg_header *header, const decoded *decoded) {
    for (int32_t c = 0; c < header->component_count; c++) {
        const plane *plane = &decoded->planes[c];
        for (size_t y = 0; y + 1 < plane->rows; y++) {
            for (size_t x = plane->width; x < plane->stride; x++) {
                if (plane->samples[y * plane->stride + x] != GAP) fail("JPEG: a decoder wrote between two rows");
            }
        }
    }
}

static bool has_avx2(void) { return prep_inverse_dct_kernels(PREP_JPEG_FAST_AVX2, 8) != NULL; }

typedef struct {
    prep_jpeg_fast_decoder *decoder;
    const uint8_t *bytes;
} parsing;

static void *parse_ahead(void *argument) {
    const parsing *parsing = argument;
    prep_jpeg_fast_decoder_parse_ahead(parsing->decoder, parsing->bytes);
    return NULL;
}

// Returns whether the fast decoder decodes the file to its end. In half of the cases another thread parses some or all
// of the rows.
static bool decode_fast(const prep_jpeg_header *header, prep_jpeg_fast_instruction_set set, decoded *out) {
    if (!prep_jpeg_fast_decoder_is_available()) return false;
    if (!jpeg_describe(file.bytes, file.count, header, is_half_size, &description)) return false;
    if (description.width != header->width || description.height != header->height) {
        fail("JPEG: libjpeg finds another size");
    }
    for (int32_t c = 1; has_chroma_means && c < header->component_count; c++)
        description.image.components[c].block_size = 1;
    if (!place_planes(header, fast_areas, out)) return false;
    prep_jpeg_fast_decoder *decoder = prep_jpeg_fast_decoder_create(
        &description.image, description.scans, description.scan_count, set);
    if (!decoder) return false;
    moving_file_set(&scans_file, file.bytes, description.scans[description.scan_count - 1].data_end);
    parsing parsing = {decoder, scans_file.bytes};
    pthread_t thread;
    const uint32_t first_parsed_ahead = random_below(2 * out->batches);
    bool is_read = true, has_thread = false;
    for (uint32_t batch = 0; is_read && batch < out->batches; batch++) {
        size_t offsets[MAX_AREAS], strides[MAX_AREAS];
        next_batch(header, out, batch, offsets, strides);
        if (batch == first_parsed_ahead && prep_jpeg_fast_decoder_begin_parsing_ahead(decoder)) {
            parsing.bytes = moving_file_move(&scans_file);
            has_thread = pthread_create(&thread, NULL, parse_ahead, &parsing) == 0;
            if (!has_thread) prep_jpeg_fast_decoder_cancel_parsing_ahead(decoder);
        }
        // The other thread keeps the address.
        const uint8_t *bytes = has_thread ? parsing.bytes : moving_file_move(&scans_file);
        is_read = prep_jpeg_fast_decoder_read_mcu_row(decoder, bytes, out->planes[0].samples, offsets, strides);
    }
    is_read = is_read && prep_jpeg_fast_decoder_has_consumed_all(decoder);
    prep_jpeg_fast_decoder_destroy(decoder);
    if (has_thread) pthread_join(thread, NULL);
    check_gaps(header, out);
    return is_read;
}

static bool decode_by_shim(prep_jpeg_decoder *decoder, const prep_jpeg_header *header, decoded *out) {
    if (!place_planes(header, shim_areas, out)) return false;
    bool is_read = prep_jpeg_decoder_start(
        decoder, moving_file_move(&file), file.count, is_half_size, 1 << 24, 100);
    for (uint32_t batch = 0; is_read && batch < out->batches; batch++) {
        size_t offsets[MAX_AREAS], strides[MAX_AREAS];
        next_batch(header, out, batch, offsets, strides);
        is_read = prep_jpeg_decoder_read_mcu_row(
            decoder, moving_file_move(&file), file.count, out->planes[0].samples, offsets, strides);
    }
    if (is_read) prep_jpeg_decoder_finish(decoder, moving_file_move(&file), file.count);
    check_gaps(header, out);
    return is_read;
}

static void compare_component(const prep_jpeg_header *header, int32_t c, const decoded *fast, const decoded *shim) {
    const size_t rows = (size_t)description.image.components[c].block_row_count * block_size(header, c);
    for (size_t y = 0; y < rows; y++) {
        const uint8_t *left = fast->planes[c].samples + y * fast->planes[c].stride;
        const uint8_t *right = shim->planes[c].samples + y * shim->planes[c].stride;
        if (memcmp(left, right, fast->planes[c].width) != 0) fail("JPEG: other samples than libjpeg's");
    }
}

// libjpeg decodes everything that the fast decoder decodes, with the same samples and no warning.
static void compare(
    const prep_jpeg_header *header, const decoded *fast, const decoded *shim, const prep_jpeg_error_report *before,
    const prep_jpeg_error_report *after) {
    for (int i = 0; i < PREP_JPEG_DIAGNOSTIC_KIND_COUNT; i++) {
        if (before->diagnostics[i].occurred != after->diagnostics[i].occurred) fail("JPEG: libjpeg alone complains");
    }
    for (int32_t c = 0; c < header->component_count; c++) compare_component(header, c, fast, shim);
    jpeg_compared++;
}

// Decodes chroma to one sample a block. That rejects no file that is decoded otherwise, and leaves luma as it is.
static void check_chroma_means(const prep_jpeg_header *header, bool is_fast, const decoded *shim) {
    decoded means;
    has_chroma_means = true;
    const bool is_read = decode_fast(header, PREP_JPEG_FAST_PORTABLE, &means);
    has_chroma_means = false;
    if (is_fast && !is_read) fail("JPEG: with chroma of means, the decoder rejects the file");
    if (is_fast) compare_component(header, 0, &means, shim);
}

static void run_stream(const uint8_t *bytes, size_t count, bool is_changed) {
    moving_file_set(&file, bytes, count);
    is_half_size = random_once_in(2);
    prep_jpeg_decoder *decoder = prep_jpeg_decoder_create();
    prep_jpeg_header header = {0};
    if (!decoder) fail("no memory");
    if (prep_jpeg_decoder_read_header(decoder, file.bytes, count, &header)
        && header.width <= 4096 && header.height <= 4096) {
        const prep_jpeg_error_report before = *prep_jpeg_decoder_report(decoder);
        decoded fast, shim;
        const bool is_fast = decode_fast(&header, PREP_JPEG_FAST_PORTABLE, &fast);
        if (is_fast || !is_changed || random_once_in(4)) {
            const bool is_read = decode_by_shim(decoder, &header, &shim);
            if (is_fast && !is_read) fail("JPEG: libjpeg doesn't read what the fast decoder does");
            if (!is_read && !is_changed) fail("JPEG: libjpeg doesn't read what it wrote");
            if (is_fast) compare(&header, &fast, &shim, &before, prep_jpeg_decoder_report(decoder));
            if (has_avx2() && decode_fast(&header, PREP_JPEG_FAST_AVX2, &fast) != is_fast)
                fail("JPEG: AVX2 decides differently");
            if (has_avx2() && is_fast) compare(&header, &fast, &shim, &before, prep_jpeg_decoder_report(decoder));
            check_chroma_means(&header, is_fast, &shim);
        }
    }
    prep_jpeg_decoder_destroy(decoder);
}

// Fills a plane with a slope and noise, including the padding to complete blocks.
static void fill_plane(uint8_t *samples, size_t width, size_t rows, size_t stride) {
    static const uint32_t amplitudes[] = {1, 4, 30, 120, 256};
    const uint32_t amplitude = amplitudes[random_below(5)], across = random_below(8), down = random_below(8);
    for (size_t y = 0; y < rows; y++) {
        for (size_t x = 0; x < width; x++) {
            samples[y * stride + x] = (uint8_t)(x * across + y * down + random_below(amplitude));
        }
    }
}

// Makes a scan script that covers all coefficients in bands, and may send low bits in later scans.
static int32_t make_script(int32_t components, test_jpeg_scan *scans) {
    int32_t count = 0;
    const int32_t dc = random_between(0, 2), ac = random_between(0, 2), middle = random_between(1, 63);
    scans[count++] = (test_jpeg_scan){components, {0, 1, 2}, 0, 0, 0, dc};
    for (int32_t bits = ac; bits >= 0; bits--) {
        for (int32_t c = 0; c < components; c++) {
            const int32_t high = bits == ac ? 0 : bits + 1;
            scans[count++] = (test_jpeg_scan){1, {c}, 1, middle, high, bits};
            if (middle < 63) scans[count++] = (test_jpeg_scan){1, {c}, middle + 1, 63, high, bits};
        }
    }
    for (int32_t bits = dc - 1; bits >= 0; bits--) {
        scans[count++] = (test_jpeg_scan){components, {0, 1, 2}, 0, 0, bits + 1, bits};
    }
    return count;
}

// Encodes a file with libjpeg. Returns 0 if libjpeg rejects the parameters.
static size_t make_by_libjpeg(uint8_t *stream) {
    static uint8_t samples[4][PLANE];
    const test_jpeg_color colors[] = {TEST_JPEG_GRAY, TEST_JPEG_YCBCR, TEST_JPEG_YCBCR, TEST_JPEG_CMYK};
    const int32_t counts[] = {1, 3, 3, 4};
    const uint32_t kind = random_once_in(8) ? 3 : random_below(3);
    test_jpeg_scan scans[MAX_SCANS];
    test_jpeg jpeg = {
        .width = 1 + random_below(LARGEST_SIDE), .height = 1 + random_below(LARGEST_SIDE), .color = colors[kind],
        .component_count = counts[kind], .quality = random_between(1, 100), .jfif = kind < 3, .adobe = kind == 3,
        .progressive = random_once_in(2), .arithmetic = random_once_in(16),
        .restart_interval = random_once_in(3) ? random_between(1, 9) : 0};
    int32_t across = 1, down = 1;
    for (int32_t c = 0; c < jpeg.component_count; c++) {
        const bool is_lone = jpeg.component_count == 1;
        jpeg.horizontal[c] = is_lone ? 1 : random_between(1, c == 0 ? 4 : 2);
        jpeg.vertical[c] = is_lone ? 1 : random_between(1, c == 0 ? 4 : 2);
        if (jpeg.horizontal[c] > across) across = jpeg.horizontal[c];
        if (jpeg.vertical[c] > down) down = jpeg.vertical[c];
    }
    if (jpeg.progressive && kind < 3 && random_once_in(2)) {
        jpeg.scan_count = make_script(jpeg.component_count, scans);
        jpeg.scans = scans;
    }
    test_plane planes[4];
    for (int32_t c = 0; c < jpeg.component_count; c++) {
        const uint32_t width = (jpeg.width * (uint32_t)jpeg.horizontal[c] + (uint32_t)across - 1) / (uint32_t)across;
        const uint32_t rows = (jpeg.height * (uint32_t)jpeg.vertical[c] + (uint32_t)down - 1) / (uint32_t)down;
        planes[c] = (test_plane){samples[c], (width + 7) / 8 * 8, width, rows};
        fill_plane(samples[c], planes[c].stride, rows, planes[c].stride);
    }
    uint8_t *output = NULL;
    size_t count = 0;
    if (!test_jpeg_write(&jpeg, planes, &output, &count)) return 0;
    if (count > STREAM / 2) count = 0;
    memcpy(stream, output, count);
    test_free(output);
    return count;
}

// Encodes a file with the shim's encoder from planes that end at protected pages.
static size_t make_by_shim(uint8_t *stream) {
    static prep_jpeg_encoder *encoder;
    if (!encoder && !(encoder = prep_jpeg_encoder_create())) fail("no memory");
    uint8_t profile[400];
    random_fill(profile, sizeof profile);
    const int32_t reductions[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {4, 2}};
    const int32_t *reduction = reductions[random_below(6)];
    prep_jpeg_encoder_parameters parameters = {
        .width = 1 + random_below(LARGEST_SIDE), .height = 1 + random_below(LARGEST_SIDE),
        .component_count = random_once_in(3) ? 1 : 3,
        .horizontal_sampling = reduction[0], .vertical_sampling = reduction[1],
        .quality = random_between(1, 100), .is_progressive = random_once_in(2), .icc_profile = profile,
        .icc_byte_count = random_once_in(2) ? random_below(sizeof profile) : 0};
    prep_jpeg_plane planes[3];
    for (int32_t c = 0; c < parameters.component_count; c++) {
        const uint32_t across = c == 0 ? 1 : (uint32_t)reduction[0], down = c == 0 ? 1 : (uint32_t)reduction[1];
        const size_t width = ((parameters.width + across - 1) / across + 7) / 8 * 8;
        const size_t stride = width + random_below(2) * random_below(24);
        const uint32_t rows = (parameters.height + down - 1) / down;
        uint8_t *samples = guarded_place(&source_areas[c], (rows - 1) * stride + width);
        fill_plane(samples, width, rows, stride);
        planes[c] = (prep_jpeg_plane){samples, stride, rows};
    }
    uint8_t *output = NULL;
    size_t count = 0;
    if (!prep_jpeg_encoder_encode(encoder, &parameters, planes, &output, &count)) {
        fail("JPEG: an image can't be encoded");
    }
    const bool fits = count <= STREAM / 2;
    if (fits) memcpy(stream, output, count);
    free(output);
    return fits ? count : 0;
}

// Changes the headers, or the data from the first scan to the end of image, or all.
static size_t change_stream(uint8_t *stream, size_t count, size_t data) {
    if (data == 0 || data + 2 >= count || random_once_in(4)) return mutate(stream, count, STREAM);
    if (random_once_in(3)) {
        for (uint32_t times = 1 + random_below(3); times > 0; times--) {
            const uint8_t bits = (uint8_t)(random_once_in(2) ? random_bits() : 1u << random_below(8));
            stream[random_below((uint32_t)data)] ^= bits;
        }
        return count;
    }
    const size_t changed = data + mutate(stream + data, count - data - 2, STREAM - data - 2);
    stream[changed] = 0xFF;
    stream[changed + 1] = 0xD9;
    return changed + 2;
}

uint64_t jpeg_round(void) {
    static uint8_t original[STREAM], stream[STREAM];
    if (!fast_areas[0].start) {
        guarded_create(fast_areas, MAX_AREAS, AREA);
        guarded_create(shim_areas, MAX_AREAS, AREA);
        guarded_create(source_areas, MAX_AREAS, AREA);
    }
    const size_t count = random_once_in(4) ? make_by_shim(original) : make_by_libjpeg(original);
    if (count == 0) return 0;
    run_stream(original, count, false);
    const size_t data = jpeg_first_scan_data(original, count);
    for (int i = 0; i < CHANGES; i++) {
        memcpy(stream, original, count);
        run_stream(stream, change_stream(stream, count, data), true);
    }
    return 1 + CHANGES;
}
