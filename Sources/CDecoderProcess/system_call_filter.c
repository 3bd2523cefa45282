#define _GNU_SOURCE
#include "system_call_filter.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
// Calls of the x32 interface have this bit.
#define FIRST_OTHER_CALL 0x40000000
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define FIRST_OTHER_CALL 0x40000000
#endif

// Calls that are allowed with any arguments. Descriptors are only those that are open.
static const uint16_t allowed_calls[] = {
    SYS_read, SYS_write, SYS_futex, SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_clock_gettime,
    SYS_clock_getres, SYS_gettimeofday, SYS_getrandom, SYS_sched_yield, SYS_getpid, SYS_gettid, SYS_getppid,
    SYS_getrusage, SYS_setitimer, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_restart_syscall, SYS_exit, SYS_exit_group,
};

enum {
    ALLOWED_COUNT = sizeof allowed_calls / sizeof *allowed_calls,
    MAX_INSTRUCTIONS = 32 + 2 * ALLOWED_COUNT,
};

typedef struct {
    struct sock_filter instructions[MAX_INSTRUCTIONS];
    unsigned short count;
} program;

static void append(program *program, struct sock_filter instruction) {
    program->instructions[program->count++] = instruction;
}

static void load(program *program, size_t offset) {
    append(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void finish(program *program, uint32_t action) {
    append(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

// Skips `count` instructions unless the loaded value is `value`.
static void skip_unless_equal(program *program, uint32_t value, uint8_t count) {
    append(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
}

// The lower half of an argument, on a little-endian processor.
static size_t argument(size_t index) { return offsetof(struct seccomp_data, args) + 8 * index; }

static const uint32_t refusal = SECCOMP_RET_ERRNO | EPERM;

// Allows a call that maps or changes memory, unless it makes the memory executable.
static void allow_without_execution(program *program, uint32_t call) {
    skip_unless_equal(program, call, 4);
    load(program, argument(2));
    append(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1));
    finish(program, refusal);
    finish(program, SECCOMP_RET_ALLOW);
}

// Allows a signal to a thread of this process, which `abort` sends.
static void allow_signal_to_self(program *program) {
    skip_unless_equal(program, SYS_tgkill, 4);
    load(program, argument(0));
    skip_unless_equal(program, (uint32_t)getpid(), 1);
    finish(program, SECCOMP_RET_ALLOW);
    finish(program, refusal);
}

int prep_filter_system_calls(void) {
    program program = {.count = 0};
    load(&program, offsetof(struct seccomp_data, arch));
    append(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    finish(&program, SECCOMP_RET_KILL_PROCESS);
    load(&program, offsetof(struct seccomp_data, nr));
    append(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_OTHER_CALL, 0, 1));
    finish(&program, SECCOMP_RET_KILL_PROCESS);
    for (size_t i = 0; i < ALLOWED_COUNT; i++) {
        skip_unless_equal(&program, allowed_calls[i], 1);
        finish(&program, SECCOMP_RET_ALLOW);
    }
    allow_without_execution(&program, SYS_mmap);
    allow_without_execution(&program, SYS_mprotect);
    allow_signal_to_self(&program);
    finish(&program, refusal);
    const struct sock_fprog filter = {program.count, program.instructions};
    // Without this flag, older kernels also turn off speculation of stores, which makes decoding slower. The process
    // has no secrets to protect from its own code.
#if defined(SECCOMP_FILTER_FLAG_SPEC_ALLOW)
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) == 0) return 0;
#endif
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
}
#else
int prep_filter_system_calls(void) { return 0; }
#endif
