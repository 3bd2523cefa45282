#include "pixel_kernels.h"

bool prep_cpu_has_avx2(void) {
#if defined(__x86_64__)
    // This also checks XCR0, so it is false if the kernel does not save the upper halves of the registers.
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

bool prep_cpu_has_avx512(void) {
#if defined(__x86_64__)
    return prep_cpu_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
#else
    return false;
#endif
}
