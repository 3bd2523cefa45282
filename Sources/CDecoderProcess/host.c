#define _GNU_SOURCE
#include "decoder_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0 // SO_NOSIGPIPE is set instead
#endif

static int make_socket_pair(int sockets[2]) {
    // Other processes that the host starts must not keep the sockets open.
#if defined(SOCK_CLOEXEC)
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return errno;
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return errno;
    for (int i = 0; i < 2; i++) fcntl(sockets[i], F_SETFD, FD_CLOEXEC);
#endif
#if defined(SO_NOSIGPIPE)
    const int yes = 1;
    setsockopt(sockets[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
    return 0;
}

// The environment of the worker: where its libraries are, and no crash report of Swift's runtime, which would start
// another program. Everything else, such as a token, is withheld.
static char **make_environment(void) {
    static const char prefix[] = "LD_LIBRARY_PATH=";
    const char *path = getenv("LD_LIBRARY_PATH");
    char **environment = calloc(3, sizeof *environment);
    if (!environment) return NULL;
    environment[0] = "SWIFT_BACKTRACE=enable=no";
    if (path) {
        const size_t size = sizeof prefix + strlen(path);
        if ((environment[1] = malloc(size))) snprintf(environment[1], size, "%s%s", prefix, path);
    }
    return environment;
}

static void free_environment(char **environment) {
    free(environment[1]);
    free(environment);
}

static int spawn(const char *path, char *const arguments[], char *const environment[], int socket, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    if ((error = posix_spawnattr_init(&attributes)) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    // The socket is duplicated first, because its number may be 1 or 2.
    if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, socket, 0);
    if (error == 0) error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    if (error == 0) error = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    // The worker gets neither the host's signal mask nor its ignored signals.
    sigset_t signals;
    sigfillset(&signals);
    sigdelset(&signals, SIGKILL);
    sigdelset(&signals, SIGSTOP);
    if (error == 0) error = posix_spawnattr_setsigdefault(&attributes, &signals);
    sigemptyset(&signals);
    if (error == 0) error = posix_spawnattr_setsigmask(&attributes, &signals);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#if defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    if (error == 0) error = posix_spawnattr_setflags(&attributes, flags);
    if (error == 0) error = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int prep_worker_start(const char *path, const char *arguments, size_t count, prep_worker *worker) {
    char **pointers = calloc(count + 1, sizeof *pointers);
    if (!pointers) return ENOMEM;
    for (size_t i = 0; i < count; i++, arguments += strlen(arguments) + 1) pointers[i] = (char *)arguments;
    char **environment = make_environment();
    int sockets[2];
    int error = environment ? make_socket_pair(sockets) : ENOMEM;
    if (error == 0) {
        pid_t pid;
        error = spawn(path, pointers, environment, sockets[1], &pid);
        close(sockets[1]);
        if (error == 0) *worker = (prep_worker){pid, sockets[0]};
        else close(sockets[0]);
    }
    if (environment) free_environment(environment);
    free(pointers);
    return error;
}

int prep_worker_limit_memory(prep_worker worker, uint64_t byte_count) {
#if defined(__linux__)
    // Only the soft limit, which the next image changes. The worker cannot: that system call is forbidden.
    struct rlimit limit;
    if (prlimit(worker.pid, RLIMIT_AS, NULL, &limit) != 0) return errno;
    limit.rlim_cur = byte_count < limit.rlim_max ? byte_count : limit.rlim_max;
    return prlimit(worker.pid, RLIMIT_AS, &limit, NULL) == 0 ? 0 : errno;
#else
    (void)worker, (void)byte_count;
    return 0;
#endif
}

int64_t prep_worker_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Waits until the socket is ready for `events`.
static int wait_until_ready(prep_worker worker, short events, int64_t deadline) {
    while (true) {
        const int64_t remaining = deadline - prep_worker_now();
        const int64_t milliseconds = remaining <= 0 ? 0 : remaining / 1000000 + 1;
        struct pollfd poll_entry = {worker.socket, events, 0};
        const int ready = poll(&poll_entry, 1, milliseconds < 3600000 ? (int)milliseconds : 3600000);
        if (ready > 0) return 0;
        if (ready < 0 && errno != EINTR) return errno;
        if (ready == 0 && remaining <= 0) return ETIMEDOUT;
    }
}

static bool is_temporary(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

int prep_worker_write(prep_worker worker, const void *bytes, size_t count, int64_t deadline) {
    const char *next = bytes;
    while (count > 0) {
        const ssize_t written = send(worker.socket, next, count, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (written >= 0) {
            next += written;
            count -= (size_t)written;
            continue;
        }
        if (!is_temporary(errno)) return errno;
        const int error = wait_until_ready(worker, POLLOUT, deadline);
        if (error != 0) return error;
    }
    return 0;
}

int prep_worker_read(prep_worker worker, void *bytes, size_t count, int64_t deadline) {
    char *next = bytes;
    while (count > 0) {
        const ssize_t received = recv(worker.socket, next, count, MSG_DONTWAIT);
        if (received > 0) {
            next += received;
            count -= (size_t)received;
            continue;
        }
        if (received == 0) return EPIPE;
        if (!is_temporary(errno)) return errno;
        const int error = wait_until_ready(worker, POLLIN, deadline);
        if (error != 0) return error;
    }
    return 0;
}

// Returns whether the process is a child that was not waited for, so that its number is not reused. It is not waited
// for here either. `info` has its number if it has ended.
static bool is_child(prep_worker worker, siginfo_t *info) {
    *info = (siginfo_t){0};
    return waitid(P_PID, (id_t)worker.pid, info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

bool prep_worker_has_ended(prep_worker worker) {
    siginfo_t info;
    return !is_child(worker, &info) || info.si_pid != 0;
}

prep_worker_end prep_worker_destroy(prep_worker worker, int64_t grace) {
    const int64_t deadline = prep_worker_now() + grace;
    while (prep_worker_now() < deadline && !prep_worker_has_ended(worker)) {
        const struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
    // A child that has ended is not affected. If this process ignores SIGCHLD or waits for all children, the number may
    // already be that of another process.
    siginfo_t info;
    if (is_child(worker, &info)) kill(worker.pid, SIGKILL);
    int status = 0;
    pid_t result;
    do result = waitpid(worker.pid, &status, 0);
    while (result < 0 && errno == EINTR);
    close(worker.socket);
    prep_worker_end end = {0, 0};
    if (result == worker.pid && WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    else if (result == worker.pid && WIFEXITED(status)) end.status = WEXITSTATUS(status);
    return end;
}
