#include "encoder.h"

#include <stdlib.h>
#include <string.h>

static bool is_in_range(int64_t value, int64_t first, int64_t last) { return value >= first && value <= last; }

static bool is_valid_image(const prep_jpeg_compact_image *image) {
    return is_in_range(image->width, 1, PREP_JPEG_COMPACT_MAX_DIMENSION) &&
        is_in_range(image->height, 1, PREP_JPEG_COMPACT_MAX_DIMENSION) &&
        (image->component_count == 1 || image->component_count == 3) &&
        is_in_range(image->horizontal_sampling, 1, 4) && is_in_range(image->vertical_sampling, 1, 4) &&
        image->horizontal_sampling * image->vertical_sampling + 2 <= MAX_BLOCKS_PER_MCU &&
        (image->keeps_coefficients || !image->defers_quantization);
}

// Sets the kernels of an instruction set. Returns false if this build or this processor does not have it.
static bool set_kernels(prep_jpeg_compact_encoder *encoder, prep_jpeg_compact_instruction_set set) {
    switch (set) {
    case PREP_JPEG_COMPACT_PORTABLE:
        encoder->forward_dct = prep_forward_dct_portable;
        encoder->code_block = prep_code_block_portable;
        return true;
#if defined(__x86_64__)
    case PREP_JPEG_COMPACT_AVX2:
        encoder->forward_dct = prep_forward_dct_avx2;
        encoder->code_block = prep_code_block_avx2;
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
            __builtin_cpu_supports("lzcnt");
#elif defined(__aarch64__)
    case PREP_JPEG_COMPACT_NEON:
        encoder->forward_dct = prep_forward_dct_neon;
        encoder->code_block = prep_code_block_neon;
        return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; // the order of bytes in vectors
#endif
    default: return false;
    }
}

static uint32_t divide_rounding_up(uint32_t value, uint32_t divisor) { return (value + divisor - 1) / divisor; }

static bool init_component(prep_jpeg_compact_encoder *encoder, int32_t c) {
    const prep_jpeg_compact_image *image = &encoder->image;
    component_state *state = &encoder->components[c];
    state->horizontal_sampling = c == 0 ? image->horizontal_sampling : 1;
    state->vertical_sampling = c == 0 ? image->vertical_sampling : 1;
    const uint32_t across = (uint32_t)(c == 0 ? 1 : image->horizontal_sampling);
    const uint32_t down = (uint32_t)(c == 0 ? 1 : image->vertical_sampling);
    state->blocks_per_row = (int32_t)divide_rounding_up(divide_rounding_up(image->width, across), 8);
    state->block_row_count = (int32_t)divide_rounding_up(divide_rounding_up(image->height, down), 8);
    state->quantizer = &encoder->quantizers[c > 0];
    state->first_block = encoder->blocks_per_mcu;
    encoder->blocks_per_mcu += state->horizontal_sampling * state->vertical_sampling;
    if (!image->keeps_coefficients) return true;
    const size_t block_count = (size_t)state->block_row_count * (size_t)state->blocks_per_row;
    state->coefficients = malloc(block_count * 64 * sizeof *state->coefficients);
    return state->coefficients != NULL;
}

// Indices of tokens, and counts of symbols, have 32 bits.
static bool init_block_starts(prep_jpeg_compact_encoder *encoder) {
    const uint64_t mcus = (uint64_t)encoder->mcus_per_row * encoder->mcu_row_count;
    const uint64_t blocks = mcus * (uint64_t)encoder->blocks_per_mcu;
    if (blocks * MAX_TOKENS_PER_BLOCK > UINT32_MAX) return false;
    if (!encoder->image.is_progressive) return true;
    encoder->block_starts = malloc((size_t)blocks * sizeof *encoder->block_starts);
    return encoder->block_starts != NULL;
}

// Sets the quality and starts over with the first block.
static void restart(prep_jpeg_compact_encoder *encoder, int32_t quality) {
    const prep_jpeg_compact_image *image = &encoder->image;
    encoder->quality = quality;
    const bool has_chroma = image->component_count > 1;
    const int32_t pixels = has_chroma ? image->horizontal_sampling * image->vertical_sampling : 0;
    prep_block_quantizer_init(&encoder->quantizers[0], quality, false, pixels);
    if (has_chroma) prep_block_quantizer_init(&encoder->quantizers[1], quality, true, pixels);
    prep_encoder_part_restart(&encoder->parts[0]);
}

prep_jpeg_compact_encoder *prep_jpeg_compact_encoder_create(
    const prep_jpeg_compact_image *image, int32_t quality, prep_jpeg_compact_instruction_set instruction_set) {
    if (!is_valid_image(image) || !is_in_range(quality, 1, 100)) return NULL;
    prep_jpeg_compact_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    encoder->image = *image;
    if (image->component_count == 1) encoder->image.horizontal_sampling = encoder->image.vertical_sampling = 1;
    encoder->mcus_per_row = divide_rounding_up(image->width, 8 * (uint32_t)encoder->image.horizontal_sampling);
    encoder->mcu_row_count = divide_rounding_up(image->height, 8 * (uint32_t)encoder->image.vertical_sampling);
    encoder->quantizers = aligned_alloc(_Alignof(block_quantizer), 2 * sizeof *encoder->quantizers);
    bool is_valid = encoder->quantizers && set_kernels(encoder, instruction_set);
    for (int32_t c = 0; is_valid && c < image->component_count; c++) is_valid = init_component(encoder, c);
    encoder->part_count = 1;
    is_valid = is_valid && init_block_starts(encoder) &&
        prep_encoder_part_init(encoder, &encoder->parts[0], 0, encoder->mcu_row_count);
    if (is_valid) {
        restart(encoder, quality);
        return encoder;
    }
    prep_jpeg_compact_encoder_destroy(encoder);
    return NULL;
}

