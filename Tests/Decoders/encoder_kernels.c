// Compares the encoder's transform and quantization with the portable ones. Buffers end at protected pages.
// Tests/NEON/run runs this for arm64.
#include <string.h>

#include "../../Sources/CJPEGEncoder/block_coding.h"
#include "../../Sources/CJPEGEncoder/forward_dct.h"
#include "support.h"

enum { MAX_BLOCKS = 9, AREA = 1 << 14, CALLS = 50 };

static guarded rows_area, coefficients_area, tokens_area;

// Fills samples with a slope, with noise, or with noise of full contrast.
static void fill_samples(uint8_t *samples, size_t count) {
    const uint32_t kind = random_below(3), slope = random_below(9), amplitude = 1 + random_below(64);
    random_fill(samples, count);
    for (size_t i = 0; i < count; i++) {
        if (kind == 0) samples[i] = (uint8_t)(100 + i * slope % 100 + samples[i] % amplitude);
        if (kind == 1) samples[i] = samples[i] < 128 ? 0 : 255;
    }
}

#if defined(__x86_64__)
#define SIMD(name) name##_avx2
static bool has_simd(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("lzcnt");
}
#elif defined(__aarch64__)
#define SIMD(name) name##_neon
static bool has_simd(void) { return true; }
#endif

#if defined(SIMD)
static uint64_t run_forward_dct(int16_t *expected, int32_t *block_count) {
    const int32_t count = random_between(1, MAX_BLOCKS);
    const size_t width = 8 * (size_t)count, stride = width + random_below(3) * 8;
    uint8_t *samples = guarded_place(&rows_area, 7 * stride + width);
    fill_samples(samples, 7 * stride + width);
    const uint8_t *rows[8];
    for (size_t y = 0; y < 8; y++) rows[y] = samples + (random_once_in(20) ? 7 : y) * stride;
    prep_forward_dct_portable(rows, count, expected);
    int16_t *out = (int16_t *)guarded_place(&coefficients_area, 128 * (size_t)count);
    SIMD(prep_forward_dct)(rows, count, out);
    if (memcmp(out, expected, 128 * (size_t)count) != 0) fail("the forward DCT");
    *block_count = count;
    return 1;
}

static uint64_t run_code_block(const int16_t *coefficients, int32_t block_count) {
    static block_quantizer quantizer;
    static uint32_t expected_counts[SYMBOLS], counts[SYMBOLS];
    prep_block_quantizer_init(&quantizer, random_between(1, 100), random_once_in(2), random_between(1, 4));
    int32_t expected_dc = random_between(-1024, 1023), dc = expected_dc;
    for (int32_t i = 0; i < block_count; i++) {
        token expected[MAX_TOKENS_PER_BLOCK];
        token *tokens = (token *)guarded_place(&tokens_area, sizeof expected);
        const token *end = prep_code_block_portable(
            coefficients + 64 * i, &quantizer, &expected_dc, expected, expected_counts);
        const token *simd_end = SIMD(prep_code_block)(coefficients + 64 * i, &quantizer, &dc, tokens, counts);
        if (simd_end - tokens != end - expected || end - expected > MAX_TOKENS_PER_BLOCK) fail("a block's tokens");
        if (memcmp(tokens, expected, (size_t)(end - expected) * sizeof *tokens) != 0) fail("a block's tokens");
        if (dc != expected_dc || memcmp(counts, expected_counts, sizeof counts) != 0) fail("the counts of symbols");
    }
    return (uint64_t)block_count;
}

uint64_t encoder_kernel_round(void) {
    if (!rows_area.start) {
        guarded_create(&rows_area, 1, AREA);
        guarded_create(&coefficients_area, 1, AREA);
        guarded_create(&tokens_area, 1, AREA);
    }
    uint64_t compared = 0;
    for (int i = 0; i < CALLS && has_simd(); i++) {
        int16_t coefficients[64 * MAX_BLOCKS];
        int32_t block_count;
        compared += run_forward_dct(coefficients, &block_count);
        compared += run_code_block(coefficients, block_count);
    }
    return compared;
}
#else
uint64_t encoder_kernel_round(void) { return 0; }
#endif
