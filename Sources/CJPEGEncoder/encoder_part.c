// From rows of samples to tokens. Two parts of an image can be coded at the same time: all that a row changes is in its
// part.
#include <stdlib.h>
#include <string.h>

#include "debug_assert.h"
#include "encoder.h"

bool prep_has_all_rows(const prep_jpeg_compact_encoder *encoder) {
    for (int32_t i = 0; i < encoder->part_count; i++)
        if (encoder->parts[i].next_mcu_row < encoder->parts[i].end_mcu_row) return false;
    return true;
}

bool prep_encoder_part_init(
    const prep_jpeg_compact_encoder *encoder, encoder_part *part, uint32_t first_mcu_row, uint32_t end_mcu_row) {
    memset(part, 0, sizeof *part);
    part->first_mcu_row = part->next_mcu_row = first_mcu_row;
    part->end_mcu_row = end_mcu_row;
    for (int32_t c = 0; c < encoder->image.component_count && !encoder->image.keeps_coefficients; c++) {
        const component_state *component = &encoder->components[c];
        const size_t block_count = (size_t)component->vertical_sampling * (size_t)component->blocks_per_row;
        part->coefficients[c] = malloc(block_count * 64 * sizeof *part->coefficients[c]);
        if (!part->coefficients[c]) return false;
    }
    return true;
}

void prep_encoder_part_restart(encoder_part *part) {
    memset(part->counts, 0, sizeof part->counts);
    memset(part->dc_predictors, 0, sizeof part->dc_predictors);
    memset(part->first_dc_predictors, 0, sizeof part->first_dc_predictors);
    part->tokens.count = 0;
}

void prep_encoder_part_destroy(encoder_part *part) {
    for (int32_t c = 0; c < PREP_JPEG_COMPACT_MAX_COMPONENTS; c++) free(part->coefficients[c]);
    free(part->tokens.items);
}

// Returns the coefficients of a row of blocks of a component.
static int16_t *coefficient_row(
    const prep_jpeg_compact_encoder *encoder, const encoder_part *part, int32_t c, uint32_t mcu_row, int32_t y) {
    const component_state *component = &encoder->components[c];
    const size_t values_per_row = (size_t)component->blocks_per_row * 64;
    if (!encoder->image.keeps_coefficients) return part->coefficients[c] + (size_t)y * values_per_row;
    const uint32_t first = mcu_row * (uint32_t)component->vertical_sampling;
    return component->coefficients + (first + (size_t)y) * values_per_row;
}

// Returns how many rows of blocks of a row of MCUs have samples.
static int32_t block_rows_with_samples(const component_state *component, uint32_t mcu_row) {
    const int32_t rest = component->block_row_count - (int32_t)mcu_row * component->vertical_sampling;
    return rest < component->vertical_sampling ? rest : component->vertical_sampling;
}

void prep_transform_mcu_row(
    const prep_jpeg_compact_encoder *encoder, const encoder_part *part, uint32_t mcu_row,
    const prep_jpeg_compact_rows *components) {
    for (int32_t c = 0; c < encoder->image.component_count; c++) {
        const component_state *component = &encoder->components[c];
        const prep_jpeg_compact_rows *rows = &components[c];
        const int32_t block_rows = block_rows_with_samples(component, mcu_row);
        for (int32_t y = 0; y < block_rows; y++) {
            const uint8_t *pointers[8];
            for (uint32_t i = 0; i < 8; i++) {
                const uint32_t row = 8 * (uint32_t)y + i;
                pointers[i] = rows->samples + (row < rows->row_count ? row : rows->row_count - 1) * rows->stride;
            }
            encoder->forward_dct(
                pointers, component->blocks_per_row, coefficient_row(encoder, part, c, mcu_row, y));
        }
    }
}

