#include "webp_shim.h"

#if defined(PREP_WEBP)
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

#include "dynamic_library.h"

#define FUNCTIONS(X) \
    X(WebPInitDecoderConfigInternal) X(WebPGetFeaturesInternal) X(WebPIDecode) X(WebPIUpdate) X(WebPIDelete) \
    X(WebPIDecGetRGB) X(WebPIDecGetYUVA) X(WebPFreeDecBuffer)

PREP_DEFINE_LIBRARY(FUNCTIONS, prep_webp_is_available, "libwebp.so.7")

struct prep_webp_decoder {
    WebPDecoderConfig config;
    WebPIDecoder *decoder;
    prep_webp_output output;
    int32_t width, height;
    bool has_checked_size;
    // What is decoded so far: RGB or RGBA in the first plane, or Y, Cb and Cr.
    int row_count;
    const uint8_t *planes[3];
    size_t strides[3];
};

prep_webp_decoder *prep_webp_decoder_create(prep_webp_output output, int32_t width, int32_t height) {
    prep_webp_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->output = output;
    decoder->width = width;
    decoder->height = height;
    if (library.WebPInitDecoderConfigInternal(&decoder->config, WEBP_DECODER_ABI_VERSION)) {
        decoder->config.output.colorspace =
            output == PREP_WEBP_PLANES ? MODE_YUV : output == PREP_WEBP_RGB ? MODE_RGB : MODE_RGBA;
        decoder->decoder = library.WebPIDecode(NULL, 0, &decoder->config);
    }
    if (decoder->decoder) return decoder;
    free(decoder);
    return NULL;
}

void prep_webp_decoder_destroy(prep_webp_decoder *decoder) {
    library.WebPIDelete(decoder->decoder);
    library.WebPFreeDecBuffer(&decoder->config.output);
    free(decoder);
}

static prep_webp_status make_status(VP8StatusCode code) {
    switch (code) {
        case VP8_STATUS_OK: return PREP_WEBP_COMPLETE;
        case VP8_STATUS_SUSPENDED:
        case VP8_STATUS_NOT_ENOUGH_DATA: return PREP_WEBP_INCOMPLETE;
        case VP8_STATUS_OUT_OF_MEMORY: return PREP_WEBP_OUT_OF_MEMORY;
        default: return PREP_WEBP_DAMAGED;
    }
}

// Checks that libwebp finds the stated size, before it allocates its buffers.
static prep_webp_status check_size(prep_webp_decoder *decoder, const uint8_t *bytes, size_t count) {
    if (decoder->has_checked_size) return PREP_WEBP_COMPLETE;
    WebPBitstreamFeatures found;
    prep_webp_status status =
        make_status(library.WebPGetFeaturesInternal(bytes, count, &found, WEBP_DECODER_ABI_VERSION));
    if (status != PREP_WEBP_COMPLETE) return status;
    if (found.width != decoder->width || found.height != decoder->height) return PREP_WEBP_DAMAGED;
    decoder->has_checked_size = true;
    return PREP_WEBP_COMPLETE;
}

static void find_decoded_rows(prep_webp_decoder *decoder) {
    int row_count = 0, stride = 0, chroma_stride = 0;
    uint8_t *cb = NULL, *cr = NULL;
    const uint8_t *first =
        decoder->output == PREP_WEBP_PLANES
            ? library.WebPIDecGetYUVA(
                  decoder->decoder, &row_count, &cb, &cr, NULL, NULL, NULL, &stride, &chroma_stride, NULL)
            : library.WebPIDecGetRGB(decoder->decoder, &row_count, NULL, NULL, &stride);
    if (!first) return;
    decoder->row_count = row_count < decoder->height ? row_count : decoder->height;
    decoder->planes[0] = first;
    decoder->planes[1] = cb;
    decoder->planes[2] = cr;
    decoder->strides[0] = (size_t)stride;
    decoder->strides[1] = decoder->strides[2] = (size_t)chroma_stride;
}

prep_webp_status prep_webp_decoder_update(prep_webp_decoder *decoder, const uint8_t *bytes, size_t count) {
    prep_webp_status status = check_size(decoder, bytes, count);
    if (status != PREP_WEBP_COMPLETE) return status;
    status = make_status(library.WebPIUpdate(decoder->decoder, bytes, count));
    if (status != PREP_WEBP_OUT_OF_MEMORY) find_decoded_rows(decoder);
    return status == PREP_WEBP_COMPLETE && decoder->row_count < decoder->height ? PREP_WEBP_DAMAGED : status;
}

int32_t prep_webp_decoder_row_count(const prep_webp_decoder *decoder) { return decoder->row_count; }

void prep_webp_decoder_copy_planes(
    const prep_webp_decoder *decoder, int32_t first_row, int32_t end_row, uint8_t *rows, const size_t *offsets,
    const size_t *strides) {
    for (int c = 0; c < 3; c++) {
        const int32_t reduction = c == 0 ? 1 : 2;
        const size_t width = (size_t)((decoder->width + reduction - 1) / reduction);
        const int32_t first = first_row / reduction, end = (end_row + reduction - 1) / reduction;
        for (int32_t y = first; y < end; y++) {
            memcpy(
                rows + offsets[c] + (size_t)(y - first) * strides[c],
                decoder->planes[c] + (size_t)y * decoder->strides[c], width);
        }
    }
}

const uint8_t *prep_webp_decoder_pixel_row(const prep_webp_decoder *decoder, int32_t y) {
    return decoder->planes[0] + (size_t)y * decoder->strides[0];
}
#endif
