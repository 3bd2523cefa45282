#include <stdlib.h>
#include <string.h>

#include "error_report.h"

struct prep_jpeg_decoder {
    struct jpeg_decompress_struct codec;
    prep_jpeg_error_manager errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    int max_scans;
    const uint8_t *bytes;
    size_t count;
    size_t input_window_end;  // the end in the file of the bytes that libjpeg was given
    size_t next_input_offset; // the offset of libjpeg's next byte, valid between calls
};

// libjpeg is given the file in windows of this size. With 512 bytes for each block of an MCU in the buffer, it would
// decode baseline data on a fast path that ignores invalid codes, and damage must be detected. Files without anomalies
// are decoded by JPEGFastDecoder before.
enum { INPUT_WINDOW_BYTES = 511 };

// The bytes after the end of the source, with which libjpeg ends the image.
static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};

static void update_input_offset(prep_jpeg_decoder *decoder) {
    decoder->errors.input_offset =
        decoder->errors.input_ended ? decoder->count : decoder->input_window_end - decoder->source.bytes_in_buffer;
}

// Gives libjpeg the bytes from `position` on, up to the size of a window.
static void supply_input_window(prep_jpeg_decoder *decoder, size_t position) {
    const size_t remaining = decoder->count - position,
                 size = remaining < INPUT_WINDOW_BYTES ? remaining : INPUT_WINDOW_BYTES;
    decoder->source.next_input_byte = decoder->bytes + position;
    decoder->source.bytes_in_buffer = size;
    decoder->input_window_end = position + size;
}

static boolean fill_input_buffer(j_decompress_ptr codec) {
    prep_jpeg_decoder *decoder = codec->client_data;
    if (decoder->input_window_end < decoder->count) {
        supply_input_window(decoder, decoder->input_window_end);
        return TRUE;
    }
    decoder->errors.input_ended = true;
    update_input_offset(decoder);
    WARNMS(codec, JWRN_JPEG_EOF);
    codec->src->next_input_byte = end_of_image;
    codec->src->bytes_in_buffer = sizeof end_of_image;
    return TRUE;
}

static void skip_input_data(j_decompress_ptr codec, long count) {
    if (count <= 0) return;
    prep_jpeg_decoder *decoder = codec->client_data;
    if (decoder->errors.input_ended) return;
    const size_t position = decoder->input_window_end - decoder->source.bytes_in_buffer;
    const size_t remaining = decoder->count - position;
    supply_input_window(decoder, (size_t)count < remaining ? position + (size_t)count : decoder->count);
    if ((size_t)count > remaining) fill_input_buffer(codec);
}

static void do_nothing(j_decompress_ptr codec) { (void)codec; }

// Records libjpeg's position before a message is recorded.
static void emit_message_with_offset(j_common_ptr codec, int level) {
    update_input_offset(codec->client_data);
    prep_jpeg_emit_message(codec, level);
}

static void error_exit_with_offset(j_common_ptr codec) {
    update_input_offset(codec->client_data);
    prep_jpeg_error_exit(codec);
}

// The progress callback, called for every row of MCUs that is read.
static void enforce_scan_limit(j_common_ptr codec) {
    prep_jpeg_decoder *decoder = codec->client_data;
    if (decoder->codec.input_scan_number <= decoder->max_scans) return;
    update_input_offset(decoder);
    prep_jpeg_error_report *report = &decoder->errors.report;
    report->failure_kind = PREP_JPEG_FAILURE_TOO_MANY_SCANS;
    report->offset = decoder->errors.input_offset;
    snprintf(report->message, sizeof report->message, "more than %d scans", decoder->max_scans);
    longjmp(decoder->errors.jump_target, 1);
}

prep_jpeg_decoder *prep_jpeg_decoder_create(void) {
    prep_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->codec.err = prep_jpeg_error_manager_init(&decoder->errors);
    if (setjmp(decoder->errors.jump_target)) {
        prep_jpeg_decoder_destroy(decoder);
        return NULL;
    }
    jpeg_create_decompress(&decoder->codec);
    decoder->errors.base.emit_message = emit_message_with_offset;
    decoder->errors.base.error_exit = error_exit_with_offset;
    decoder->codec.client_data = decoder;
    decoder->source.init_source = do_nothing;
    decoder->source.fill_input_buffer = fill_input_buffer;
    decoder->source.skip_input_data = skip_input_data;
    decoder->source.resync_to_restart = jpeg_resync_to_restart;
    decoder->source.term_source = do_nothing;
    decoder->codec.src = &decoder->source;
    decoder->progress.progress_monitor = enforce_scan_limit;
    return decoder;
}

void prep_jpeg_decoder_destroy(prep_jpeg_decoder *decoder) {
    jpeg_destroy_decompress(&decoder->codec);
    free(decoder);
}

const prep_jpeg_error_report *prep_jpeg_decoder_report(const prep_jpeg_decoder *decoder) {
    return &decoder->errors.report;
}

// Points the source at the same position in bytes that may have moved. After the end it stays at `end_of_image`.
static void set_input(prep_jpeg_decoder *decoder, const uint8_t *bytes, size_t count) {
    decoder->bytes = bytes;
    decoder->count = count;
    if (!decoder->errors.input_ended) supply_input_window(decoder, decoder->next_input_offset);
}

static void save_input_offset(prep_jpeg_decoder *decoder) {
    if (!decoder->errors.input_ended)
        decoder->next_input_offset = decoder->input_window_end - decoder->source.bytes_in_buffer;
}

