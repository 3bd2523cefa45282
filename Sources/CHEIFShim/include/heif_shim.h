// An interface to libde265, which decodes HEVC, and to dav1d, which decodes AV1: one still picture at a time, to its
// stored planes. Swift sees only this header.
//
// The caller parses the container, and states the picture's format. A picture of another format is an error, and a
// larger one is rejected before memory is allocated for it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { PREP_HEIF_HEVC, PREP_HEIF_AV1 } prep_heif_codec;

// The chroma formats, with the values of HEVC's chroma_format_idc.
typedef enum { PREP_HEIF_MONOCHROME, PREP_HEIF_420, PREP_HEIF_422, PREP_HEIF_444 } prep_heif_chroma_format;

typedef struct {
    int32_t width, height; // at most PREP_HEIF_MAX_DIMENSION
    prep_heif_chroma_format chroma_format;
    int32_t bit_depth; // 8 to 12, the same for luma and chroma
} prep_heif_picture_format;

// The number of pixels then fits in 32 bits, as dav1d requires.
enum { PREP_HEIF_MAX_DIMENSION = 65535 };

// The place of a plane's samples: one byte each, or two of a picture with more than 8 bits, the lower one first. Rows
// are `stride` bytes apart. Only `width` and `height` samples are written, at most those of the picture.
typedef struct {
    uint8_t *_Nullable samples;
    size_t stride;
    int32_t width, height;
} prep_heif_plane;

// A range of the input: a NAL unit of HEVC without its length, or the OBUs of an AV1 picture.
typedef struct {
    size_t offset, count;
} prep_heif_unit;

// What the picture's data says about its colors, as code points of ITU-T H.273.
typedef struct {
    bool is_full_range;
    int32_t primaries, transfer, matrix;
} prep_heif_color;

typedef enum {
    PREP_HEIF_OK,
    PREP_HEIF_DAMAGED,
    PREP_HEIF_OTHER_FORMAT, // the picture does not have the stated format
    PREP_HEIF_OUT_OF_MEMORY,
} prep_heif_status;

typedef struct prep_heif_decoder prep_heif_decoder;

// Loads the library of a codec if it is not loaded yet. Returns whether there is one.
bool prep_heif_is_available(prep_heif_codec codec);

// Creates a decoder of pictures of one format, of a codec that is available. Returns NULL if the format is invalid, or
// an allocation fails.
//
// Without `deblocks`, the pictures of HEVC are decoded without its deblocking filter. Their blocks are predicted from
// unfiltered samples, so what the filter would change stays at the edges of blocks. dav1d's filter takes no measurable
// time, and always runs.
prep_heif_decoder *_Nullable prep_heif_decoder_create(
    prep_heif_codec codec, prep_heif_picture_format format, bool deblocks);
void prep_heif_decoder_destroy(prep_heif_decoder *_Nonnull decoder);

// Decodes the picture that is coded in `units`, which must be within `count` bytes, and writes its planes: one of a
// monochrome picture, otherwise three.
prep_heif_status prep_heif_decoder_decode(
    prep_heif_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes, size_t count,
    const prep_heif_unit *_Nonnull units, size_t unit_count, const prep_heif_plane *_Nonnull planes,
    prep_heif_color *_Nonnull color);
