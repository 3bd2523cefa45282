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
    const int32_t kept_rows = image->keeps_coefficients ? state->block_row_count : state->vertical_sampling;
    state->coefficients = malloc((size_t)kept_rows * (size_t)state->blocks_per_row * 64 * sizeof *state->coefficients);
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
    memset(encoder->counts, 0, sizeof encoder->counts);
    encoder->token_count = 0;
    for (int32_t c = 0; c < image->component_count; c++) encoder->components[c].dc_predictor = 0;
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
    if (is_valid && init_block_starts(encoder)) {
        restart(encoder, quality);
        return encoder;
    }
    prep_jpeg_compact_encoder_destroy(encoder);
    return NULL;
}

void prep_jpeg_compact_encoder_destroy(prep_jpeg_compact_encoder *encoder) {
    for (int32_t c = 0; c < PREP_JPEG_COMPACT_MAX_COMPONENTS; c++) free(encoder->components[c].coefficients);
    free(encoder->quantizers);
    free(encoder->tokens);
    free(encoder->block_starts);
    free(encoder);
}

uint32_t prep_jpeg_compact_encoder_mcu_row_count(const prep_jpeg_compact_encoder *encoder) {
    return encoder->mcu_row_count;
}

bool prep_reserve_tokens(token **tokens, size_t token_count, size_t *capacity, size_t count) {
    if (*capacity - token_count >= count) return true;
    const size_t new_capacity = *capacity * 2 + count;
    token *grown = realloc(*tokens, new_capacity * sizeof **tokens);
    if (!grown) return false;
    *tokens = grown;
    *capacity = new_capacity;
    return true;
}

// Returns the coefficients of a row of blocks of a component.
static int16_t *coefficient_row(
    const prep_jpeg_compact_encoder *encoder, const component_state *component, uint32_t mcu_row, int32_t y) {
    const uint32_t first = encoder->image.keeps_coefficients ? mcu_row * (uint32_t)component->vertical_sampling : 0;
    return component->coefficients + (first + (size_t)y) * (size_t)component->blocks_per_row * 64;
}

// Returns how many rows of blocks of a row of MCUs have samples.
static int32_t block_rows_with_samples(const component_state *component, uint32_t mcu_row) {
    const int32_t rest = component->block_row_count - (int32_t)mcu_row * component->vertical_sampling;
    return rest < component->vertical_sampling ? rest : component->vertical_sampling;
}

static void transform_component(
    const prep_jpeg_compact_encoder *encoder, const component_state *component, const prep_jpeg_compact_rows *rows) {
    const int32_t block_rows = block_rows_with_samples(component, encoder->next_mcu_row);
    for (int32_t y = 0; y < block_rows; y++) {
        const uint8_t *pointers[8];
        for (uint32_t i = 0; i < 8; i++) {
            const uint32_t row = 8 * (uint32_t)y + i;
            pointers[i] = rows->samples + (row < rows->row_count ? row : rows->row_count - 1) * rows->stride;
        }
        encoder->forward_dct(
            pointers, component->blocks_per_row, coefficient_row(encoder, component, encoder->next_mcu_row, y));
    }
}

// Adds the tokens of a component's blocks in one MCU. Blocks without samples repeat the DC coefficient of the block
// before them and have no AC coefficients, as in libjpeg.
static token *code_mcu_component(
    prep_jpeg_compact_encoder *encoder, component_state *component, uint32_t mcu_row, int32_t mcu, token *tokens,
    uint32_t *block_starts) {
    const int32_t block_rows = block_rows_with_samples(component, mcu_row);
    int32_t block = component->first_block;
    for (int32_t y = 0; y < component->vertical_sampling; y++) {
        for (int32_t x = 0; x < component->horizontal_sampling; x++, block++) {
            const int32_t column = mcu * component->horizontal_sampling + x;
            if (block_starts) block_starts[block] = (uint32_t)(tokens - encoder->tokens);
            if (y < block_rows && column < component->blocks_per_row) {
                const int16_t *coefficients = coefficient_row(encoder, component, mcu_row, y) + 64 * (size_t)column;
                tokens = encoder->code_block(
                    coefficients, component->quantizer, &component->dc_predictor, tokens, encoder->counts);
            } else {
                const uint32_t first_symbol = component->quantizer->first_symbol;
                tokens = add_token(tokens, encoder->counts, first_symbol, 0);
                tokens = add_token(tokens, encoder->counts, first_symbol + LUMA_AC + END_OF_BLOCK, 0);
            }
        }
    }
    return tokens;
}

