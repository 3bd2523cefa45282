// Declarations shared by the decoders. Private to the shim.
#pragma once

#include "heif_shim.h"

enum { MAX_PLANES = 3 };

// A plane of a decoded picture. Samples of more than 8 bits have two bytes each, in the processor's order.
typedef struct {
    const uint8_t *samples;
    ptrdiff_t stride;
    int32_t width, height;
} decoded_plane;

static inline int32_t plane_count(prep_heif_picture_format format) {
    return format.chroma_format == PREP_HEIF_MONOCHROME ? 1 : MAX_PLANES;
}

// Copies the first `plane->width` by `plane->height` samples. Returns false if the decoded plane has fewer.
bool prep_heif_copy_plane(const decoded_plane *decoded, int32_t bit_depth, const prep_heif_plane *plane);

typedef struct hevc_decoder hevc_decoder;
bool prep_hevc_is_available(void);
hevc_decoder *prep_hevc_decoder_create(prep_heif_picture_format format, bool deblocks);
void prep_hevc_decoder_destroy(hevc_decoder *decoder);
prep_heif_status prep_hevc_decode(
    hevc_decoder *decoder, const uint8_t *bytes, const prep_heif_unit *units, size_t unit_count,
    const prep_heif_plane *planes, prep_heif_color *color);

typedef struct av1_decoder av1_decoder;
bool prep_av1_is_available(void);
av1_decoder *prep_av1_decoder_create(prep_heif_picture_format format);
void prep_av1_decoder_destroy(av1_decoder *decoder);
prep_heif_status prep_av1_decode(
    av1_decoder *decoder, const uint8_t *bytes, const prep_heif_unit *units, size_t unit_count,
    const prep_heif_plane *planes, prep_heif_color *color);
