#include <setjmp.h>
#include <stdlib.h>

#include "errors.h"
#include "test_images.h"

typedef struct {
    struct jpeg_compress_struct codec;
    test_errors errors;
    jpeg_scan_info *scans;
    unsigned char *output;
    unsigned long count;
} writer;

static J_COLOR_SPACE color_space(test_jpeg_color color) {
    switch (color) {
    case TEST_JPEG_GRAY: return JCS_GRAYSCALE;
    case TEST_JPEG_YCBCR: return JCS_YCbCr;
    case TEST_JPEG_RGB: return JCS_RGB;
    case TEST_JPEG_CMYK: return JCS_CMYK;
    default: return JCS_YCCK;
    }
}

static void set_script(writer *writer, const test_jpeg *file) {
    writer->scans = calloc((size_t)file->scan_count, sizeof *writer->scans);
    if (!writer->scans) ERREXIT1(&writer->codec, JERR_OUT_OF_MEMORY, 0);
    for (int s = 0; s < file->scan_count; s++) {
        const test_jpeg_scan *from = &file->scans[s];
        jpeg_scan_info *to = &writer->scans[s];
        to->comps_in_scan = from->component_count;
        for (int c = 0; c < from->component_count; c++) to->component_index[c] = from->components[c];
        to->Ss = from->first_coefficient;
        to->Se = from->last_coefficient;
        to->Ah = from->high_bit;
        to->Al = from->low_bit;
    }
    writer->codec.scan_info = writer->scans;
    writer->codec.num_scans = file->scan_count;
}

static void configure(writer *writer, const test_jpeg *file) {
    struct jpeg_compress_struct *codec = &writer->codec;
    codec->image_width = file->width;
    codec->image_height = file->height;
    codec->input_components = file->component_count;
    codec->in_color_space = color_space(file->color);
    jpeg_set_defaults(codec);
    jpeg_set_colorspace(codec, codec->in_color_space);
    jpeg_set_quality(codec, file->quality, TRUE);
    codec->dct_method = JDCT_ISLOW;
    codec->raw_data_in = TRUE;
    codec->write_JFIF_header = file->jfif;
    codec->write_Adobe_marker = file->adobe;
    codec->arith_code = file->arithmetic;
    codec->restart_interval = (unsigned)file->restart_interval;
    for (int c = 0; c < file->component_count; c++) {
        codec->comp_info[c].h_samp_factor = file->horizontal[c];
        codec->comp_info[c].v_samp_factor = file->vertical[c];
    }
    if (file->scans) {
        set_script(writer, file);
    } else if (file->progressive) {
        jpeg_simple_progression(codec);
    }
}

// One row of MCUs. Below a plane's end its last row is repeated.
static void write_batch(struct jpeg_compress_struct *codec, const test_plane *planes, JDIMENSION batch) {
    JSAMPROW pointers[TEST_JPEG_MAX_COMPONENTS][MAX_SAMP_FACTOR * DCTSIZE];
    JSAMPARRAY rows[TEST_JPEG_MAX_COMPONENTS];
    for (int c = 0; c < codec->num_components; c++) {
        const JDIMENSION count = (JDIMENSION)codec->comp_info[c].v_samp_factor * DCTSIZE;
        rows[c] = pointers[c];
        for (JDIMENSION y = 0; y < count; y++) {
            const JDIMENSION row = batch * count + y;
            const JDIMENSION present = row < planes[c].rows ? row : planes[c].rows - 1;
            pointers[c][y] = planes[c].samples + present * planes[c].stride;
        }
    }
    jpeg_write_raw_data(codec, rows, (JDIMENSION)codec->max_v_samp_factor * DCTSIZE);
}

static bool write(writer *writer, const test_jpeg *file, const test_plane *planes) {
    struct jpeg_compress_struct *codec = &writer->codec;
    codec->err = test_errors_init(&writer->errors);
    if (setjmp(writer->errors.jump)) return false;
    jpeg_create_compress(codec);
    jpeg_mem_dest(codec, &writer->output, &writer->count);
    configure(writer, file);
    jpeg_start_compress(codec, TRUE);
    const JDIMENSION lines = (JDIMENSION)codec->max_v_samp_factor * DCTSIZE;
    while (codec->next_scanline < codec->image_height) write_batch(codec, planes, codec->next_scanline / lines);
    jpeg_finish_compress(codec);
    return true;
}

bool test_jpeg_write(const test_jpeg *file, const test_plane *planes, uint8_t **output, size_t *count) {
    writer *job = calloc(1, sizeof *job);
    if (!job) return false;
    const bool written = write(job, file, planes);
    jpeg_destroy_compress(&job->codec);
    if (written) {
        *output = job->output;
        *count = job->count;
    } else {
        free(job->output);
    }
    free(job->scans);
    free(job);
    return written;
}

void test_free(uint8_t *output) { free(output); }