static bool quantize_mcu_row(prep_jpeg_compact_encoder *encoder, uint32_t mcu_row) {
    const size_t blocks = encoder->mcus_per_row * (size_t)encoder->blocks_per_mcu;
    if (!prep_reserve_tokens(
            &encoder->tokens, encoder->token_count, &encoder->token_capacity, blocks * MAX_TOKENS_PER_BLOCK))
        return false;
    token *tokens = encoder->tokens + encoder->token_count;
    uint32_t *block_starts = encoder->block_starts ? encoder->block_starts + mcu_row * blocks : NULL;
    for (uint32_t mcu = 0; mcu < encoder->mcus_per_row; mcu++) {
        for (int32_t c = 0; c < encoder->image.component_count; c++)
            tokens = code_mcu_component(
                encoder, &encoder->components[c], mcu_row, (int32_t)mcu, tokens, block_starts);
        if (block_starts) block_starts += encoder->blocks_per_mcu;
    }
    encoder->token_count = (size_t)(tokens - encoder->tokens);
    return true;
}

bool prep_jpeg_compact_encoder_add_mcu_row(
    prep_jpeg_compact_encoder *encoder, const prep_jpeg_compact_rows *components) {
    if (encoder->next_mcu_row == encoder->mcu_row_count) return false;
    for (int32_t c = 0; c < encoder->image.component_count; c++) {
        const size_t width = (size_t)encoder->components[c].blocks_per_row * 8;
        if (components[c].row_count == 0 || components[c].stride < width) return false;
    }
    for (int32_t c = 0; c < encoder->image.component_count; c++)
        transform_component(encoder, &encoder->components[c], &components[c]);
    const uint32_t mcu_row = encoder->next_mcu_row++;
    return encoder->image.defers_quantization || quantize_mcu_row(encoder, mcu_row);
}

bool prep_jpeg_compact_encoder_requantize(prep_jpeg_compact_encoder *encoder, int32_t quality) {
    if (!encoder->image.keeps_coefficients || encoder->next_mcu_row < encoder->mcu_row_count) return false;
    if (!is_in_range(quality, 1, 100)) return false;
    restart(encoder, quality);
    for (uint32_t row = 0; row < encoder->mcu_row_count; row++)
        if (!quantize_mcu_row(encoder, row)) return false;
    return true;
}

void prep_append_scan(
    output_buffer *output, const prep_jpeg_compact_encoder *encoder, const scan_description *scan, const token *tokens,
    size_t token_count, const uint32_t counts[SYMBOLS]) {
    huffman_table tables[4];
    token_code codes[SYMBOLS] = {0};
    for (int32_t i = 0; i < 4; i++) {
        prep_huffman_table_init(&tables[i], counts + 256 * i);
        prep_huffman_codes(&tables[i], codes + 256 * i);
    }
    for (uint32_t i = 1; encoder->image.is_progressive && i <= MAX_RAW_BITS; i++) codes[RAW_BITS + i] = i;
    prep_append_scan_header(output, encoder, scan, tables);
    prep_output_append_tokens(output, tokens, token_count, codes);
}

bool prep_jpeg_compact_encoder_write(
    prep_jpeg_compact_encoder *encoder, const uint8_t *icc_profile, size_t icc_byte_count, uint8_t **output,
    size_t *output_count) {
    const size_t max_icc_byte_count = 255 * (size_t)65519;
    const bool is_quantized = encoder->next_mcu_row == encoder->mcu_row_count && encoder->token_count > 0;
    if (!is_quantized || icc_byte_count > max_icc_byte_count) return false;
    output_buffer buffer = {0};
    prep_append_file_header(&buffer, encoder, icc_profile, icc_byte_count);
    if (encoder->image.is_progressive) {
        prep_append_progressive_scans(&buffer, encoder);
    } else {
        const scan_description scan = {.component_count = encoder->image.component_count, .spectral_end = 63};
        prep_append_scan(&buffer, encoder, &scan, encoder->tokens, encoder->token_count, encoder->counts);
    }
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
