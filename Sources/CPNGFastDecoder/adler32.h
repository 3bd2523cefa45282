// The checksum of zlib. Private to the fast decoder.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "png_fast_decoder.h"

// Returns the Adler-32 checksum of `bytes` appended to those whose checksum is `checksum`, which is 1
// before the first byte.
typedef uint32_t prep_adler32_function(uint32_t checksum, const uint8_t *bytes, size_t count);

// Returns the function for an instruction set that is available: ISA-L's function, unless there is a faster one.
prep_adler32_function *prep_adler32_kernel(prep_png_fast_instruction_set set);

#if defined(__x86_64__)
prep_adler32_function prep_adler32_avx2;
#endif
