#include "jpeg_file.h"

#include <string.h>

enum { SOI = 0xD8, EOI = 0xD9, SOS = 0xDA, DQT = 0xDB, DRI = 0xDD, DHP = 0xDE, DHT = 0xC4, JPG = 0xC8, DAC = 0xCC };
enum { MISSING = 16 }; // more bits than a coefficient has

typedef struct {
    const uint8_t *bytes;
    size_t position, end;
} reader;

typedef struct {
    uint8_t marker;
    size_t start, payload, end, data_end; // `data_end` of a scan's data, which starts at `end`
} segment;

typedef struct {
    uint16_t quantization[4][64];
    prep_jpeg_fast_huffman_table huffman[2][4];
    bool has_quantization[4], has_huffman[2][4];
    uint32_t restart_interval;
} tables;

typedef struct {
    uint8_t marker;
    uint32_t width, height;
    int32_t count, identifiers[4], horizontal[4], vertical[4], quantization[4];
} frame;

typedef struct {
    int missing[4][64]; // low bits of each coefficient
} coverage;

static int take(reader *reader) { return reader->position < reader->end ? reader->bytes[reader->position++] : -1; }

static size_t next_marker(const uint8_t *bytes, size_t count, size_t position) {
    for (; position + 1 < count; position++) {
        if (bytes[position] == 0xFF && bytes[position + 1] != 0 && bytes[position + 1] != 0xFF) return position;
    }
    return count;
}

static size_t end_of_scan(const uint8_t *bytes, size_t count, size_t position) {
    for (;;) {
        position = next_marker(bytes, count, position);
        if (position == count || (bytes[position + 1] & 0xF8) != 0xD0) return position;
        position += 2;
    }
}

// Finds the next segment at or after `position`. Returns false at the end of the file, or if the segment is truncated.
static bool find_segment(const uint8_t *bytes, size_t count, size_t position, segment *out) {
    const size_t start = next_marker(bytes, count, position);
    if (start == count) return false;
    const uint8_t marker = bytes[start + 1];
    *out = (segment){.marker = marker, .start = start, .payload = start + 2, .end = start + 2, .data_end = start + 2};
    if (marker == 0x01 || (marker >= 0xD0 && marker <= EOI)) return true;
    if (count - start < 4) return false;
    const size_t declared = (size_t)(bytes[start + 2] << 8 | bytes[start + 3]), length = declared < 2 ? 2 : declared;
    if (count - start - 2 < length) return false;
    out->payload = start + 4;
    out->end = start + 2 + length;
    out->data_end = marker == SOS ? end_of_scan(bytes, count, out->end) : out->end;
    return true;
}

static bool is_frame(uint8_t marker) {
    return marker == DHP || (marker >= 0xC0 && marker <= 0xCF && marker != DHT && marker != JPG && marker != DAC);
}

static bool read_quantization(reader *reader, tables *tables) {
    const int kind = take(reader);
    if (kind < 0 || kind >> 4 > 1 || (kind & 15) > 3) return false;
    for (int i = 0; i < 64; i++) {
        int value = take(reader);
        if (kind >> 4 == 1 && value >= 0) {
            const int low = take(reader);
            value = low < 0 ? -1 : value << 8 | low;
        }
        if (value < 0) return false;
        tables->quantization[kind & 15][i] = (uint16_t)value;
    }
    return tables->has_quantization[kind & 15] = true;
}

static bool read_huffman(reader *reader, tables *tables) {
    const int kind = take(reader);
    if (kind < 0 || kind >> 4 > 1 || (kind & 15) > 3 || reader->end - reader->position < 16) return false;
    prep_jpeg_fast_huffman_table *table = &tables->huffman[kind >> 4][kind & 15];
    memset(table, 0, sizeof *table);
    size_t total = 0;
    for (int i = 0; i < 16; i++) total += table->code_counts[i] = (uint8_t)take(reader);
    if (total > 256 || total > reader->end - reader->position) return false;
    for (size_t i = 0; i < total; i++) table->symbols[i] = (uint8_t)take(reader);
    return tables->has_huffman[kind >> 4][kind & 15] = true;
}

