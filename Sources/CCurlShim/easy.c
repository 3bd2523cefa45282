#include <stdlib.h>
#include <string.h>

#include "easy.h"

static size_t on_read(char *buffer, size_t size, size_t count, void *pointer) {
    prep_curl_easy *easy = pointer;
    int64_t filled = easy->callbacks.read_body(easy->callbacks.context, (uint8_t *)buffer, size * count);
    if (filled == PREP_CURL_READ_PAUSE) return CURL_READFUNC_PAUSE;
    return filled < 0 ? CURL_READFUNC_ABORT : (size_t)filled;
}

// libcurl seeks only to offset 0, to send the body again.
static int on_seek(void *pointer, curl_off_t offset, int origin) {
    prep_curl_easy *easy = pointer;
    if (offset != 0 || origin != SEEK_SET) return CURL_SEEKFUNC_FAIL;
    return easy->callbacks.rewind_body(easy->callbacks.context) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

static size_t on_header_line(char *bytes, size_t size, size_t count, void *pointer) {
    prep_curl_easy *easy = pointer;
    return easy->callbacks.receive_header_line(easy->callbacks.context, (const uint8_t *)bytes, size * count)
        ? size * count
        : 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *pointer) {
    prep_curl_easy *easy = pointer;
    // For an empty block the return value 0 means success, not an error.
    if (size * count == 0) return 0;
    return easy->callbacks.receive_body(easy->callbacks.context, (const uint8_t *)bytes, size * count)
        ? size * count
        : 0;
}

static int on_progress(
    void *pointer, curl_off_t down_total, curl_off_t down, curl_off_t up_total, curl_off_t up) {
    prep_curl_easy *easy = pointer;
    (void)down_total, (void)down, (void)up_total;
    easy->callbacks.report_upload_progress(easy->callbacks.context, up);
    return 0;
}

#if LIBCURL_VERSION_NUM >= 0x075000
static int on_will_send_request(void *pointer, char *server, char *client, int server_port, int client_port) {
    prep_curl_easy *easy = pointer;
    (void)server, (void)client, (void)server_port, (void)client_port;
    return easy->callbacks.will_send_request(easy->callbacks.context) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}
#endif

bool prep_curl_global_init(void) {
    return prep_load_libcurl() && libcurl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool prep_curl_is_supported_url(const char *text) {
    if (!prep_load_libcurl()) return false;
    CURLU *url = libcurl.url();
    if (!url) return false;
    char *scheme = NULL, *user = NULL, *password = NULL;
    bool usable = libcurl.url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK
        && libcurl.url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK
        && (!strcmp(scheme, "http") || !strcmp(scheme, "https"))
        && libcurl.url_get(url, CURLUPART_USER, &user, 0) == CURLUE_NO_USER
        && libcurl.url_get(url, CURLUPART_PASSWORD, &password, 0) == CURLUE_NO_PASSWORD;
    libcurl.free(scheme);
    libcurl.free(user);
    libcurl.free(password);
    libcurl.url_cleanup(url);
    return usable;
}

// Sets an option; `status` keeps the first error.
#define SET_OPTION(easy, option, value) \
    do { \
        CURLcode code = libcurl.easy_setopt((easy)->curl, option, value); \
        if ((easy)->status == CURLE_OK) (easy)->status = code; \
    } while (0)

// The library that is loaded may be older than the headers.
static bool is_loaded_version_at_least(unsigned int version) {
    return libcurl.version_info(CURLVERSION_NOW)->version_num >= version;
}

// Whether `on_will_send_request` is called.
static bool announces_requests(void) {
#if LIBCURL_VERSION_NUM >= 0x075000
    return is_loaded_version_at_least(0x075000);
#else
    return false;
#endif
}

bool prep_curl_resolves_localhost_names(void) { return prep_load_libcurl() && is_loaded_version_at_least(0x075500); }

static void allow_only_http(prep_curl_easy *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    if (is_loaded_version_at_least(0x075500)) {
        SET_OPTION(easy, CURLOPT_PROTOCOLS_STR, "http,https");
        return;
    }
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    SET_OPTION(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#pragma GCC diagnostic pop
}

static void set_callbacks(prep_curl_easy *easy) {
    SET_OPTION(easy, CURLOPT_PRIVATE, easy);
    SET_OPTION(easy, CURLOPT_ERRORBUFFER, easy->error_buffer);
    SET_OPTION(easy, CURLOPT_HEADERFUNCTION, on_header_line);
    SET_OPTION(easy, CURLOPT_HEADERDATA, easy);
    SET_OPTION(easy, CURLOPT_WRITEFUNCTION, on_body);
    SET_OPTION(easy, CURLOPT_WRITEDATA, easy);
    SET_OPTION(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    SET_OPTION(easy, CURLOPT_XFERINFODATA, easy);
    SET_OPTION(easy, CURLOPT_NOPROGRESS, 0L);
#if LIBCURL_VERSION_NUM >= 0x075000
    if (announces_requests()) {
        SET_OPTION(easy, CURLOPT_PREREQFUNCTION, on_will_send_request);
        SET_OPTION(easy, CURLOPT_PREREQDATA, easy);
    }
#endif
}

prep_curl_easy *prep_curl_easy_create(const prep_curl_callbacks *callbacks) {
    if (!prep_load_libcurl()) return NULL;
    prep_curl_easy *easy = calloc(1, sizeof *easy);
    if (!easy) return NULL;
    easy->callbacks = *callbacks;
    easy->curl = libcurl.easy_init();
    if (!easy->curl) {
        free(easy);
        return NULL;
    }
    set_callbacks(easy);
    allow_only_http(easy);
    SET_OPTION(easy, CURLOPT_NOSIGNAL, 1L);
    SET_OPTION(easy, CURLOPT_FOLLOWLOCATION, 0L);
    SET_OPTION(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    SET_OPTION(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    SET_OPTION(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET_OPTION(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    SET_OPTION(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET_OPTION(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, 250L);
    // Without this option, a transfer that ends during name resolution blocks the thread, and all other transfers,
    // until the resolver returns.
#if LIBCURL_VERSION_NUM >= 0x075700
    if (is_loaded_version_at_least(0x075700)) SET_OPTION(easy, CURLOPT_QUICK_EXIT, 1L);
#endif
    return easy;
}

void prep_curl_easy_destroy(prep_curl_easy *easy) {
    libcurl.easy_cleanup(easy->curl);
    libcurl.slist_free_all(easy->headers);
    free(easy);
}

void prep_curl_easy_set_method_and_url(prep_curl_easy *easy, const char *method, const char *url) {
    SET_OPTION(easy, CURLOPT_URL, url);
    SET_OPTION(easy, CURLOPT_CUSTOMREQUEST, method);
    // The response to a HEAD request has no body, whatever its Content-Length is.
    if (!strcmp(method, "HEAD")) SET_OPTION(easy, CURLOPT_NOBODY, 1L);
}

void prep_curl_easy_disable_proxies(prep_curl_easy *easy) { SET_OPTION(easy, CURLOPT_NOPROXY, "*"); }

void prep_curl_easy_add_header(prep_curl_easy *easy, const char *line) {
    struct curl_slist *longer = libcurl.slist_append(easy->headers, line);
    if (!longer) {
        easy->status = CURLE_OUT_OF_MEMORY;
        return;
    }
    easy->headers = longer;
}

void prep_curl_easy_set_bearer_token(prep_curl_easy *easy, const char *token) {
    SET_OPTION(easy, CURLOPT_XOAUTH2_BEARER, token);
    SET_OPTION(easy, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
}

void prep_curl_easy_set_body(prep_curl_easy *easy, int64_t length, int64_t chunk) {
    SET_OPTION(easy, CURLOPT_UPLOAD, 1L);
    SET_OPTION(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)length);
    SET_OPTION(easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)chunk);
    SET_OPTION(easy, CURLOPT_READFUNCTION, on_read);
    SET_OPTION(easy, CURLOPT_READDATA, easy);
    SET_OPTION(easy, CURLOPT_SEEKFUNCTION, on_seek);
    SET_OPTION(easy, CURLOPT_SEEKDATA, easy);
    // libcurl up to at least 7.88 sends a request again without rewinding its body if it had read part of the body but
    // sent none. `will_send_request` detects this. libcurl before 7.80 has no such callback, so there no connection is
    // reused.
    if (!announces_requests()) prep_curl_easy_require_new_connection(easy);
}

void prep_curl_easy_require_new_connection(prep_curl_easy *easy) { SET_OPTION(easy, CURLOPT_FRESH_CONNECT, 1L); }

void prep_curl_easy_set_ca_file(prep_curl_easy *easy, const char *path) {
    SET_OPTION(easy, CURLOPT_CAINFO, path);
    SET_OPTION(easy, CURLOPT_CAPATH, NULL);
}

void prep_curl_easy_set_timeouts(prep_curl_easy *easy, int64_t connect_ms, int64_t total_ms) {
    SET_OPTION(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)connect_ms);
    SET_OPTION(easy, CURLOPT_TIMEOUT_MS, (long)total_ms);
}

void prep_curl_easy_set_max_idle_age(prep_curl_easy *easy, int64_t seconds) {
    SET_OPTION(easy, CURLOPT_MAXAGE_CONN, (long)seconds);
}

void prep_curl_easy_set_user_agent(prep_curl_easy *easy, const char *name) {
    SET_OPTION(easy, CURLOPT_USERAGENT, name);
}

void prep_curl_easy_resume(prep_curl_easy *easy) { libcurl.easy_pause(easy->curl, CURLPAUSE_CONT); }

int64_t prep_curl_easy_sent_body_bytes(const prep_curl_easy *easy) {
    curl_off_t sent = 0;
    libcurl.easy_getinfo(easy->curl, CURLINFO_SIZE_UPLOAD_T, &sent);
    return sent;
}

bool prep_curl_easy_has_sent_request_bytes(const prep_curl_easy *easy) {
    long sent = 0;
    libcurl.easy_getinfo(easy->curl, CURLINFO_REQUEST_SIZE, &sent);
    return sent > 0;
}

int64_t prep_curl_easy_response_content_length(const prep_curl_easy *easy) {
    curl_off_t length = -1;
    libcurl.easy_getinfo(easy->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    return length;
}

const char *prep_curl_easy_error_message(const prep_curl_easy *easy) {
    const char *general = libcurl.easy_strerror(easy->status);
    switch (easy->status) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_OPERATION_TIMEDOUT:
        break;
    // libcurl up to at least 8.5 also uses this code for a header line of over 100 kB.
    case CURLE_OUT_OF_MEMORY:
        return "a line is too long, or memory is exhausted";
    default:
        // The texts of other errors can quote the request, a path or the response.
        return general;
    }
    // Some of these texts quote a proxy's URL, which can contain a password.
    bool may_quote_url = !easy->error_buffer[0] || strstr(easy->error_buffer, "://") || strchr(easy->error_buffer, '@');
    return may_quote_url ? general : easy->error_buffer;
}
