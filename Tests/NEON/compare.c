// Compares the kernels of this processor with their specifications, and decodes and encodes JPEGs with each instruction
// set.
//
//   compare ROUNDS FILE...
//
// Prints checksums of each file's samples at half and at full size, and of the files encoded from the latter. They are
// the same on every processor.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jpeg_compact_encoder.h"

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

static uint64_t checksum_of(const uint8_t *data, size_t count) {
    uint64_t checksum = 0xCBF29CE484222325;
    for (size_t i = 0; i < count; i++) checksum = (checksum ^ data[i]) * 0x100000001B3;
    return checksum;
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
    return checksum_of(planes, end);
}

// Encodes the planes that were decoded from a file. Returns a checksum, or 0 for a set that this processor does not
// have.
static uint64_t encode(
    const prep_jpeg_fast_image *decoded, const prep_jpeg_header *header, bool is_progressive,
    prep_jpeg_compact_instruction_set set) {
    const prep_jpeg_compact_image image = {
        .width = header->width, .height = header->height, .component_count = decoded->component_count,
        .horizontal_sampling = decoded->components[0].horizontal_sampling,
        .vertical_sampling = decoded->components[0].vertical_sampling, .is_progressive = is_progressive};
    prep_jpeg_compact_encoder *encoder = prep_jpeg_compact_encoder_create(&image, 80, set);
    if (!encoder && is_required_set(set)) fail("an image is not encoded");
    if (!encoder) return 0;
    for (uint32_t row = 0; row < prep_jpeg_compact_encoder_mcu_row_count(encoder); row++) {
        prep_jpeg_compact_rows rows[3];
        size_t offset = 0;
        for (int32_t c = 0; c < decoded->component_count; c++) {
            const prep_jpeg_fast_component *component = &decoded->components[c];
            const size_t stride = (size_t)component->blocks_per_row * 8;
            const uint32_t row_count = 8 * (uint32_t)component->vertical_sampling;
            rows[c] = (prep_jpeg_compact_rows){planes + offset + row * row_count * stride, stride, row_count};
            offset += stride * (size_t)(component->block_row_count + component->vertical_sampling) * 8;
        }
        if (!prep_jpeg_compact_encoder_add_mcu_row(encoder, PREP_JPEG_COMPACT_FIRST_PART, rows))
            fail("a row is not encoded");
    }
    uint8_t *output;
    size_t count;
    if (!prep_jpeg_compact_encoder_write(encoder, NULL, 0, &output, &count)) fail("a file is not written");
    const uint64_t checksum = checksum_of(output, count);
    free(output);
    prep_jpeg_compact_encoder_destroy(encoder);
    return checksum;
}

static uint64_t encode_with_each_set(const prep_jpeg_fast_image *decoded, const prep_jpeg_header *header) {
    uint64_t sum = 0;
    for (int is_progressive = 0; is_progressive < 2; is_progressive++) {
        const uint64_t expected = encode(decoded, header, is_progressive, PREP_JPEG_COMPACT_PORTABLE);
        for (int set = PREP_JPEG_COMPACT_AVX2; set <= PREP_JPEG_COMPACT_NEON; set++) {
            const uint64_t checksum = encode(decoded, header, is_progressive, (prep_jpeg_compact_instruction_set)set);
            if (checksum != 0 && checksum != expected) fail("another file than with portable code");
        }
        sum = sum * 3 + expected;
    }
    return sum;
}

static uint64_t decode_with_each_set(
    size_t byte_count, const prep_jpeg_header *header, bool is_half_size, jpeg_description *description) {
    if (!jpeg_describe(bytes, byte_count, header, is_half_size, description)) fail("a file is not supported");
    const uint64_t expected = decode(description, PREP_JPEG_FAST_PORTABLE);
    for (int set = PREP_JPEG_FAST_AVX2; set <= PREP_JPEG_FAST_NEON; set++) {
        const uint64_t checksum = decode(description, (prep_jpeg_fast_instruction_set)set);
        if (checksum != 0 && checksum != expected) fail("other samples than those of the portable transform");
    }
    return expected;
}

static void print_checksums(const char *path) {
    static jpeg_description description;
    prep_jpeg_header header;
    FILE *file = fopen(path, "rb");
    const size_t count = file ? fread(bytes, 1, CAPACITY, file) : 0;
    if (!file || fclose(file) != 0 || !read_header(count, &header)) fail(path);
    const uint64_t half = decode_with_each_set(count, &header, true, &description);
    const uint64_t full = decode_with_each_set(count, &header, false, &description); // leaves the planes to encode
    const uint64_t encoded = encode_with_each_set(&description.image, &header);
    printf("%016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %s\n", half, full, encoded, path);
}

int main(int argc, char **argv) {
    random_seed(1);
    uint64_t comparisons = 0;
    for (int round = argc > 1 ? atoi(argv[1]) : 0; round > 0; round--) {
        comparisons += kernel_round();
        comparisons += encoder_kernel_round();
    }
    fprintf(stderr, "%" PRIu64 " results of kernels compared\n", comparisons);
    for (int i = 2; i < argc; i++) print_checksums(argv[i]);
    return 0;
}
