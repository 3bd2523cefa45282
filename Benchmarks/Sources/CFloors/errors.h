// Converts errors of libjpeg to a status. Private to this target.
#pragma once

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

struct errors {
    struct jpeg_error_mgr base; // first, so that codec->err is also this
    jmp_buf jump;
};

// Fills in the error manager of a codec: errors jump, and nothing is printed.
struct jpeg_error_mgr *errors_init(struct errors *errors);
