#include "pixel_kernels.h"

enum { CELLS_PER_GROUP = 8 };

// Averages the cells of one group. The compiler makes vectors of the loop, since the step is constant.
__attribute__((always_inline)) static inline uint32_t average_group(
    const uint8_t *first, const uint8_t *second, int32_t step, int32_t count, uint8_t *out) {
    uint32_t loss = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t a = first[step * i], b = first[step * i + step - 1];
        const int32_t c = second[step * i], d = second[step * i + step - 1];
        const int32_t sum = a + b + c + d;
        out[i] = (uint8_t)((sum + 2) >> 2);
        loss += (uint32_t)(4 * (a * a + b * b + c * c + d * d) - sum * sum);
    }
    return loss;
}

void prep_average_cells(
    const uint8_t *first, const uint8_t *second, bool is_pair, int32_t count, uint8_t *out, uint32_t *losses) {
    const int32_t whole = count / CELLS_PER_GROUP, rest = count % CELLS_PER_GROUP, step = is_pair ? 2 : 1;
    for (int32_t group = 0; group < whole; group++) {
        const int32_t x = group * CELLS_PER_GROUP;
        losses[group] += is_pair ? average_group(first + 2 * x, second + 2 * x, 2, CELLS_PER_GROUP, out + x)
                                 : average_group(first + x, second + x, 1, CELLS_PER_GROUP, out + x);
    }
    const int32_t x = whole * CELLS_PER_GROUP;
    if (rest > 0) losses[whole] += average_group(first + step * x, second + step * x, step, rest, out + x);
}
