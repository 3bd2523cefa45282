#include <stdlib.h>

#include "error_report.h"

struct prep_jpeg_encoder {
    struct jpeg_compress_struct codec;
    prep_jpeg_error_manager errors;
    struct jpeg_destination_mgr destination;
    JOCTET *buffer;
    size_t capacity;
};

enum { INITIAL_CAPACITY = 256 * 1024 };

static void grow_output_buffer(prep_jpeg_encoder *encoder, size_t capacity) {
    JOCTET *buffer = realloc(encoder->buffer, capacity);
    if (!buffer) ERREXIT1(&encoder->codec, JERR_OUT_OF_MEMORY, 0);
    encoder->buffer = buffer;
    encoder->capacity = capacity;
}

static void init_destination(j_compress_ptr codec) {
    prep_jpeg_encoder *encoder = codec->client_data;
    if (!encoder->buffer) grow_output_buffer(encoder, INITIAL_CAPACITY);
    encoder->destination.next_output_byte = encoder->buffer;
    encoder->destination.free_in_buffer = encoder->capacity;
}

// Called when the buffer is full. libjpeg requires that `free_in_buffer` is ignored here.
static boolean empty_output_buffer(j_compress_ptr codec) {
    prep_jpeg_encoder *encoder = codec->client_data;
    const size_t used = encoder->capacity;
    grow_output_buffer(encoder, used * 2);
    encoder->destination.next_output_byte = encoder->buffer + used;
    encoder->destination.free_in_buffer = encoder->capacity - used;
    return TRUE;
}

static void term_destination(j_compress_ptr codec) { (void)codec; }

// Replaces the codec by one without state of an earlier encoding. jpeg_set_defaults would keep the Huffman tables of a
// progressive file, which need not have codes for all symbols.
static void recreate_compressor(prep_jpeg_encoder *encoder) {
    jpeg_destroy_compress(&encoder->codec);
    jpeg_create_compress(&encoder->codec);
    encoder->codec.dest = &encoder->destination;
    encoder->codec.mem->max_memory_to_use = 0; // no limit, whatever the environment variable JPEGMEM says
}

prep_jpeg_encoder *prep_jpeg_encoder_create(void) {
    prep_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    encoder->codec.err = prep_jpeg_error_manager_init(&encoder->errors);
    if (setjmp(encoder->errors.jump_target)) {
        prep_jpeg_encoder_destroy(encoder);
        return NULL;
    }
    encoder->codec.client_data = encoder;
    recreate_compressor(encoder);
    encoder->destination.init_destination = init_destination;
    encoder->destination.empty_output_buffer = empty_output_buffer;
    encoder->destination.term_destination = term_destination;
    return encoder;
}

void prep_jpeg_encoder_destroy(prep_jpeg_encoder *encoder) {
    jpeg_destroy_compress(&encoder->codec);
    free(encoder->buffer);
    free(encoder);
}

const prep_jpeg_error_report *prep_jpeg_encoder_report(const prep_jpeg_encoder *encoder) {
    return &encoder->errors.report;
}

static void configure_compressor(struct jpeg_compress_struct *codec, const prep_jpeg_encoder_parameters *parameters) {
    codec->image_width = parameters->width;
    codec->image_height = parameters->height;
    codec->input_components = parameters->component_count;
    codec->in_color_space = parameters->component_count == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
    jpeg_set_defaults(codec);
    jpeg_set_quality(codec, parameters->quality, TRUE);
    codec->dct_method = JDCT_ISLOW;
    codec->raw_data_in = TRUE;
    if (parameters->component_count == 3) {
        codec->comp_info[0].h_samp_factor = parameters->horizontal_sampling;
        codec->comp_info[0].v_samp_factor = parameters->vertical_sampling;
    }
    codec->optimize_coding = parameters->optimizes_huffman_tables;
    if (parameters->is_progressive) jpeg_simple_progression(codec);
}

// Writes one row of MCUs. The last row of a plane is repeated below its end.
static void write_mcu_row(struct jpeg_compress_struct *codec, const prep_jpeg_plane *planes, JDIMENSION mcu_row) {
    JSAMPROW pointers[PREP_JPEG_MAX_COMPONENTS][MAX_SAMP_FACTOR * DCTSIZE];
    JSAMPARRAY rows[PREP_JPEG_MAX_COMPONENTS];
    for (int c = 0; c < codec->num_components; c++) {
        const JDIMENSION count = (JDIMENSION)codec->comp_info[c].v_samp_factor * DCTSIZE;
        rows[c] = pointers[c];
        for (JDIMENSION y = 0; y < count; y++) {
            const JDIMENSION row = mcu_row * count + y;
            const JDIMENSION available_row = row < planes[c].row_count ? row : planes[c].row_count - 1;
            pointers[c][y] = (JSAMPROW)planes[c].samples + available_row * planes[c].stride;
        }
    }
    jpeg_write_raw_data(codec, rows, (JDIMENSION)codec->max_v_samp_factor * DCTSIZE);
}

bool prep_jpeg_encoder_encode(
    prep_jpeg_encoder *encoder, const prep_jpeg_encoder_parameters *parameters, const prep_jpeg_plane *planes,
    uint8_t **output, size_t *output_count) {
    struct jpeg_compress_struct *codec = &encoder->codec;
    if (setjmp(encoder->errors.jump_target)) return false;
    recreate_compressor(encoder);
    configure_compressor(codec, parameters);
    jpeg_start_compress(codec, TRUE);
    if (parameters->icc_byte_count > 0)
        jpeg_write_icc_profile(codec, parameters->icc_profile, parameters->icc_byte_count);
    while (codec->next_scanline < codec->image_height) {
        write_mcu_row(codec, planes, codec->next_scanline / ((JDIMENSION)codec->max_v_samp_factor * DCTSIZE));
    }
    jpeg_finish_compress(codec);
    *output_count = encoder->capacity - encoder->destination.free_in_buffer;
    // The unused rest is released. A buffer that shrinks is not copied.
    uint8_t *shrunk = realloc(encoder->buffer, *output_count);
    *output = shrunk ? shrunk : encoder->buffer;
    encoder->buffer = NULL;
    encoder->capacity = 0;
    return true;
}
