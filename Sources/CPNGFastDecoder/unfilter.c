#include "unfilter.h"

prep_png_unfilter_function *prep_png_unfilter_kernel(prep_png_fast_instruction_set set) {
    switch (set) {
    case PREP_PNG_FAST_PORTABLE: return prep_png_unfilter_portable;
#if defined(__x86_64__)
    case PREP_PNG_FAST_AVX2: return __builtin_cpu_supports("avx2") ? prep_png_unfilter_avx2 : NULL;
#elif defined(__aarch64__)
    case PREP_PNG_FAST_NEON: return prep_png_unfilter_neon;
#endif
    default: return NULL;
    }
}

prep_png_unfilter_paeth_rows_function *prep_png_unfilter_paeth_rows_kernel(prep_png_fast_instruction_set set) {
#if defined(__x86_64__)
    if (set == PREP_PNG_FAST_AVX2) return prep_png_unfilter_paeth_rows_avx2;
#elif defined(__aarch64__)
    if (set == PREP_PNG_FAST_NEON) return prep_png_unfilter_paeth_rows_neon;
#endif
    (void)set;
    return NULL;
}
