#include "adler32.h"

#include <isa-l/igzip_lib.h>

static uint32_t adler32_isal(uint32_t checksum, const uint8_t *bytes, size_t count) {
    return isal_adler32(checksum, bytes, count);
}

prep_adler32_function *prep_adler32_kernel(prep_png_fast_instruction_set set) {
#if defined(__x86_64__)
    if (set == PREP_PNG_FAST_AVX2) return prep_adler32_avx2;
#endif
    (void)set;
    return adler32_isal;
}
