#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include "CFloors.h"

struct errors {
    struct jpeg_error_mgr base;
    jmp_buf jump;
};

static void leave(j_common_ptr codec) { longjmp(((struct errors *)codec->err)->jump, 1); }

static void say_nothing(j_common_ptr codec) { (void)codec; }

int64_t floor_read_coefficients(const uint8_t *bytes, size_t count) {
    struct jpeg_decompress_struct codec;
    struct errors errors;
    int64_t blocks = 0;
    codec.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = leave;
    errors.base.output_message = say_nothing;
    jpeg_create_decompress(&codec);
    if (setjmp(errors.jump)) {
        jpeg_destroy_decompress(&codec);
        return -1;
    }
    jpeg_mem_src(&codec, bytes, count);
    jpeg_read_header(&codec, TRUE);
    jpeg_read_coefficients(&codec);
    for (int c = 0; c < codec.num_components; c++) {
        blocks += (int64_t)codec.comp_info[c].width_in_blocks * codec.comp_info[c].height_in_blocks;
    }
    jpeg_destroy_decompress(&codec);
    return blocks;
}
