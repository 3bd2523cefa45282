// Estimates how an image looks at a quality, on the scale of SSIMULACRA2, from the coefficients that an encoder kept.
// Only a sample of the blocks is quantized, so that an estimate takes a small part of the time of encoding.
//
// All arithmetic is in integers: the estimate is the same on every machine.
#pragma once

#include "jpeg_compact_encoder.h"

typedef struct prep_jpeg_score_estimator prep_jpeg_score_estimator;

// Creates an estimator of an encoder's image. It does not refer to the encoder afterwards. Returns NULL if rows are
// missing, the coefficients were not kept, or an allocation fails.
prep_jpeg_score_estimator *_Nullable prep_jpeg_score_estimator_create(
    const prep_jpeg_compact_encoder *_Nonnull encoder);
void prep_jpeg_score_estimator_destroy(prep_jpeg_score_estimator *_Nonnull estimator);

// Returns the visible error of the image at a quality of 1 to 100, with 16 fraction bits. A quality out of range is
// clamped.
uint64_t prep_jpeg_score_estimator_error(
    prep_jpeg_score_estimator *_Nonnull estimator, int32_t quality);

// Returns the estimated score of an image with a visible error, in hundredths: at most 10,000.
int32_t prep_jpeg_score_of_error(uint64_t error);
