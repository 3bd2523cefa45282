#include <stdlib.h>

#include "CFloors.h"
#include "errors.h"

int64_t floor_read_coefficients(const uint8_t *bytes, size_t count) {
    struct jpeg_decompress_struct codec;
    struct errors errors;
    int64_t blocks = 0;
    codec.err = errors_init(&errors);
    jpeg_create_decompress(&codec);
    if (setjmp(errors.jump)) {
        jpeg_destroy_decompress(&codec);
        return -1;
    }
    jpeg_mem_src(&codec, bytes, count);
    jpeg_read_header(&codec, TRUE);
    jpeg_read_coefficients(&codec);
    for (int c = 0; c < codec.num_components; c++) {
        blocks += (int64_t)codec.comp_info[c].width_in_blocks * codec.comp_info[c].height_in_blocks;
    }
    jpeg_destroy_decompress(&codec);
    return blocks;
}

struct floor_coefficients {
    struct jpeg_decompress_struct decoder;
    struct jpeg_compress_struct encoder;
    struct errors errors;
    jvirt_barray_ptr *arrays;
    unsigned char *buffer;
    unsigned long capacity;
};

static int keep(floor_coefficients *coefficients, const uint8_t *bytes, size_t count) {
    struct jpeg_decompress_struct *decoder = &coefficients->decoder;
    if (setjmp(coefficients->errors.jump)) return 0;
    jpeg_create_decompress(decoder);
    jpeg_mem_src(decoder, bytes, count);
    jpeg_read_header(decoder, TRUE);
    coefficients->arrays = jpeg_read_coefficients(decoder);
    return coefficients->arrays != NULL;
}

floor_coefficients *floor_coefficients_create(const uint8_t *bytes, size_t count) {
    floor_coefficients *coefficients = calloc(1, sizeof *coefficients);
    if (!coefficients) return NULL;
    coefficients->decoder.err = coefficients->encoder.err = errors_init(&coefficients->errors);
    // Enough for any encoding of the coefficients: growing a buffer is not part of the floor.
    coefficients->capacity = 2 * count + (64 << 10);
    coefficients->buffer = malloc(coefficients->capacity);
    if (coefficients->buffer && keep(coefficients, bytes, count)) return coefficients;
    floor_coefficients_destroy(coefficients);
    return NULL;
}

int64_t floor_write_coefficients(floor_coefficients *coefficients, int is_progressive) {
    struct jpeg_compress_struct *encoder = &coefficients->encoder;
    unsigned char *output = coefficients->buffer;
    unsigned long count = coefficients->capacity;
    if (setjmp(coefficients->errors.jump)) return -1;
    jpeg_create_compress(encoder);
    jpeg_mem_dest(encoder, &output, &count);
    jpeg_copy_critical_parameters(&coefficients->decoder, encoder);
    if (is_progressive) jpeg_simple_progression(encoder);
    jpeg_write_coefficients(encoder, coefficients->arrays);
    jpeg_finish_compress(encoder);
    jpeg_destroy_compress(encoder);
    if (output != coefficients->buffer) free(output); // it took more than the capacity
    return (int64_t)count;
}

void floor_coefficients_destroy(floor_coefficients *coefficients) {
    jpeg_destroy_compress(&coefficients->encoder);
    jpeg_destroy_decompress(&coefficients->decoder);
    free(coefficients->buffer);
    free(coefficients);
}
