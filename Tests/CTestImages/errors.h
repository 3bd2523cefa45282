// How libjpeg's errors become a status. Private to this target.
#pragma once

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>

typedef struct {
    struct jpeg_error_mgr base; // first, so that cinfo->err is also a test_errors
    jmp_buf jump;
} test_errors;

// Fills in the error manager of a codec: errors jump, warnings are kept quiet.
struct jpeg_error_mgr *test_errors_init(test_errors *errors);
