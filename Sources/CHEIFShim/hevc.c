#include "decoder.h"

#if defined(PREP_HEIF)
#include <libde265/de265.h>
#include <stdlib.h>

#include "dynamic_library.h"

#define FUNCTIONS(X) \
    X(de265_decode) X(de265_flush_data) X(de265_free_decoder) X(de265_get_bits_per_pixel) \
    X(de265_get_chroma_format) X(de265_get_default_image_allocation_functions) \
    X(de265_get_image_colour_primaries) X(de265_get_image_full_range_flag) X(de265_get_image_height) \
    X(de265_get_image_matrix_coefficients) X(de265_get_image_plane) X(de265_get_image_transfer_characteristics) \
    X(de265_get_image_width) X(de265_get_warning) X(de265_new_decoder) X(de265_peek_next_picture) \
    X(de265_push_NAL) X(de265_release_next_picture) X(de265_reset) X(de265_set_image_allocation_functions) \
    X(de265_set_parameter_bool)

PREP_DEFINE_LIBRARY(FUNCTIONS, prep_hevc_is_available, "libde265.so.0")

struct hevc_decoder {
    prep_heif_picture_format format;
    de265_decoder_context *context;
    bool has_other_size; // the data states a larger picture than the container
};

// Rejects a picture that is larger than its format, rounded up to the largest coding block, before its memory is
// allocated.
static int allocate_picture(
    de265_decoder_context *context, struct de265_image_spec *spec, struct de265_image *image, void *user_data) {
    hevc_decoder *decoder = user_data;
    enum { MAX_CODING_BLOCK = 64 };
    if (spec->width > decoder->format.width + MAX_CODING_BLOCK ||
        spec->height > decoder->format.height + MAX_CODING_BLOCK) {
        decoder->has_other_size = true;
        return 0;
    }
    const struct de265_image_allocation *standard = library.de265_get_default_image_allocation_functions();
    return standard->get_buffer(context, spec, image, NULL);
}

static void release_picture(de265_decoder_context *context, struct de265_image *image, void *user_data) {
    (void)user_data;
    library.de265_get_default_image_allocation_functions()->release_buffer(context, image, NULL);
}

hevc_decoder *prep_hevc_decoder_create(prep_heif_picture_format format, bool deblocks) {
    hevc_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->format = format;
    decoder->context = library.de265_new_decoder();
    if (!decoder->context) {
        free(decoder);
        return NULL;
    }
    library.de265_set_parameter_bool(decoder->context, DE265_DECODER_PARAM_SUPPRESS_FAULTY_PICTURES, 0);
    library.de265_set_parameter_bool(decoder->context, DE265_DECODER_PARAM_DISABLE_DEBLOCKING, !deblocks);
    // A hash in the data is that of the filtered samples.
    library.de265_set_parameter_bool(decoder->context, DE265_DECODER_PARAM_BOOL_SEI_CHECK_HASH, deblocks);
    struct de265_image_allocation allocation = {allocate_picture, release_picture};
    library.de265_set_image_allocation_functions(decoder->context, &allocation, decoder);
    return decoder;
}

void prep_hevc_decoder_destroy(hevc_decoder *decoder) {
    library.de265_free_decoder(decoder->context);
    free(decoder);
}

static prep_heif_status copy_picture(
    const hevc_decoder *decoder, const struct de265_image *picture, const prep_heif_plane *planes) {
    const prep_heif_picture_format format = decoder->format;
    if ((int)library.de265_get_chroma_format(picture) != (int)format.chroma_format) return PREP_HEIF_OTHER_FORMAT;
    if (library.de265_get_image_width(picture, 0) != format.width ||
        library.de265_get_image_height(picture, 0) != format.height)
        return PREP_HEIF_OTHER_FORMAT;
    for (int32_t c = 0; c < plane_count(format); c++) {
        if (library.de265_get_bits_per_pixel(picture, c) != format.bit_depth) return PREP_HEIF_OTHER_FORMAT;
        int stride;
        const uint8_t *samples = library.de265_get_image_plane(picture, c, &stride);
        const decoded_plane decoded = {
            samples, stride, library.de265_get_image_width(picture, c), library.de265_get_image_height(picture, c)};
        if (!prep_heif_copy_plane(&decoded, format.bit_depth, &planes[c])) return PREP_HEIF_OTHER_FORMAT;
    }
    return PREP_HEIF_OK;
}

static prep_heif_status status_of_error(de265_error error) {
    return error == DE265_ERROR_OUT_OF_MEMORY ? PREP_HEIF_OUT_OF_MEMORY : PREP_HEIF_DAMAGED;
}

// Whether a warning tells of data that was concealed.
static bool has_concealed_data(de265_decoder_context *context) {
    bool result = false;
    for (de265_error warning; (warning = library.de265_get_warning(context)) != DE265_OK;)
        result = result || warning != DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING;
    return result;
}

prep_heif_status prep_hevc_decode(
    hevc_decoder *decoder, const uint8_t *bytes, const prep_heif_unit *units, size_t unit_count,
    const prep_heif_plane *planes, prep_heif_color *color) {
    de265_decoder_context *context = decoder->context;
    library.de265_reset(context);
    decoder->has_other_size = false;
    for (size_t i = 0; i < unit_count; i++) {
        const de265_error error = library.de265_push_NAL(
            context, bytes + units[i].offset, (int)units[i].count, 0, NULL);
        if (error != DE265_OK) return status_of_error(error);
    }
    de265_error error = library.de265_flush_data(context);
    // Each call decodes a unit at most. A picture must be taken as soon as it is complete.
    const struct de265_image *picture = NULL;
    int more = 1;
    for (size_t i = 0; i < unit_count + 8 && error == DE265_OK && more && !picture; i++) {
        error = library.de265_decode(context, &more);
        picture = library.de265_peek_next_picture(context);
    }
    if (decoder->has_other_size) return PREP_HEIF_OTHER_FORMAT;
    if (error != DE265_OK || !picture) return status_of_error(error);
    *color = (prep_heif_color){
        library.de265_get_image_full_range_flag(picture) != 0, library.de265_get_image_colour_primaries(picture),
        library.de265_get_image_transfer_characteristics(picture),
        library.de265_get_image_matrix_coefficients(picture)};
    const prep_heif_status status = copy_picture(decoder, picture, planes);
    library.de265_release_next_picture(context);
    return has_concealed_data(context) ? PREP_HEIF_DAMAGED : status;
}
#endif
