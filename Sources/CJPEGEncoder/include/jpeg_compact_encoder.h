// An encoder of JPEG that needs fewer bytes than libjpeg at equal visual quality. It has its own quantization tables,
// drops coefficients that cost more bits than their error is worth, and computes Huffman tables for each image. Its
// forward DCT is bit-identical to libjpeg's accurate integer one.
//
// Encoding has three stages: planes are transformed to coefficients, one row of MCUs at a time; coefficients are
// quantized to tokens, which are symbols with their value bits; tokens are written with the Huffman tables that their
// counts give. Tokens take 4 bytes for each nonzero coefficient. Coefficients are only kept on request: 2 bytes a
// sample, from which an image can be quantized again.
// Source: ITU-T T.81, annexes A, F, G and K; for the transform, the algorithm of Loeffler, Ligtenberg and Moschytz
// (1989) with the fixed-point constants of the Independent JPEG Group's jfdctint.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREP_JPEG_COMPACT_MAX_COMPONENTS = 3, PREP_JPEG_COMPACT_MAX_DIMENSION = 65500 };

typedef struct {
    uint32_t width, height;                         // in pixels, 1 to PREP_JPEG_COMPACT_MAX_DIMENSION
    int32_t component_count;                        // 1, or 3 for YCbCr
    int32_t horizontal_sampling, vertical_sampling; // pixels for a chroma sample: 1 to 4 each, at most 8 together
    bool is_progressive;
    bool keeps_coefficients; // so that the quality can be changed after all rows were added
    bool defers_quantization; // to the first call of requantize; for images with kept coefficients only
} prep_jpeg_compact_image;

// Rows of samples, `stride` bytes apart. A row has its samples up to the component's width rounded up to a multiple of
// 8.
typedef struct {
    const uint8_t *_Nonnull samples;
    size_t stride;
    uint32_t row_count;
} prep_jpeg_compact_rows;

typedef struct prep_jpeg_compact_encoder prep_jpeg_compact_encoder;

// The instructions of the transform and of quantization. The files are the same for all.
typedef enum { PREP_JPEG_COMPACT_PORTABLE, PREP_JPEG_COMPACT_AVX2, PREP_JPEG_COMPACT_NEON }
    prep_jpeg_compact_instruction_set;

// Creates an encoder. `quality` is 1 to 100, on libjpeg's scale. Returns NULL if a parameter is invalid, an allocation
// fails, or this build or processor does not have the instruction set.
prep_jpeg_compact_encoder *_Nullable prep_jpeg_compact_encoder_create(
    const prep_jpeg_compact_image *_Nonnull image, int32_t quality, prep_jpeg_compact_instruction_set instruction_set);
void prep_jpeg_compact_encoder_destroy(prep_jpeg_compact_encoder *_Nonnull encoder);

// Returns the number of rows of MCUs in the image.
uint32_t prep_jpeg_compact_encoder_mcu_row_count(const prep_jpeg_compact_encoder *_Nonnull encoder);

// An image has one part until it is divided.
typedef enum { PREP_JPEG_COMPACT_FIRST_PART, PREP_JPEG_COMPACT_SECOND_PART } prep_jpeg_compact_part;

// Makes the second half of the remaining rows of MCUs a part of its own, whose rows another thread can add at the same
// time. The file is the same. Returns the part's first row; 0 if the image was divided before, is progressive, keeps
// its coefficients or has fewer than two rows left, or an allocation fails.
uint32_t prep_jpeg_compact_encoder_divide(prep_jpeg_compact_encoder *_Nonnull encoder);

// Transforms and quantizes the next row of MCUs of a part: at most `8 * vertical_sampling` rows of luma and 8 of
// chroma. If there are fewer, the last one is repeated. Returns false if all rows were added before, a row is missing
// or too short, or an allocation fails.
bool prep_jpeg_compact_encoder_add_mcu_row(
    prep_jpeg_compact_encoder *_Nonnull encoder, prep_jpeg_compact_part part,
    const prep_jpeg_compact_rows *_Nonnull components);

// Quantizes the image again at another quality. Returns false if rows are missing, the coefficients were not kept, the
// quality is not 1 to 100, or an allocation fails.
bool prep_jpeg_compact_encoder_requantize(prep_jpeg_compact_encoder *_Nonnull encoder, int32_t quality);

// Writes the file into memory of malloc, which the caller must free. The file has a JFIF header, the ICC profile unless
// it is empty, and no other metadata. Returns false, with no memory to free, if rows are missing, the profile does not
// fit in 255 segments, or an allocation fails.
bool prep_jpeg_compact_encoder_write(
    prep_jpeg_compact_encoder *_Nonnull encoder, const uint8_t *_Nullable icc_profile, size_t icc_byte_count,
    uint8_t *_Nullable *_Nonnull output, size_t *_Nonnull output_count);

// Writes the quantization steps of luma at a quality of 1 to 100, in natural order. They depend on the number of pixels
// for each chroma sample, which is 0 for a gray image. A quality out of range is clamped.
void prep_jpeg_compact_luma_steps(int32_t quality, int32_t pixels_per_chroma_sample, uint8_t steps[_Nonnull 64]);

// Returns the quality at which luma has these quantization steps in files of this encoder, or 0 if there is none.
int32_t prep_jpeg_compact_quality(const uint16_t steps[_Nonnull 64], int32_t pixels_per_chroma_sample);
