#include "curl_shim.h"
#include "libcurl.h"

int64_t prep_curl_parse_http_date(const char *text) { return prep_load_libcurl() ? libcurl.getdate(text, NULL) : -1; }
