// The markers of a file, in the order in which libjpeg writes them. Source: T.81, annex B; JFIF 1.02; ICC.1, annex B.4.

#include "encoder.h"

static void append_byte(output_buffer *output, uint32_t value) {
    const uint8_t byte = (uint8_t)value;
    prep_output_append(output, &byte, 1);
}

static void append_16_bits(output_buffer *output, uint32_t value) {
    append_byte(output, value >> 8);
    append_byte(output, value);
}

// Appends a marker and the length of its segment, which has `count` bytes after that.
static void append_marker(output_buffer *output, uint32_t marker, size_t count) {
    append_16_bits(output, 0xFF00 | marker);
    append_16_bits(output, (uint32_t)count + 2);
}

static void append_icc_profile(output_buffer *output, const uint8_t *profile, size_t count) {
    static const char identifier[12] = "ICC_PROFILE";
    const size_t max_part = 65533 - sizeof identifier - 2, part_count = (count + max_part - 1) / max_part;
    for (size_t i = 0; i < part_count; i++) {
        const size_t start = i * max_part, part = count - start < max_part ? count - start : max_part;
        append_marker(output, 0xE2, sizeof identifier + 2 + part);
        prep_output_append(output, identifier, sizeof identifier);
        append_byte(output, (uint32_t)i + 1);
        append_byte(output, (uint32_t)part_count);
        prep_output_append(output, profile + start, part);
    }
}

static void append_frame_header(output_buffer *output, const prep_jpeg_compact_encoder *encoder) {
    const prep_jpeg_compact_image *image = &encoder->image;
    append_marker(output, image->is_progressive ? 0xC2 : 0xC0, 6 + 3 * (size_t)image->component_count);
    append_byte(output, 8);
    append_16_bits(output, image->height);
    append_16_bits(output, image->width);
    append_byte(output, (uint32_t)image->component_count);
    for (int32_t c = 0; c < image->component_count; c++) {
        const component_state *component = &encoder->components[c];
        append_byte(output, (uint32_t)c + 1);
        append_byte(output, (uint32_t)(component->horizontal_sampling << 4 | component->vertical_sampling));
        append_byte(output, c > 0);
    }
}

void prep_append_file_header(
    output_buffer *output, const prep_jpeg_compact_encoder *encoder, const uint8_t *icc_profile,
    size_t icc_byte_count) {
    static const uint8_t start[] = {
        0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0};
    prep_output_append(output, start, sizeof start);
    append_icc_profile(output, icc_profile, icc_byte_count);
    for (uint32_t i = 0; i < (encoder->image.component_count > 1 ? 2 : 1); i++) {
        append_marker(output, 0xDB, 65);
        append_byte(output, i);
        prep_output_append(output, encoder->quantizers[i].table, 64);
    }
    append_frame_header(output, encoder);
}

// The tables are those of luma's DC and AC symbols, and of chroma's.
static void append_huffman_tables(output_buffer *output, const huffman_table tables[4]) {
    static const uint8_t classes_and_destinations[4] = {0x00, 0x10, 0x01, 0x11};
    for (int32_t i = 0; i < 4; i++) {
        if (tables[i].symbol_count == 0) continue;
        append_marker(output, 0xC4, 17 + (size_t)tables[i].symbol_count);
        append_byte(output, classes_and_destinations[i]);
        prep_output_append(output, tables[i].code_counts, 16);
        prep_output_append(output, tables[i].symbols, (size_t)tables[i].symbol_count);
    }
}

void prep_append_scan_header(
    output_buffer *output, const prep_jpeg_compact_encoder *encoder, const scan_description *scan,
    const huffman_table tables[4]) {
    // A scan of a progressive file needs either DC tables or an AC table.
    const bool has_dc = scan->spectral_start == 0, has_ac = scan->spectral_end > 0;
    append_huffman_tables(output, tables);
    append_marker(output, 0xDA, 4 + 2 * (size_t)scan->component_count);
    append_byte(output, (uint32_t)scan->component_count);
    for (int32_t c = scan->first_component; c < scan->first_component + scan->component_count; c++) {
        const uint32_t table = encoder->components[c].quantizer->first_symbol == CHROMA_DC;
        append_byte(output, (uint32_t)c + 1);
        append_byte(output, (has_dc ? table << 4 : 0) | (has_ac && !encoder->image.is_progressive ? table : 0));
    }
    append_byte(output, (uint32_t)scan->spectral_start);
    append_byte(output, (uint32_t)scan->spectral_end);
    append_byte(output, (uint32_t)(scan->approximation_high << 4 | scan->approximation_low));
}