static prep_jpeg_color_model color_model_of(J_COLOR_SPACE space) {
    switch (space) {
    case JCS_GRAYSCALE: return PREP_JPEG_COLOR_GRAY;
    case JCS_YCbCr: return PREP_JPEG_COLOR_YCBCR;
    case JCS_RGB: return PREP_JPEG_COLOR_RGB;
    case JCS_CMYK: return PREP_JPEG_COLOR_CMYK;
    case JCS_YCCK: return PREP_JPEG_COLOR_YCCK;
    default: return PREP_JPEG_COLOR_OTHER;
    }
}

// The samples in a row of a block. libjpeg uses the same number in both directions; later versions of the interface
// have two fields for it.
static int32_t block_size_of(const jpeg_component_info *info) {
#if JPEG_LIB_VERSION >= 70
    return info->DCT_h_scaled_size;
#else
    return info->DCT_scaled_size;
#endif
}

// Sets the scale, and the sizes of blocks that follow from it.
static void set_scale(struct jpeg_decompress_struct *codec, bool is_half_size) {
    codec->scale_num = 1;
    codec->scale_denom = is_half_size ? 2 : 1;
    jpeg_calc_output_dimensions(codec);
}

bool prep_jpeg_decoder_read_header(
    prep_jpeg_decoder *decoder, const uint8_t *bytes, size_t count, prep_jpeg_header *header) {
    if (setjmp(decoder->errors.jump_target)) return false;
    set_input(decoder, bytes, count);
    jpeg_read_header(&decoder->codec, TRUE);
    const struct jpeg_decompress_struct *codec = &decoder->codec;
    if (codec->data_precision != 8) ERREXIT1(&decoder->codec, JERR_BAD_PRECISION, codec->data_precision);
    if (codec->num_components > PREP_JPEG_MAX_COMPONENTS) {
        ERREXIT2(&decoder->codec, JERR_COMPONENT_COUNT, codec->num_components, PREP_JPEG_MAX_COMPONENTS);
    }
    header->width = codec->image_width;
    header->height = codec->image_height;
    header->color_model = color_model_of(codec->jpeg_color_space);
    header->has_adobe_marker = codec->saw_Adobe_marker;
    header->component_count = codec->num_components;
    set_scale(&decoder->codec, true);
    for (int c = 0; c < codec->num_components; c++) {
        const jpeg_component_info *info = &codec->comp_info[c];
        header->components[c] = (prep_jpeg_component){
            info->h_samp_factor, info->v_samp_factor, (int32_t)info->width_in_blocks, block_size_of(info)};
    }
    const JQUANT_TBL *table = codec->quant_tbl_ptrs[codec->comp_info[0].quant_tbl_no & (NUM_QUANT_TBLS - 1)];
    for (int i = 0; i < DCTSIZE2; i++) header->first_quantization_table[i] = table ? table->quantval[i] : 0;
    save_input_offset(decoder);
    return true;
}

bool prep_jpeg_decoder_start(
    prep_jpeg_decoder *decoder, const uint8_t *bytes, size_t count, bool is_half_size, long max_memory,
    int max_scans) {
    if (setjmp(decoder->errors.jump_target)) return false;
    set_input(decoder, bytes, count);
    set_scale(&decoder->codec, is_half_size);
    decoder->max_scans = max_scans;
    decoder->codec.progress = &decoder->progress;
    decoder->codec.mem->max_memory_to_use = max_memory;
    decoder->codec.raw_data_out = TRUE;
    decoder->codec.dct_method = JDCT_ISLOW; // the only method with bit-identical SIMD and scalar code
    decoder->codec.do_block_smoothing = FALSE; // would invent detail in a truncated progressive file
    jpeg_start_decompress(&decoder->codec);
    save_input_offset(decoder);
    return true;
}

bool prep_jpeg_decoder_read_mcu_row(
    prep_jpeg_decoder *decoder, const uint8_t *bytes, size_t count,
    uint8_t *rows, const size_t *offsets, const size_t *strides) {
    JSAMPROW pointers[PREP_JPEG_MAX_COMPONENTS][MAX_SAMP_FACTOR * DCTSIZE];
    JSAMPARRAY planes[PREP_JPEG_MAX_COMPONENTS];
    struct jpeg_decompress_struct *codec = &decoder->codec;
    for (int c = 0; c < codec->num_components; c++) {
        planes[c] = pointers[c];
        for (int y = 0; y < codec->comp_info[c].v_samp_factor * block_size_of(&codec->comp_info[c]); y++) {
            pointers[c][y] = rows + offsets[c] + (size_t)y * strides[c];
        }
    }
    if (setjmp(decoder->errors.jump_target)) return false;
    set_input(decoder, bytes, count);
    const JDIMENSION lines = jpeg_read_raw_data(codec, planes, MAX_SAMP_FACTOR * DCTSIZE); // at most a row of MCUs
    save_input_offset(decoder);
    return lines > 0;
}

void prep_jpeg_decoder_finish(prep_jpeg_decoder *decoder, const uint8_t *bytes, size_t count) {
    prep_jpeg_error_report *report = &decoder->errors.report;
    if (setjmp(decoder->errors.jump_target)) {
        prep_jpeg_diagnostic *irregular = &report->diagnostics[PREP_JPEG_DIAGNOSTIC_IRREGULAR];
        if (irregular->occurred) return;
        irregular->occurred = true;
        irregular->offset = report->offset;
        memcpy(irregular->message, report->message, sizeof irregular->message);
        return;
    }
    set_input(decoder, bytes, count);
    jpeg_finish_decompress(&decoder->codec);
    save_input_offset(decoder);
}
