#include "cells.h"

void prep_count_in_places(
    const uint8_t *white_counts, const bool *in_field, ptrdiff_t stride, int32_t place_count,
    uint16_t *white_sums, bool *is_inside) {
    for (int32_t i = 0; i < place_count; i++) {
        uint32_t white = 0, inside = 0x01010101;
        for (int32_t y = 0; y < CELL_SIDE; y++) {
            const ptrdiff_t cell = y * stride + CELL_SIDE * i;
            white += pair_sums(load_lane(white_counts + cell));
            inside &= load_lane((const uint8_t *)in_field + cell);
        }
        white_sums[i] = (uint16_t)add_halves(white);
        is_inside[i] = inside == 0x01010101;
    }
}

void prep_add_cells(
    const uint16_t *sums, ptrdiff_t stride, int32_t side, int32_t unit_count, uint32_t *unit_sums) {
    for (int32_t i = 0; i < unit_count; i++) {
        uint32_t sum = 0;
        for (int32_t y = 0; y < side; y++) {
            for (int32_t x = 0; x < side; x++) sum += sums[y * stride + side * i + x];
        }
        unit_sums[i] = sum;
    }
}

// The most cells whose sums fit in 32 bits is 1,052,688.
enum { EXPOSURE_BLOCK = 1 << 20 };

void prep_measure_cells(
    const uint8_t *rows, ptrdiff_t stride, int32_t cell_count, uint8_t black_limit, uint8_t white_limit,
    uint16_t *sums, uint8_t *black_counts, uint8_t *white_counts) {
    measure_cells(rows, stride, cell_count, black_limit, white_limit, sums, black_counts, white_counts);
}

void prep_filter_cells(
    const uint16_t *sums, int32_t columns, int32_t rows, int32_t *scratch, int32_t *values) {
    filter_cells(sums, columns, rows, scratch, values);
}

void prep_measure_coarse_gradients(
    const int32_t *values, ptrdiff_t stride, int32_t place_count, uint64_t *energies) {
    measure_coarse_gradients(values, stride, place_count, energies);
}

#if defined(__x86_64__)
#define TARGET_AVX2 __attribute__((target("avx2")))

TARGET_AVX2 void prep_measure_cells_avx2(
    const uint8_t *rows, ptrdiff_t stride, int32_t cell_count, uint8_t black_limit, uint8_t white_limit,
    uint16_t *sums, uint8_t *black_counts, uint8_t *white_counts) {
    measure_cells(rows, stride, cell_count, black_limit, white_limit, sums, black_counts, white_counts);
}

TARGET_AVX2 void prep_filter_cells_avx2(
    const uint16_t *sums, int32_t columns, int32_t rows, int32_t *scratch, int32_t *values) {
    filter_cells(sums, columns, rows, scratch, values);
}

TARGET_AVX2 void prep_measure_coarse_gradients_avx2(
    const int32_t *values, ptrdiff_t stride, int32_t place_count, uint64_t *energies) {
    measure_coarse_gradients(values, stride, place_count, energies);
}
#endif

void prep_measure_exposure(
    const uint16_t *sums, const uint8_t *black_counts, const uint8_t *white_counts, const bool *in_field,
    int32_t count, uint32_t *histogram, uint64_t *totals) {
    for (int32_t first = 0; first < count; first += EXPOSURE_BLOCK) {
        const int32_t end = count - first < EXPOSURE_BLOCK ? count : first + EXPOSURE_BLOCK;
        uint32_t sum = 0, black = 0, white = 0, field = 0;
        for (int32_t i = first; i < end; i++) {
            const uint32_t mask = in_field[i] ? UINT32_MAX : 0;
            sum += mask & sums[i];
            black += mask & black_counts[i];
            white += mask & white_counts[i];
            field += in_field[i];
        }
        totals[0] += sum;
        totals[1] += black;
        totals[2] += white;
        totals[3] += field;
    }
    for (int32_t i = 0; i < count; i++) histogram[(sums[i] + 8) >> 4] += in_field[i];
}
