#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "test_images.h"

typedef struct {
    png_structp png;
    png_infop info;
    jmp_buf jump;
    png_bytepp rows;
    uint8_t *output;
    size_t count, capacity;
} writer;

static void on_error(png_structp png, png_const_charp message) {
    (void)message;
    longjmp(((writer *)png_get_error_ptr(png))->jump, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    writer *job = png_get_io_ptr(png);
    if (job->count + count > job->capacity) {
        const size_t capacity = 2 * (job->count + count);
        uint8_t *output = realloc(job->output, capacity);
        if (!output) png_error(png, "no memory");
        job->output = output;
        job->capacity = capacity;
    }
    memcpy(job->output + job->count, bytes, count);
    job->count += count;
}

static void flush(png_structp png) { (void)png; }

static bool write(writer *job, const test_png *file, const uint8_t *rows, size_t stride) {
    if (setjmp(job->jump)) return false;
    job->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, job, on_error, on_warning);
    if (!job->png) return false;
    job->info = png_create_info_struct(job->png);
    job->rows = calloc(file->height, sizeof *job->rows);
    if (!job->info || !job->rows) return false;
    for (uint32_t y = 0; y < file->height; y++) job->rows[y] = (png_bytep)rows + y * stride;
    png_set_write_fn(job->png, job, write_bytes, flush);
    png_set_filter(job->png, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
    png_set_IHDR(
        job->png, job->info, file->width, file->height, file->bit_depth, file->color_type,
        file->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_set_rows(job->png, job->info, job->rows);
    png_write_png(job->png, job->info, PNG_TRANSFORM_IDENTITY, NULL);
    return true;
}

bool test_png_write(
    const test_png *file, const uint8_t *rows, size_t stride, uint8_t **output, size_t *count) {
    writer *job = calloc(1, sizeof *job);
    if (!job) return false;
    const bool written = write(job, file, rows, stride);
    png_destroy_write_struct(&job->png, &job->info);
    if (written) {
        *output = job->output;
        *count = job->count;
    } else {
        free(job->output);
    }
    free(job->rows);
    free(job);
    return written;
}
