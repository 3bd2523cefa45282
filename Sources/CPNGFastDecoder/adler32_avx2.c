#include "adler32.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET_AVX2 __attribute__((target("avx2")))

// The maximum keeps all sums, also those of all lanes, within 32 bits: `sums_before` is the largest with
// 255 * 64 * (256 * 255 / 2).
enum { MODULUS = 65521, BLOCK_BYTES = 64, MAX_BLOCKS = 256 };

TARGET_AVX2 static inline uint32_t sum_of_lanes(__m256i lanes) {
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
    return (uint32_t)_mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1)));
}

// With a = 1 + the sum of the bytes and b = the sum of all values of a, a block of n bytes x[0], x[1], ... adds
// n * a + n * x[0] + (n - 1) * x[1] + ... to b, where a is the value before the block.
TARGET_AVX2 uint32_t prep_adler32_avx2(uint32_t checksum, const uint8_t *bytes, size_t count) {
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
    const __m256i weights = _mm256_setr_epi8(
        32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3,
        2, 1);
    uint32_t a = checksum & 0xFFFF, b = checksum >> 16;
    while (count >= BLOCK_BYTES) {
        const size_t blocks = count / BLOCK_BYTES < MAX_BLOCKS ? count / BLOCK_BYTES : MAX_BLOCKS;
        __m256i sum = zero, sums_before = zero, first_halves = zero, weighted = zero;
        for (size_t i = 0; i < blocks; i++, bytes += BLOCK_BYTES) {
            const __m256i first = _mm256_loadu_si256((const __m256i *)bytes);
            const __m256i second = _mm256_loadu_si256((const __m256i *)(bytes + 32));
            const __m256i first_sum = _mm256_sad_epu8(first, zero);
            sums_before = _mm256_add_epi32(sums_before, sum);
            first_halves = _mm256_add_epi32(first_halves, first_sum);
            sum = _mm256_add_epi32(sum, _mm256_add_epi32(first_sum, _mm256_sad_epu8(second, zero)));
            // Each product of pairs is at most 255 * (32 + 31), and the sum of two fits in 16 bits.
            const __m256i pairs = _mm256_add_epi16(
                _mm256_maddubs_epi16(first, weights), _mm256_maddubs_epi16(second, weights));
            weighted = _mm256_add_epi32(weighted, _mm256_madd_epi16(pairs, ones));
        }
        const size_t done = blocks * BLOCK_BYTES;
        const uint64_t added = (uint64_t)a * done + (uint64_t)BLOCK_BYTES * sum_of_lanes(sums_before) +
            32ull * sum_of_lanes(first_halves) + sum_of_lanes(weighted);
        b = (uint32_t)((b + added) % MODULUS);
        a = (a + sum_of_lanes(sum)) % MODULUS;
        count -= done;
    }
    for (size_t i = 0; i < count; i++) b += a += bytes[i];
    return b % MODULUS << 16 | a % MODULUS;
}
#endif
