// Conversion of colors by Little CMS, which is loaded by the first call of `prep_lcms_is_available`.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREP_LCMS_MESSAGE_SIZE = 200 };

// Returns whether Little CMS could be loaded. Can be called on any thread.
bool prep_lcms_is_available(void);

// Converts `count` colors of an ICC profile to XYZ relative to D50, in floating point, with the relative colorimetric
// intent and black point compensation. Needs `prep_lcms_is_available`.
//
// A color has `channel_count` device values from 0 to 1: 1 for gray, 3 for RGB, 4 for CMYK. `xyz` receives three
// numbers for each. Returns false, with a message, if the profile is invalid or has another number of channels. Each
// call has a context of its own, so calls on several threads do not affect each other.
bool prep_lcms_convert_to_xyz(
    const uint8_t *_Nonnull profile, size_t profile_byte_count, int32_t channel_count, const double *_Nonnull colors,
    size_t count, double *_Nonnull xyz, char *_Nonnull message);
