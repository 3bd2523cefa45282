#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "test_images.h"

typedef struct {
    struct jpeg_decompress_struct codec;
    test_errors errors;
} reader;

static void start(struct jpeg_decompress_struct *codec, const uint8_t *bytes, size_t count, boolean raw) {
    jpeg_create_decompress(codec);
    jpeg_mem_src(codec, (unsigned char *)bytes, (unsigned long)count);
    jpeg_read_header(codec, TRUE);
    codec->out_color_space = codec->jpeg_color_space;
    codec->raw_data_out = raw;
    codec->dct_method = JDCT_ISLOW;
    codec->do_block_smoothing = FALSE;
    jpeg_start_decompress(codec);
}

static JSAMPARRAY allocate(struct jpeg_decompress_struct *codec, const jpeg_component_info *component) {
    const JDIMENSION width = component->width_in_blocks * DCTSIZE;
    const JDIMENSION rows = (JDIMENSION)component->v_samp_factor * DCTSIZE;
    return codec->mem->alloc_sarray((j_common_ptr)codec, JPOOL_IMAGE, width, rows);
}

static void copy_batch(
    const jpeg_component_info *component, JSAMPARRAY rows, JDIMENSION batch, const test_plane *plane) {
    const JDIMENSION count = (JDIMENSION)component->v_samp_factor * DCTSIZE;
    for (JDIMENSION y = 0; y < count && batch * count + y < plane->rows; y++) {
        memcpy(plane->samples + (batch * count + y) * plane->stride, rows[y], plane->width);
    }
}

static bool read_planes(reader *reader, const uint8_t *bytes, size_t count, const test_plane *planes) {
    struct jpeg_decompress_struct *codec = &reader->codec;
    codec->err = test_errors_init(&reader->errors);
    if (setjmp(reader->errors.jump)) return false;
    start(codec, bytes, count, TRUE);
    JSAMPARRAY rows[MAX_COMPONENTS];
    for (int c = 0; c < codec->num_components; c++) rows[c] = allocate(codec, &codec->comp_info[c]);
    const JDIMENSION lines = (JDIMENSION)codec->max_v_samp_factor * DCTSIZE;
    while (codec->output_scanline < codec->output_height) {
        const JDIMENSION batch = codec->output_scanline / lines;
        jpeg_read_raw_data(codec, rows, lines);
        for (int c = 0; c < codec->num_components; c++) copy_batch(&codec->comp_info[c], rows[c], batch, &planes[c]);
    }
    return true;
}

static bool read_pixels(reader *reader, const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity) {
    struct jpeg_decompress_struct *codec = &reader->codec;
    codec->err = test_errors_init(&reader->errors);
    if (setjmp(reader->errors.jump)) return false;
    start(codec, bytes, count, FALSE);
    const size_t stride = (size_t)codec->output_width * (size_t)codec->output_components;
    if (stride * codec->output_height > capacity) return false;
    while (codec->output_scanline < codec->output_height) {
        JSAMPROW row = pixels + codec->output_scanline * stride;
        jpeg_read_scanlines(codec, &row, 1);
    }
    return true;
}

bool test_jpeg_read_planes(const uint8_t *bytes, size_t count, const test_plane *planes) {
    reader *job = calloc(1, sizeof *job);
    if (!job) return false;
    const bool done = read_planes(job, bytes, count, planes);
    jpeg_destroy_decompress(&job->codec);
    free(job);
    return done;
}

bool test_jpeg_read_pixels(const uint8_t *bytes, size_t count, uint8_t *pixels, size_t capacity) {
    reader *job = calloc(1, sizeof *job);
    if (!job) return false;
    const bool done = read_pixels(job, bytes, count, pixels, capacity);
    jpeg_destroy_decompress(&job->codec);
    free(job);
    return done;
}
