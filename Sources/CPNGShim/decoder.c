#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "png_shim.h"

struct prep_png_decoder {
    png_structp png;
    png_infop info;
    jmp_buf jump_target;
    prep_png_error_report report;
    const uint8_t *bytes;
    size_t count;
    size_t position;
};

static void copy_message(char *target, const char *message) {
    strncpy(target, message ? message : "", PREP_PNG_MESSAGE_SIZE - 1);
}

static void on_error(png_structp png, png_const_charp message) {
    prep_png_decoder *decoder = png_get_error_ptr(png);
    decoder->report.has_failed = true;
    decoder->report.failure_offset = decoder->position;
    copy_message(decoder->report.failure_message, message);
    longjmp(decoder->jump_target, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    prep_png_decoder *decoder = png_get_error_ptr(png);
    if (decoder->report.has_warning) return;
    decoder->report.has_warning = true;
    decoder->report.warning_offset = decoder->position;
    copy_message(decoder->report.warning_message, message);
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    prep_png_decoder *decoder = png_get_io_ptr(png);
    if (count > decoder->count - decoder->position) {
        decoder->report.input_ended = true;
        png_error(png, "the file ends before its image data");
    }
    memcpy(target, decoder->bytes + decoder->position, count);
    decoder->position += count;
}

// Chunks that are not used. libpng skips them, so they are not inflated.
static const png_byte ignored_chunks[] =
    "bKGD\0cHRM\0eXIf\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";

prep_png_decoder *prep_png_decoder_create(void) {
    prep_png_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    if (setjmp(decoder->jump_target)) {
        prep_png_decoder_destroy(decoder);
        return NULL;
    }
    decoder->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, decoder, on_error, on_warning);
    decoder->info = decoder->png ? png_create_info_struct(decoder->png) : NULL;
    if (!decoder->info) {
        prep_png_decoder_destroy(decoder);
        return NULL;
    }
    png_set_read_fn(decoder->png, decoder, read_bytes);
    png_set_keep_unknown_chunks(
        decoder->png, PNG_HANDLE_CHUNK_NEVER, ignored_chunks, (int)(sizeof ignored_chunks / 5));
    return decoder;
}

void prep_png_decoder_destroy(prep_png_decoder *decoder) {
    png_destroy_read_struct(&decoder->png, &decoder->info, NULL);
    free(decoder);
}

const prep_png_error_report *prep_png_decoder_report(const prep_png_decoder *decoder) { return &decoder->report; }

static void set_input(prep_png_decoder *decoder, const uint8_t *bytes, size_t count) {
    decoder->bytes = bytes;
    decoder->count = count;
}

static int32_t declared_gamma(prep_png_decoder *decoder) {
    png_fixed_point gamma = 0;
    if (png_get_valid(decoder->png, decoder->info, PNG_INFO_iCCP | PNG_INFO_sRGB)) return 0;
    return png_get_gAMA_fixed(decoder->png, decoder->info, &gamma) ? gamma : 0;
}

static void read_icc_profile(prep_png_decoder *decoder, prep_png_header *header) {
    png_charp name;
    int method;
    png_bytep profile;
    png_uint_32 count;
    if (!png_get_iCCP(decoder->png, decoder->info, &name, &method, &profile, &count)) return;
    header->icc_profile = profile;
    header->icc_byte_count = count;
}

bool prep_png_decoder_read_header(
    prep_png_decoder *decoder, const uint8_t *bytes, size_t count,
    size_t max_chunk_bytes, uint32_t max_chunk_count, bool reads_small_pieces, prep_png_header *header) {
    if (setjmp(decoder->jump_target)) return false;
    set_input(decoder, bytes, count);
    png_structp png = decoder->png;
    png_infop info = decoder->info;
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // the caller has checked its own limits
    if (reads_small_pieces) png_set_compression_buffer_size(png, 64);
    png_set_chunk_malloc_max(png, max_chunk_bytes);
    png_set_chunk_cache_max(png, max_chunk_count);
    png_read_info(png, info);
    memset(header, 0, sizeof *header);
    header->width = png_get_image_width(png, info);
    header->height = png_get_image_height(png, info);
    header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    header->file_gamma = declared_gamma(decoder);
    read_icc_profile(decoder, header);

    png_set_expand(png);   // palette to RGB, 1, 2 and 4 bits to 8, tRNS to alpha
    png_set_scale_16(png); // 16 bits to 8, with rounding
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    header->channel_count = png_get_channels(png, info);
    return true;
}

bool prep_png_decoder_read_rows(
    prep_png_decoder *decoder, const uint8_t *bytes, size_t count,
    uint8_t *rows, size_t stride, uint32_t row_count) {
    if (setjmp(decoder->jump_target)) return false;
    set_input(decoder, bytes, count);
    for (uint32_t y = 0; y < row_count; y++) png_read_row(decoder->png, rows + y * stride, NULL);
    return true;
}

bool prep_png_decoder_finish(prep_png_decoder *decoder, const uint8_t *bytes, size_t count) {
    if (setjmp(decoder->jump_target)) return false;
    set_input(decoder, bytes, count);
    png_read_end(decoder->png, NULL);
    return true;
}
