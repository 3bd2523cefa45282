#include "decoder.h"

#if defined(PREP_HEIF)
#include <stdlib.h>
#include <string.h>

struct prep_heif_decoder {
    prep_heif_picture_format format;
    hevc_decoder *hevc; // one of the two
    av1_decoder *av1;
};

bool prep_heif_is_available(prep_heif_codec codec) {
    return codec == PREP_HEIF_HEVC ? prep_hevc_is_available() : prep_av1_is_available();
}

static bool is_valid_format(prep_heif_picture_format format) {
    return format.width >= 1 && format.width <= PREP_HEIF_MAX_DIMENSION && format.height >= 1 &&
        format.height <= PREP_HEIF_MAX_DIMENSION && format.chroma_format >= PREP_HEIF_MONOCHROME &&
        format.chroma_format <= PREP_HEIF_444 && format.bit_depth >= 8 && format.bit_depth <= 12;
}

prep_heif_decoder *prep_heif_decoder_create(
    prep_heif_codec codec, prep_heif_picture_format format, bool deblocks) {
    if (!prep_heif_is_available(codec) || !is_valid_format(format)) return NULL;
    prep_heif_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->format = format;
    if (codec == PREP_HEIF_HEVC) decoder->hevc = prep_hevc_decoder_create(format, deblocks);
    else decoder->av1 = prep_av1_decoder_create(format);
    if (decoder->hevc || decoder->av1) return decoder;
    free(decoder);
    return NULL;
}

void prep_heif_decoder_destroy(prep_heif_decoder *decoder) {
    if (decoder->hevc) prep_hevc_decoder_destroy(decoder->hevc);
    if (decoder->av1) prep_av1_decoder_destroy(decoder->av1);
    free(decoder);
}

prep_heif_status prep_heif_decoder_decode(
    prep_heif_decoder *decoder, const uint8_t *bytes, size_t count, const prep_heif_unit *units, size_t unit_count,
    const prep_heif_plane *planes, prep_heif_color *color) {
    // Both libraries take a size as an int.
    for (size_t i = 0; i < unit_count; i++)
        if (units[i].offset > count || units[i].count > count - units[i].offset || units[i].count > INT32_MAX)
            return PREP_HEIF_DAMAGED;
    for (int32_t c = 0; c < plane_count(decoder->format); c++)
        if (!planes[c].samples || planes[c].width < 0 ||
            planes[c].stride < (size_t)planes[c].width * (decoder->format.bit_depth > 8 ? 2 : 1))
            return PREP_HEIF_OTHER_FORMAT;
    *color = (prep_heif_color){0};
    return decoder->hevc ? prep_hevc_decode(decoder->hevc, bytes, units, unit_count, planes, color)
                         : prep_av1_decode(decoder->av1, bytes, units, unit_count, planes, color);
}

// Copies samples of two bytes. The caller relies on their limit.
static void copy_wide_row(const uint8_t *samples, uint16_t limit, uint8_t *out, int32_t count) {
    for (int32_t x = 0; x < count; x++) {
        uint16_t sample;
        memcpy(&sample, samples + 2 * (size_t)x, sizeof sample);
        if (sample > limit) sample = limit;
        out[2 * (size_t)x] = (uint8_t)sample;
        out[2 * (size_t)x + 1] = (uint8_t)(sample >> 8);
    }
}

bool prep_heif_copy_plane(const decoded_plane *decoded, int32_t bit_depth, const prep_heif_plane *plane) {
    if (!decoded->samples || decoded->width < plane->width || decoded->height < plane->height) return false;
    for (int32_t y = 0; y < plane->height; y++) {
        const uint8_t *row = decoded->samples + y * decoded->stride;
        uint8_t *out = plane->samples + (size_t)y * plane->stride;
        if (bit_depth == 8) memcpy(out, row, (size_t)plane->width);
        else copy_wide_row(row, (uint16_t)((1 << bit_depth) - 1), out, plane->width);
    }
    return true;
}
#endif
