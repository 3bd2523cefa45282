// Compares the kernels of this processor with their specifications, and decodes JPEGs with each instruction set.
//
//   compare ROUNDS FILE...
//
// Prints checksums of each file's samples at full and at half size, which are the same on every processor.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../Decoders/jpeg_file.h"
#include "../Decoders/support.h"

enum { CAPACITY = 1 << 25 };

static uint8_t bytes[CAPACITY], planes[CAPACITY];

// Reads from the frame header what libjpeg would find.
static bool read_header(size_t count, prep_jpeg_header *header) {
    int32_t across = 1, down = 1;
    size_t i = 2;
    while (i + 20 < count && (bytes[i + 1] < 0xC0 || bytes[i + 1] > 0xC2))
        i += 2 + (size_t)(bytes[i + 2] << 8 | bytes[i + 3]);
    if (i + 20 >= count) return false;
    const uint8_t *frame = bytes + i + 4;
    *header = (prep_jpeg_header){
        .width = (uint32_t)(frame[3] << 8 | frame[4]), .height = (uint32_t)(frame[1] << 8 | frame[2]),
        .component_count = frame[5]};
    for (int32_t c = 0; c < header->component_count; c++) {
        header->components[c].horizontal_sampling = header->component_count == 1 ? 1 : frame[7 + 3 * c] >> 4;
        header->components[c].vertical_sampling = header->component_count == 1 ? 1 : frame[7 + 3 * c] & 15;
        if (header->components[c].horizontal_sampling > across) across = header->components[c].horizontal_sampling;
        if (header->components[c].vertical_sampling > down) down = header->components[c].vertical_sampling;
    }
    for (int32_t c = 0; c < header->component_count; c++) {
        const int32_t width = (int32_t)header->width * header->components[c].horizontal_sampling;
        header->components[c].blocks_per_row = ((width + across - 1) / across + 7) / 8;
        const bool is_stored_at_half_size = across % (2 * header->components[c].horizontal_sampling) == 0
            && down % (2 * header->components[c].vertical_sampling) == 0;
        header->components[c].half_size_block_size = is_stored_at_half_size ? 8 : 4;
    }
    return true;
}

// Decodes a file to planes one below the other. Returns a checksum of them (FNV-1a), or 0 for a set that this processor
// does not have.
static uint64_t decode(const jpeg_description *file, prep_jpeg_fast_instruction_set set) {
    prep_jpeg_fast_decoder *decoder = prep_jpeg_fast_decoder_create(&file->image, file->scans, file->scan_count, set);
    if (!decoder && is_required_set(set)) fail("a file is not supported");
    if (!decoder) return 0;
    const prep_jpeg_fast_component *first = &file->image.components[0];
    size_t offsets[3], strides[3], row_counts[3], end = 0;
    for (int32_t c = 0; c < file->image.component_count; c++) {
        const prep_jpeg_fast_component *component = &file->image.components[c];
        offsets[c] = end;
        strides[c] = (size_t)(component->blocks_per_row * component->block_size);
        row_counts[c] = (size_t)(component->vertical_sampling * component->block_size);
        end += strides[c] * ((size_t)(component->block_row_count * component->block_size) + row_counts[c]);
    }
    if (end > CAPACITY) fail("a file is too large");
    memset(planes, 0, end);
    for (int32_t row = 0; row < first->block_row_count; row += first->vertical_sampling) {
        if (!prep_jpeg_fast_decoder_read_mcu_row(decoder, bytes, planes, offsets, strides)) fail("a file is damaged");
        for (int32_t c = 0; c < file->image.component_count; c++) offsets[c] += strides[c] * row_counts[c];
    }
    if (!prep_jpeg_fast_decoder_has_consumed_all(decoder)) fail("a file has extra data");
    prep_jpeg_fast_decoder_destroy(decoder);
    uint64_t checksum = 0xCBF29CE484222325;
    for (size_t i = 0; i < end; i++) checksum = (checksum ^ planes[i]) * 0x100000001B3;
    return checksum;
}

static uint64_t decode_with_each_set(const char *path, bool is_half_size) {
    static jpeg_description description;
    prep_jpeg_header header;
    FILE *file = fopen(path, "rb");
    const size_t count = file ? fread(bytes, 1, CAPACITY, file) : 0;
    if (!file || fclose(file) != 0) fail(path);
    if (!read_header(count, &header) || !jpeg_describe(bytes, count, &header, is_half_size, &description)) fail(path);
    const uint64_t expected = decode(&description, PREP_JPEG_FAST_PORTABLE);
    for (int set = PREP_JPEG_FAST_AVX2; set <= PREP_JPEG_FAST_NEON; set++) {
        const uint64_t checksum = decode(&description, (prep_jpeg_fast_instruction_set)set);
        if (checksum != 0 && checksum != expected) fail("other samples than those of the portable transform");
    }
    return expected;
}

int main(int argc, char **argv) {
    random_seed(1);
    uint64_t comparisons = 0;
    for (int round = argc > 1 ? atoi(argv[1]) : 0; round > 0; round--) comparisons += kernel_round();
    fprintf(stderr, "%" PRIu64 " results of kernels compared\n", comparisons);
    for (int i = 2; i < argc; i++) {
        const uint64_t full = decode_with_each_set(argv[i], false), half = decode_with_each_set(argv[i], true);
        printf("%016" PRIx64 " %016" PRIx64 " %s\n", full, half, argv[i]);
    }
    return 0;
}
