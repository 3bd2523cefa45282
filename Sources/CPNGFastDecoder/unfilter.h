// Reverses the filters of PNG. Private to the fast decoder.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "png_fast_decoder.h"

// The number of bytes that may be read after the end of a filtered row and of `previous_row`.
enum { UNFILTER_READ_PADDING = 1 };

// Reconstructs a row in place, with 3 or 4 bytes a pixel, from its filter type, its `count` filtered bytes and the row
// above. Returns the row; NULL for an invalid filter type.
//
//   filtered:        | type | filtered bytes      |
//   without filter:  |      | row                 |  the bytes stay where they are
//   otherwise:       | row                 |      |  a write never reaches a byte that is still to be read
typedef const uint8_t *prep_png_unfilter_function(
    uint8_t *filtered, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel);

// Returns the function for an instruction set; NULL if this build or this processor does not have the set. The bytes
// are the same for all.
prep_png_unfilter_function *prep_png_unfilter_kernel(prep_png_fast_instruction_set set);

// Reconstructs PAETH_ROWS consecutive rows in place, which all have Paeth's filter and at least PAETH_ROWS pixels.
//
// Most rows of a photo have this filter, in which each pixel waits for the one before it. Several rows at once take 60%
// of the time.
typedef void prep_png_unfilter_paeth_rows_function(
    uint8_t *filtered, const uint8_t *previous_row, size_t count, int32_t bytes_per_pixel);
enum { PAETH_FILTER = 4, PAETH_ROWS = 4 };

// Returns the function for an instruction set that is available; NULL if there is none.
prep_png_unfilter_paeth_rows_function *prep_png_unfilter_paeth_rows_kernel(prep_png_fast_instruction_set set);

prep_png_unfilter_function prep_png_unfilter_portable;
#if defined(__x86_64__)
prep_png_unfilter_function prep_png_unfilter_avx2;
prep_png_unfilter_paeth_rows_function prep_png_unfilter_paeth_rows_avx2;
#elif defined(__aarch64__)
prep_png_unfilter_function prep_png_unfilter_neon;
prep_png_unfilter_paeth_rows_function prep_png_unfilter_paeth_rows_neon;
#endif
