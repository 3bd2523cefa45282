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
