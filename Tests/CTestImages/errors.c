#include "errors.h"

static void on_error(j_common_ptr codec) { longjmp(((test_errors *)codec->err)->jump, 1); }

static void on_message(j_common_ptr codec, int level) {
    (void)codec;
    (void)level;
}

struct jpeg_error_mgr *test_errors_init(test_errors *errors) {
    jpeg_std_error(&errors->base);
    errors->base.error_exit = on_error;
    errors->base.emit_message = on_message;
    return &errors->base;
}