static bool read_tables(const uint8_t *bytes, const segment *segment, tables *tables) {
    reader reader = {bytes, segment->payload, segment->end};
    if (segment->marker == DQT) {
        while (reader.position < reader.end) if (!read_quantization(&reader, tables)) return false;
    } else if (segment->marker == DHT) {
        do { if (!read_huffman(&reader, tables)) return false; } while (reader.position < reader.end);
    } else if (segment->marker == DRI) {
        if (segment->end - segment->payload != 2) return false;
        tables->restart_interval = (uint32_t)(bytes[segment->payload] << 8 | bytes[segment->payload + 1]);
    }
    return true;
}

static bool read_frame(const uint8_t *bytes, const segment *segment, frame *out) {
    const uint8_t *payload = bytes + segment->payload;
    const size_t count = segment->end - segment->payload;
    if (segment->marker > 0xC2 || count < 6 || payload[0] != 8 || count != 6 + 3 * (size_t)payload[5]) return false;
    *out = (frame){.marker = segment->marker, .count = payload[5]};
    out->height = (uint32_t)(payload[1] << 8 | payload[2]);
    out->width = (uint32_t)(payload[3] << 8 | payload[4]);
    if (out->width == 0 || out->height == 0 || (out->count != 1 && out->count != 3)) return false;
    for (int32_t c = 0; c < out->count; c++) {
        const uint8_t *component = payload + 6 + 3 * c;
        out->identifiers[c] = component[0];
        out->horizontal[c] = component[1] >> 4;
        out->vertical[c] = component[1] & 15;
        out->quantization[c] = component[2];
        if (out->horizontal[c] < 1 || out->horizontal[c] > 4) return false;
        if (out->vertical[c] < 1 || out->vertical[c] > 4) return false;
    }
    return true;
}

static int32_t divide_up(uint32_t value, int32_t divisor) {
    return (int32_t)((value + (uint32_t)divisor - 1) / (uint32_t)divisor);
}

static bool describe_image(
    const frame *frame, const tables *tables, const prep_jpeg_header *header, bool is_half_size,
    prep_jpeg_fast_image *out) {
    int32_t across = 1, down = 1;
    for (int32_t c = 0; c < frame->count; c++) {
        if (header->components[c].horizontal_sampling > across) across = header->components[c].horizontal_sampling;
        if (header->components[c].vertical_sampling > down) down = header->components[c].vertical_sampling;
    }
    if (frame->count == 1 && across * down != 1) return false;
    *out = (prep_jpeg_fast_image){.component_count = frame->count, .is_progressive = frame->marker == 0xC2};
    out->mcus_per_row = divide_up(header->width, 8 * across);
    for (int32_t c = 0; c < frame->count; c++) {
        const int32_t table = frame->quantization[c];
        if (table > 3 || !tables->has_quantization[table]) return false;
        prep_jpeg_fast_component *component = &out->components[c];
        component->horizontal_sampling = header->components[c].horizontal_sampling;
        component->vertical_sampling = header->components[c].vertical_sampling;
        component->blocks_per_row = header->components[c].blocks_per_row;
        component->block_size = is_half_size ? header->components[c].half_size_block_size : 8;
        component->block_row_count = divide_up(header->height * (uint32_t)component->vertical_sampling, 8 * down);
        for (int i = 0; i < 64; i++) {
            if (tables->quantization[table][i] > 4095) return false;
            component->quantization_table[i] = tables->quantization[table][i];
        }
    }
    return true;
}

// Adds a scan. Returns false if it does not continue with the next bits.
static bool cover(coverage *coverage, const prep_jpeg_fast_scan *scan, int high_bits) {
    for (int32_t i = 0; i < scan->component_count; i++) {
        int *missing = coverage->missing[scan->component_indices[i]];
        if (scan->spectral_start > 0 && missing[0] == MISSING) return false;
        for (int32_t k = scan->spectral_start; k <= scan->spectral_end; k++) {
            if (missing[k] != (high_bits == 0 ? MISSING : high_bits)) return false;
            if (high_bits > 0 && scan->approximation_low != high_bits - 1) return false;
            missing[k] = scan->approximation_low;
        }
    }
    return true;
}

static bool is_complete(const coverage *coverage, int32_t components) {
    for (int32_t c = 0; c < components; c++) {
        for (int k = 0; k < 64; k++) if (coverage->missing[c][k] != 0) return false;
    }
    return true;
}

