#define _GNU_SOURCE
#include "decoder_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "system_call_filter.h"

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static pid_t host;

bool prep_worker_has_socket(void) {
    struct stat status;
    return fstat(0, &status) == 0 && S_ISSOCK(status.st_mode);
}

uint64_t prep_worker_address_space(void) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%llu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void close_descriptors(int first) {
#if defined(__linux__) && defined(SYS_close_range)
    if (syscall(SYS_close_range, (unsigned)first, ~0u, 0u) == 0) return;
#endif
    const long limit = sysconf(_SC_OPEN_MAX);
    for (int descriptor = first; descriptor < (limit > 0 && limit < 65536 ? limit : 65536); descriptor++)
        close(descriptor);
}

// Limits a resource to `value`, unless its limit is lower already: raising a hard limit needs a privilege.
static int limit_resource(int resource, rlim_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return errno;
    if (limit.rlim_max > value) limit.rlim_max = value;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

// Ends the process if its parent is no longer the host.
static void check_host(int signal) {
    (void)signal;
    if (getppid() != host) _exit(0);
}

static void set_signal_handler(int signal, void (*handler)(int)) {
    struct sigaction action = {0};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, NULL);
}

int prep_worker_confine(uint64_t cpu_seconds) {
    host = getppid();
    // A signal to the process group, as from a terminal that is closed, is for the host, which finishes its images or
    // ends. The worker then ends with it.
    set_signal_handler(SIGHUP, SIG_IGN);
    set_signal_handler(SIGINT, SIG_IGN);
    set_signal_handler(SIGQUIT, SIG_IGN);
    set_signal_handler(SIGTERM, SIG_IGN);
    set_signal_handler(SIGPIPE, SIG_IGN);
    set_signal_handler(SIGALRM, check_host);
    close_descriptors(3);
    if (chdir("/") != 0) return errno;
    int error = limit_resource(RLIMIT_CORE, 0);
    if (error == 0) error = limit_resource(RLIMIT_FSIZE, 0);
    if (error == 0) error = limit_resource(RLIMIT_NOFILE, 3);
    if (error == 0) error = limit_resource(RLIMIT_NPROC, 0);
    if (error == 0) error = limit_resource(RLIMIT_CPU, (rlim_t)cpu_seconds);
#if defined(__linux__)
    // Other processes of the user cannot trace it, and it gains no privileges.
    if (error == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) error = errno;
    if (error == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) error = errno;
#endif
    return error != 0 ? error : prep_filter_system_calls();
}

static void set_timer(suseconds_t microseconds) {
    const struct timeval interval = {0, microseconds};
    const struct itimerval timer = {interval, interval};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void prep_worker_begin_work(void) {
    enum { CHECK_INTERVAL = 50000 };
    set_timer(CHECK_INTERVAL);
}

void prep_worker_finish_work(void) { set_timer(0); }

int64_t prep_worker_cpu_milliseconds(void) {
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
        (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000;
}

bool prep_worker_send(const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        const ssize_t written = write(0, next, count);
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) next += written, count -= (size_t)written;
    }
    return true;
}

bool prep_worker_receive(void *bytes, size_t count) {
    char *next = bytes;
    while (count > 0) {
        const ssize_t received = read(0, next, count);
        if (received == 0 || (received < 0 && errno != EINTR)) return false;
        if (received > 0) next += received, count -= (size_t)received;
    }
    return true;
}
