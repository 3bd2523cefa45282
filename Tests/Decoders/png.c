// Tests the fast PNG decoder and the shim over libpng.
#include <string.h>

#include "png_fast_decoder.h"
#include "png_maker.h"
#include "png_shim.h"
#include "support.h"
#include "unfilter.h"

enum { AREA = 1 << 16, MAX_BATCH = 32, CHANGES = 30 };

uint64_t png_compared;

static guarded shim_area;
static moving_file file;

// Finds the image data of a file for the fast decoder, with the rules of PNGFastDecoder.swift.
static bool find_image_data(const uint8_t *bytes, size_t count, size_t *start, size_t *end) {
    if (count < 33 || bytes[24] != 8 || (bytes[25] != 2 && bytes[25] != 6) || bytes[28] != 0) return false;
    *start = 0;
    for (size_t position = 8; count - position >= 12;) {
        const uint32_t length = png_number(bytes + position);
        const uint8_t *type = bytes + position + 4;
        if (length > count - position - 12) return false;
        if (memcmp(type, "IDAT", 4) == 0) {
            if (*start == 0) *start = position;
        } else if (memcmp(type, "IEND", 4) == 0) {
            *end = position;
            return *start > 0 && length == 0 && png_number(type + 4) == 0xAE426082;
        } else if (*start > 0 || memcmp(type, "tRNS", 4) == 0) {
            return false;
        }
        position += 12 + (size_t)length;
    }
    return false;
}

// Returns whether the fast decoder decodes the file to its end; `pixels` then has all rows.
static bool read_fast(const prep_png_header *header, uint8_t *pixels) {
    size_t start, end;
    if (!prep_png_fast_decoder_is_available() || !find_image_data(file.bytes, file.count, &start, &end)) return false;
    const size_t row_bytes = (size_t)header->width * (size_t)header->channel_count;
    const uint32_t batch = 1 + random_below(MAX_BATCH);
    const prep_png_fast_image image = {row_bytes, header->channel_count, batch, start, end};
    const bool has_avx2 = prep_png_unfilter_kernel(PREP_PNG_FAST_AVX2) != NULL;
    prep_png_fast_decoder *decoder = prep_png_fast_decoder_create(
        &image, has_avx2 && random_once_in(2) ? PREP_PNG_FAST_AVX2 : PREP_PNG_FAST_PORTABLE);
    if (!decoder) fail("no memory");
    bool is_read = true;
    for (uint32_t y = 0; is_read && y < header->height;) {
        const uint32_t rest = header->height - y, most = rest < batch ? rest : batch, count = 1 + random_below(most);
        is_read = prep_png_fast_decoder_inflate_rows(decoder, moving_file_move(&file), count);
        for (const uint32_t end = y + count; is_read && y < end; y++) {
            const uint8_t *row = prep_png_fast_decoder_next_row(decoder);
            is_read = row != NULL;
            if (row) memcpy(pixels + y * row_bytes, row, row_bytes);
        }
        if (is_read && prep_png_fast_decoder_next_row(decoder)) fail("PNG: more rows than were inflated");
    }
    is_read = is_read && prep_png_fast_decoder_has_consumed_all(decoder, moving_file_move(&file));
    prep_png_fast_decoder_destroy(decoder);
    return is_read;
}

// Decodes all rows with libpng, `stride` bytes apart.
static const uint8_t *read_by_shim(prep_png_decoder *decoder, const prep_png_header *header, size_t stride) {
    const size_t row_bytes = (size_t)header->width * (size_t)header->channel_count;
    uint8_t *rows = guarded_place(&shim_area, (header->height - 1) * stride + row_bytes);
    for (int pass = 0; pass < (header->is_interlaced ? 7 : 1); pass++) {
        for (uint32_t y = 0; y < header->height;) {
            const uint32_t rest = header->height - y, some = 1 + random_below(rest);
            const uint32_t count = header->is_interlaced ? rest : some;
            const uint8_t *bytes = moving_file_move(&file);
            if (!prep_png_decoder_read_rows(decoder, bytes, file.count, rows + y * stride, stride, count)) return NULL;
            y += count;
        }
    }
    return prep_png_decoder_finish(decoder, moving_file_move(&file), file.count) ? rows : NULL;
}

// The exception that png_fast_decoder.h documents. Encoders do not write it.
static bool has_incomplete_distances(const prep_png_error_report *report) {
    return strstr(report->failure_message, "invalid distances set") != NULL;
}

static void compare(const prep_png_header *header, const uint8_t *pixels, const uint8_t *rows, size_t stride) {
    const size_t row_bytes = (size_t)header->width * (size_t)header->channel_count;
    if (!rows) fail("PNG: libpng doesn't read what the fast reader does");
    for (uint32_t y = 0; y < header->height; y++) {
        if (memcmp(pixels + y * row_bytes, rows + y * stride, row_bytes) != 0) fail("PNG: other bytes than libpng's");
    }
    png_compared++;
}

static void run_stream(const uint8_t *bytes, size_t count, bool is_changed) {
    static uint8_t pixels[AREA];
    moving_file_set(&file, bytes, count);
    prep_png_decoder *decoder = prep_png_decoder_create();
    prep_png_header header;
    if (!decoder) fail("no memory");
    const bool is_read = prep_png_decoder_read_header(
        decoder, file.bytes, count, 4096, 1000, random_once_in(4), &header);
    if (!is_read && !is_changed) fail("PNG: libpng refuses a valid header");
    if (is_read && header.width <= AREA / 8 && header.height <= AREA / 8
        && header.height * ((size_t)header.width * (size_t)header.channel_count + 24) <= AREA) {
        const bool is_fast = read_fast(&header, pixels);
        if (is_fast || !is_changed || random_once_in(4)) {
            const size_t row_bytes = (size_t)header.width * (size_t)header.channel_count;
            const size_t stride = row_bytes + random_below(2) * random_below(24);
            const uint8_t *rows = read_by_shim(decoder, &header, stride);
            if (!rows && !is_changed) fail("PNG: libpng refuses a valid image");
            const bool is_exception = is_changed && !rows && has_incomplete_distances(prep_png_decoder_report(decoder));
            if (is_fast && !is_exception) compare(&header, pixels, rows, stride);
        }
    }
    prep_png_decoder_destroy(decoder);
}

uint64_t png_round(void) {
    static png_parts original, changed;
    static uint8_t stream[PNG_STREAM];
    if (!shim_area.start) guarded_create(&shim_area, 1, AREA);
    png_make(&original);
    run_stream(stream, png_join(&original, stream), false);
    for (int i = 0; i < CHANGES; i++) {
        changed = original;
        size_t count;
        switch (random_below(5)) {
        case 0: // anything, without the right checksums
            count = mutate(stream, png_join(&changed, stream), PNG_STREAM);
            run_stream(stream, count, true);
            continue;
        case 1: png_make_wrong_rows(&changed); break;
        case 2: png_change_window(&changed); break;
        default: changed.data_count = mutate(changed.data, changed.data_count, sizeof changed.data); break;
        }
        run_stream(stream, png_join(&changed, stream), true);
    }
    return 1 + CHANGES;
}