// Finds a scan's components and tables. Returns false if some are missing, or the components are not in the frame's
// order.
static bool describe_components(
    const frame *frame, const tables *tables, const uint8_t *payload, bool needs_dc, bool needs_ac,
    prep_jpeg_fast_scan *out) {
    for (int32_t i = 0; i < payload[0]; i++) {
        int32_t c = i == 0 ? 0 : out->component_indices[i - 1] + 1;
        for (int32_t earlier = 0; earlier < c; earlier++) {
            bool is_taken = false;
            for (int32_t j = 0; j < i; j++) is_taken = is_taken || out->component_indices[j] == earlier;
            if (!is_taken && frame->identifiers[earlier] == payload[1 + 2 * i]) return false;
        }
        while (c < frame->count && frame->identifiers[c] != payload[1 + 2 * i]) c++;
        if (c == frame->count) return false;
        out->component_indices[i] = c;
        const uint8_t numbers = payload[2 + 2 * i];
        const int dc = numbers >> 4, ac = numbers & 15;
        if (needs_dc && (dc > 3 || !tables->has_huffman[0][dc])) return false;
        if (needs_ac && (ac > 3 || !tables->has_huffman[1][ac])) return false;
        if (needs_dc) out->dc_tables[i] = tables->huffman[0][dc];
        if (needs_ac) out->ac_tables[i] = tables->huffman[1][ac];
    }
    return true;
}

static bool describe_scan(
    const uint8_t *bytes, const segment *segment, const frame *frame, const tables *tables, coverage *coverage,
    prep_jpeg_fast_scan *out) {
    const uint8_t *payload = bytes + segment->payload;
    const size_t count = segment->end - segment->payload;
    if (count < 1 || payload[0] < 1 || payload[0] > frame->count || count != 4 + 2 * (size_t)payload[0]) return false;
    const uint8_t first = payload[count - 3], last = payload[count - 2], bits = payload[count - 1];
    const bool is_progressive = frame->marker == 0xC2;
    memset(out, 0, sizeof *out);
    out->component_count = payload[0];
    out->spectral_start = first;
    out->spectral_end = last;
    out->approximation_low = bits & 15;
    out->is_refinement = bits >> 4 > 0;
    out->restart_interval = tables->restart_interval;
    out->data_start = segment->end;
    out->data_end = segment->data_end;
    const bool is_allowed = is_progressive
        ? first <= last && last < 64 && (last == 0 || (first > 0 && payload[0] == 1)) && out->approximation_low <= 10
        : first == 0 && last == 63 && bits == 0 && payload[0] == frame->count;
    return is_allowed
        && describe_components(frame, tables, payload, first == 0 && !out->is_refinement, last > 0, out)
        && cover(coverage, out, bits >> 4);
}

bool jpeg_describe(
    const uint8_t *bytes, size_t count, const prep_jpeg_header *header, bool is_half_size, jpeg_description *out) {
    tables tables = {0};
    frame frame = {0};
    coverage coverage;
    for (int i = 0; i < 4 * 64; i++) coverage.missing[i / 64][i % 64] = MISSING;
    out->scan_count = 0;
    size_t position = 2;
    bool ends_with_scan = false;
    segment segment;
    while (find_segment(bytes, count, position, &segment)) {
        // After the first scan, only scans and their tables may follow, without other bytes.
        if (out->scan_count > 0 && segment.start != position) return false;
        if (segment.marker == EOI) {
            out->width = frame.width;
            out->height = frame.height;
            return ends_with_scan && is_complete(&coverage, frame.count);
        }
        if (is_frame(segment.marker) && (frame.count > 0 || !read_frame(bytes, &segment, &frame))) return false;
        if (segment.marker != SOS) {
            const bool is_allowed = segment.marker == DHT || segment.marker == DRI;
            if ((out->scan_count > 0 && !is_allowed) || !read_tables(bytes, &segment, &tables)) return false;
        } else {
            if (frame.count == 0 || frame.count != header->component_count) return false;
            if (out->scan_count == (frame.marker == 0xC2 ? MAX_SCANS : 1)) return false;
            if (out->scan_count == 0 && !describe_image(&frame, &tables, header, is_half_size, &out->image))
                return false;
            prep_jpeg_fast_scan *scan = &out->scans[out->scan_count++];
            if (!describe_scan(bytes, &segment, &frame, &tables, &coverage, scan)) return false;
        }
        ends_with_scan = segment.marker == SOS;
        position = segment.data_end;
    }
    return false;
}

size_t jpeg_first_scan_data(const uint8_t *bytes, size_t count) {
    segment segment;
    for (size_t position = 2; find_segment(bytes, count, position, &segment); position = segment.data_end) {
        if (segment.marker == SOS) return segment.end;
    }
    return 0;
}
