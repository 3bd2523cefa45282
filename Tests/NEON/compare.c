// Compares the NEON kernels with the formulas in pixel_kernels.h, on random and extreme data.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pixel_kernels.h"

enum { ROWS = 40, WIDTH = 512, OUTPUTS = 64, MAX_TAPS = 64 };

static uint64_t state = 1;

static uint32_t next_random(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

// Returns an extreme in half of the calls.
static int32_t sample(int32_t low, int32_t high) {
    switch (next_random() % 4) {
    case 0: return low;
    case 1: return high;
    default: return low + (int32_t)(next_random() % (uint32_t)(high - low + 1));
    }
}

static int compare_vertical(void) {
    static uint8_t rows[ROWS * WIDTH];
    static int16_t out[WIDTH];
    int32_t offsets[MAX_TAPS];
    int16_t coefficients[MAX_TAPS];
    const int32_t taps = 2 * (1 + (int32_t)(next_random() % 16)), shift = 8 + (int32_t)(next_random() % 9);
    const int32_t count = 64 * (1 + (int32_t)(next_random() % 8));
    for (int i = 0; i < ROWS * WIDTH; i++) rows[i] = (uint8_t)sample(0, 255);
    for (int k = 0; k < taps; k++) {
        offsets[k] = WIDTH * (int32_t)(next_random() % ROWS);
        // Bounds within which the sum and the 16-bit result fit, as the tables guarantee.
        coefficients[k] = (int16_t)sample(-(100 << shift) / (255 * taps), (100 << shift) / (255 * taps));
    }
    prep_convolve_vertically_neon(rows, offsets, coefficients, taps, shift, count, out);
    for (int x = 0; x < count; x++) {
        int32_t sum = 1 << (shift - 1);
        for (int k = 0; k < taps; k++) sum += coefficients[k] * rows[offsets[k] + x];
        if (out[x] != (int16_t)(sum >> shift)) return 1;
    }
    return 0;
}

static int compare_horizontal(void) {
    static int16_t row[WIDTH], coefficients[OUTPUTS * MAX_TAPS];
    static uint8_t out[OUTPUTS];
    int32_t starts[OUTPUTS];
    const int32_t taps = 16 * (1 + (int32_t)(next_random() % 4)), shift = 20 + (int32_t)(next_random() % 3);
    const int32_t count = 8 * (1 + (int32_t)(next_random() % 8));
    for (int i = 0; i < WIDTH; i++) row[i] = (int16_t)sample(-5000, 21000);
    for (int i = 0; i < count; i++) starts[i] = (int32_t)(next_random() % (uint32_t)(WIDTH - taps));
    for (int i = 0; i < count * taps; i++) coefficients[i] = (int16_t)sample(-90000 / taps, 90000 / taps);
    prep_convolve_horizontally_neon(row, starts, coefficients, taps, shift, count, out);
    for (int i = 0; i < count; i++) {
        int64_t sum = 1 << (shift - 1);
        for (int k = 0; k < taps; k++) sum += (int64_t)coefficients[i * taps + k] * row[starts[i] + k];
        const int64_t value = sum >> shift;
        if (out[i] != (value < 0 ? 0 : value > 255 ? 255 : value)) return 1;
    }
    return 0;
}

static int32_t over(int32_t sample, int32_t background, int32_t alpha) {
    return (sample * alpha + background * (255 - alpha) + 127) / 255;
}

static int compare_conversion(void) {
    static uint8_t pixels[4 * WIDTH], y[WIDTH], cb[WIDTH], cr[WIDTH];
    const uint8_t background[3] = {(uint8_t)sample(0, 255), (uint8_t)sample(0, 255), (uint8_t)sample(0, 255)};
    const int32_t count = 8 * (int32_t)(next_random() % 9), channels = 3 + (int32_t)(next_random() % 2);
    for (int i = 0; i < channels * count; i++) pixels[i] = (uint8_t)sample(0, 255);
    prep_convert_rgb_to_ycbcr_neon(pixels, channels == 4 ? background : 0, count, y, cb, cr);
    for (int x = 0; x < count; x++) {
        int32_t c[3];
        for (int i = 0; i < 3; i++) {
            c[i] = pixels[x * channels + i];
            if (channels == 4) c[i] = over(c[i], background[i], pixels[x * 4 + 3]);
        }
        const int32_t half = 1 << 15, bias = (128 << 16) + half - 1;
        if (y[x] != (19595 * c[0] + 38470 * c[1] + 7471 * c[2] + half) >> 16) return 1;
        if (cb[x] != (-11059 * c[0] - 21709 * c[1] + 32768 * c[2] + bias) >> 16) return 1;
        if (cr[x] != (32768 * c[0] - 27439 * c[1] - 5329 * c[2] + bias) >> 16) return 1;
    }
    return 0;
}

int main(void) {
    int differences = 0;
    for (int i = 0; i < 2000; i++) differences += compare_vertical() + compare_horizontal() + compare_conversion();
    printf("6000 passed, %d failed\n", differences);
    return differences != 0;
}