void prep_jpeg_compact_encoder_destroy(prep_jpeg_compact_encoder *encoder) {
    for (int32_t c = 0; c < PREP_JPEG_COMPACT_MAX_COMPONENTS; c++) free(encoder->components[c].coefficients);
    for (int32_t i = 0; i < encoder->part_count; i++) prep_encoder_part_destroy(&encoder->parts[i]);
    free(encoder->quantizers);
    free(encoder->block_starts);
    free(encoder);
}

uint32_t prep_jpeg_compact_encoder_mcu_row_count(const prep_jpeg_compact_encoder *encoder) {
    return encoder->mcu_row_count;
}

uint32_t prep_jpeg_compact_encoder_divide(prep_jpeg_compact_encoder *encoder) {
    encoder_part *first = &encoder->parts[0], *second = &encoder->parts[1];
    const uint32_t remaining = first->end_mcu_row - first->next_mcu_row;
    if (encoder->part_count > 1 || encoder->image.is_progressive || encoder->image.keeps_coefficients) return 0;
    if (remaining < 2) return 0;
    const uint32_t middle = first->end_mcu_row - remaining / 2;
    if (!prep_encoder_part_init(encoder, second, middle, first->end_mcu_row)) {
        prep_encoder_part_destroy(second);
        return 0;
    }
    first->end_mcu_row = middle;
    encoder->part_count = 2;
    return middle;
}

bool prep_jpeg_compact_encoder_add_mcu_row(
    prep_jpeg_compact_encoder *encoder, prep_jpeg_compact_part part_index, const prep_jpeg_compact_rows *components) {
    if (!is_in_range(part_index, 0, encoder->part_count - 1)) return false;
    encoder_part *part = &encoder->parts[part_index];
    if (part->next_mcu_row == part->end_mcu_row) return false;
    for (int32_t c = 0; c < encoder->image.component_count; c++) {
        const size_t width = (size_t)encoder->components[c].blocks_per_row * 8;
        if (components[c].row_count == 0 || components[c].stride < width) return false;
    }
    const uint32_t mcu_row = part->next_mcu_row++;
    prep_transform_mcu_row(encoder, part, mcu_row, components);
    return encoder->image.defers_quantization || prep_quantize_mcu_row(encoder, part, mcu_row);
}

bool prep_jpeg_compact_encoder_requantize(prep_jpeg_compact_encoder *encoder, int32_t quality) {
    if (!encoder->image.keeps_coefficients || !prep_has_all_rows(encoder)) return false;
    if (!is_in_range(quality, 1, 100)) return false;
    restart(encoder, quality);
    for (uint32_t row = 0; row < encoder->mcu_row_count; row++)
        if (!prep_quantize_mcu_row(encoder, &encoder->parts[0], row)) return false;
    return true;
}

void prep_append_scan(
    output_buffer *output, const prep_jpeg_compact_encoder *encoder, const scan_description *scan,
    const token_buffer *tokens, int32_t buffer_count, const uint32_t counts[SYMBOLS]) {
    huffman_table tables[4];
    token_code codes[SYMBOLS] = {0};
    for (int32_t i = 0; i < 4; i++) {
        prep_huffman_table_init(&tables[i], counts + 256 * i);
        prep_huffman_codes(&tables[i], codes + 256 * i);
    }
    for (uint32_t i = 1; encoder->image.is_progressive && i <= MAX_RAW_BITS; i++) codes[RAW_BITS + i] = i;
    prep_append_scan_header(output, encoder, scan, tables);
    prep_output_append_tokens(output, tokens, buffer_count, codes);
}

static void append_baseline_scan(output_buffer *output, prep_jpeg_compact_encoder *encoder) {
    const scan_description scan = {.component_count = encoder->image.component_count, .spectral_end = 63};
    uint32_t counts[SYMBOLS];
    token_buffer tokens[MAX_PARTS];
    prep_join_parts(encoder, counts);
    for (int32_t i = 0; i < encoder->part_count; i++) tokens[i] = encoder->parts[i].tokens;
    prep_append_scan(output, encoder, &scan, tokens, encoder->part_count, counts);
}

bool prep_jpeg_compact_encoder_write(
    prep_jpeg_compact_encoder *encoder, const uint8_t *icc_profile, size_t icc_byte_count, uint8_t **output,
    size_t *output_count) {
    const size_t max_icc_byte_count = 255 * (size_t)65519;
    const bool is_quantized = prep_has_all_rows(encoder) && encoder->parts[0].tokens.count > 0;
    if (!is_quantized || icc_byte_count > max_icc_byte_count) return false;
    output_buffer buffer = {0};
    prep_append_file_header(&buffer, encoder, icc_profile, icc_byte_count);
    if (encoder->image.is_progressive) prep_append_progressive_scans(&buffer, encoder);
    else append_baseline_scan(&buffer, encoder);
    static const uint8_t end_of_image[2] = {0xFF, 0xD9};
    prep_output_append(&buffer, end_of_image, sizeof end_of_image);
    if (buffer.has_failed) {
        free(buffer.bytes);
        return false;
    }
    // The unused rest is released. A buffer that shrinks is not copied.
    uint8_t *shrunk = realloc(buffer.bytes, buffer.count);
    *output = shrunk ? shrunk : buffer.bytes;
    *output_count = buffer.count;
    return true;
}