// Adds the tokens of a component's blocks in one MCU. Blocks without samples repeat the DC coefficient of the block
// before them and have no AC coefficients, as in libjpeg.
static token *code_mcu_component(
    const prep_jpeg_compact_encoder *encoder, encoder_part *part, int32_t c, uint32_t mcu_row, int32_t mcu,
    token *tokens, uint32_t *block_starts) {
    const component_state *component = &encoder->components[c];
    const int32_t block_rows = block_rows_with_samples(component, mcu_row);
    int32_t block = component->first_block;
    for (int32_t y = 0; y < component->vertical_sampling; y++) {
        for (int32_t x = 0; x < component->horizontal_sampling; x++, block++) {
            const int32_t column = mcu * component->horizontal_sampling + x;
            if (block_starts) block_starts[block] = (uint32_t)(tokens - part->tokens.items);
            if (y < block_rows && column < component->blocks_per_row) {
                const int16_t *coefficients = coefficient_row(encoder, part, c, mcu_row, y) + 64 * (size_t)column;
                tokens = encoder->code_block(
                    coefficients, component->quantizer, &part->dc_predictors[c], tokens, part->counts);
            } else {
                const uint32_t first_symbol = component->quantizer->first_symbol;
                tokens = add_token(tokens, part->counts, first_symbol, 0);
                tokens = add_token(tokens, part->counts, first_symbol + LUMA_AC + END_OF_BLOCK, 0);
            }
        }
    }
    return tokens;
}

bool prep_quantize_mcu_row(const prep_jpeg_compact_encoder *encoder, encoder_part *part, uint32_t mcu_row) {
    const size_t blocks = encoder->mcus_per_row * (size_t)encoder->blocks_per_mcu;
    if (!prep_token_buffer_reserve(&part->tokens, blocks * MAX_TOKENS_PER_BLOCK)) return false;
    token *const start = part->tokens.items, *tokens = start + part->tokens.count;
    uint32_t *block_starts = encoder->block_starts ? encoder->block_starts + mcu_row * blocks : NULL;
    for (uint32_t mcu = 0; mcu < encoder->mcus_per_row; mcu++) {
        for (int32_t c = 0; c < encoder->image.component_count; c++) {
            if (mcu == 0 && mcu_row == part->first_mcu_row) part->first_dc_tokens[c] = (size_t)(tokens - start);
            tokens = code_mcu_component(encoder, part, c, mcu_row, (int32_t)mcu, tokens, block_starts);
        }
        if (block_starts) block_starts += encoder->blocks_per_mcu;
    }
    part->tokens.count = (size_t)(tokens - start);
    return true;
}

static int32_t value_of_token(token token) {
    const uint32_t size = token >> 16 & 15;
    const int32_t bits = (int32_t)(token & 0xFFFF);
    return size == 0 || bits >> (size - 1) != 0 ? bits : bits - (1 << size) + 1;
}

// Makes the first block of a component the difference to another predictor.
static void replace_first_dc_predictor(
    const prep_jpeg_compact_encoder *encoder, encoder_part *part, int32_t c, int32_t predictor) {
    token *first = &part->tokens.items[part->first_dc_tokens[c]];
    const int32_t level = value_of_token(*first) + part->first_dc_predictors[c];
    DEBUG_ASSERT(part->counts[*first >> 16] > 0);
    part->counts[*first >> 16]--;
    add_dc_difference(first, part->counts, encoder->components[c].quantizer->first_symbol, level - predictor);
    part->first_dc_predictors[c] = predictor;
}

void prep_join_parts(prep_jpeg_compact_encoder *encoder, uint32_t counts[SYMBOLS]) {
    memcpy(counts, encoder->parts[0].counts, sizeof encoder->parts[0].counts);
    if (encoder->part_count == 1) return;
    encoder_part *second = &encoder->parts[1];
    for (int32_t c = 0; c < encoder->image.component_count; c++)
        replace_first_dc_predictor(encoder, second, c, encoder->parts[0].dc_predictors[c]);
    for (int32_t i = 0; i < SYMBOLS; i++) counts[i] += second->counts[i];
}
