#include "decoder.h"

#if defined(PREP_HEIF)
#include <dav1d/dav1d.h>
#include <errno.h>
#include <stdlib.h>

#include "dynamic_library.h"

#define FUNCTIONS(X) \
    X(dav1d_close) X(dav1d_data_unref) X(dav1d_data_wrap) X(dav1d_default_settings) X(dav1d_flush) \
    X(dav1d_get_picture) X(dav1d_open) X(dav1d_picture_unref) X(dav1d_send_data)

#define TEXT(value) TEXT_OF(value)
#define TEXT_OF(value) #value
// The structures are those of this version of the interface.
PREP_DEFINE_LIBRARY(FUNCTIONS, prep_av1_is_available, "libdav1d.so." TEXT(DAV1D_API_VERSION_MAJOR))

struct av1_decoder {
    prep_heif_picture_format format;
    Dav1dContext *context;
};

av1_decoder *prep_av1_decoder_create(prep_heif_picture_format format) {
    av1_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->format = format;
    Dav1dSettings settings;
    library.dav1d_default_settings(&settings);
    settings.n_threads = 1;
    settings.max_frame_delay = 1;
    settings.all_layers = 0;
    settings.frame_size_limit = (unsigned)format.width * (unsigned)format.height;
    settings.logger.callback = NULL;
    if (library.dav1d_open(&decoder->context, &settings) == 0) return decoder;
    free(decoder);
    return NULL;
}

void prep_av1_decoder_destroy(av1_decoder *decoder) {
    library.dav1d_close(&decoder->context);
    free(decoder);
}

static prep_heif_chroma_format chroma_format_of(enum Dav1dPixelLayout layout) {
    switch (layout) {
    case DAV1D_PIXEL_LAYOUT_I420: return PREP_HEIF_420;
    case DAV1D_PIXEL_LAYOUT_I422: return PREP_HEIF_422;
    case DAV1D_PIXEL_LAYOUT_I444: return PREP_HEIF_444;
    default: return PREP_HEIF_MONOCHROME;
    }
}

static prep_heif_status copy_picture(
    const av1_decoder *decoder, const Dav1dPicture *picture, const prep_heif_plane *planes) {
    const prep_heif_picture_format format = decoder->format;
    if (chroma_format_of(picture->p.layout) != format.chroma_format || picture->p.bpc != format.bit_depth ||
        picture->p.w != format.width || picture->p.h != format.height) return PREP_HEIF_OTHER_FORMAT;
    const bool halves_width = format.chroma_format == PREP_HEIF_420 || format.chroma_format == PREP_HEIF_422;
    const bool halves_height = format.chroma_format == PREP_HEIF_420;
    for (int32_t c = 0; c < plane_count(format); c++) {
        const decoded_plane decoded = {
            picture->data[c], picture->stride[c > 0],
            c > 0 && halves_width ? (format.width + 1) / 2 : format.width,
            c > 0 && halves_height ? (format.height + 1) / 2 : format.height};
        if (!prep_heif_copy_plane(&decoded, format.bit_depth, &planes[c])) return PREP_HEIF_OTHER_FORMAT;
    }
    return PREP_HEIF_OK;
}

static void release_nothing(const uint8_t *bytes, void *cookie) { (void)bytes, (void)cookie; }

// Decodes all data, and keeps the last picture: a layered picture has the full size last.
static int decode_picture(av1_decoder *decoder, const uint8_t *bytes, size_t count, Dav1dPicture *picture) {
    Dav1dData data = {0};
    int result = library.dav1d_data_wrap(&data, bytes, count, release_nothing, NULL);
    bool has_picture = false;
    while (result == 0) {
        const int sent = data.sz > 0 ? library.dav1d_send_data(decoder->context, &data) : 0;
        if (sent < 0 && sent != DAV1D_ERR(EAGAIN)) {
            result = sent;
            break;
        }
        Dav1dPicture next = {0};
        const int received = library.dav1d_get_picture(decoder->context, &next);
        if (received == DAV1D_ERR(EAGAIN)) {
            if (data.sz == 0 || sent < 0) break;
            continue;
        }
        if (received < 0) {
            result = received;
            break;
        }
        if (has_picture) library.dav1d_picture_unref(picture);
        *picture = next;
        has_picture = true;
    }
    library.dav1d_data_unref(&data);
    if (result == 0 && has_picture) return 0;
    if (has_picture) library.dav1d_picture_unref(picture);
    return result < 0 ? result : DAV1D_ERR(EINVAL);
}

prep_heif_status prep_av1_decode(
    av1_decoder *decoder, const uint8_t *bytes, const prep_heif_unit *units, size_t unit_count,
    const prep_heif_plane *planes, prep_heif_color *color) {
    if (unit_count != 1 || units[0].count == 0) return PREP_HEIF_DAMAGED;
    library.dav1d_flush(decoder->context);
    Dav1dPicture picture = {0};
    const int result = decode_picture(decoder, bytes + units[0].offset, units[0].count, &picture);
    if (result == DAV1D_ERR(ENOMEM)) return PREP_HEIF_OUT_OF_MEMORY;
    if (result == DAV1D_ERR(ERANGE)) return PREP_HEIF_OTHER_FORMAT; // larger than the limit
    if (result < 0) return PREP_HEIF_DAMAGED;
    *color = (prep_heif_color){
        picture.seq_hdr->color_range != 0, picture.seq_hdr->pri, picture.seq_hdr->trc, picture.seq_hdr->mtrx};
    const prep_heif_status status = copy_picture(decoder, &picture, planes);
    library.dav1d_picture_unref(&picture);
    return status;
}
#endif
