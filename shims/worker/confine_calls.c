// SPDX-License-Identifier: Apache-2.0
//
// Which system calls a worker may make: all but those that are named here. A
// list of what is allowed would be shorter-lived than the vendor's driver; what
// the named ones do, no driver library needs once it is loaded.
//
// ioctl comes first: it is the call that a driver's library makes most, and the
// kernel remembers only for calls without a look at their arguments that they
// are allowed.
#include "confine.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "seccomp filters are written for x86-64 and arm64"
#endif

static const int forbidden[] = {
	// other processes' insides
	SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, 438 /* pidfd_getfd */, 440 /* process_madvise */,
	448 /* process_mrelease */, SYS_migrate_pages, 424 /* pidfd_send_signal */,
	// mounts, roots, namespaces
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, 428 /* open_tree */, 429 /* move_mount */,
	430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */, 442 /* mount_setattr */, 457 /* statmount */,
	458 /* listmount */, 467 /* open_tree_attr */,
	// parts of the kernel that have been ways in
	SYS_bpf, SYS_perf_event_open, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_userfaultfd, 425 /* io_uring_setup */,
	426 /* io_uring_enter */, 427 /* io_uring_register */, SYS_fanotify_init, SYS_lookup_dcookie, SYS_nfsservctl,
	// the machine
	SYS_kexec_load, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_swapon, SYS_swapoff, SYS_reboot,
	SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_acct, SYS_quotactl, 443 /* quotactl_fd */,
	SYS_syslog, SYS_vhangup, SYS_sethostname, SYS_setdomainname,
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
	// files past their paths, and device nodes
	SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_mknodat,
	// another identity
	SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setfsuid, SYS_setfsgid,
	SYS_setgroups, SYS_capset, SYS_setsid, SYS_setpgid,
	// other programs
	SYS_execve, SYS_execveat,
#ifdef __x86_64__
	SYS_mknod, SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_create_module, SYS_sysfs, SYS__sysctl,
#endif
};

// What Landlock leaves open, and a worker with a user of its own may do: only to what is its own.
static const int of_owners[] = {
	SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
	SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, 452 /* fchmodat2 */, 463 /* setxattrat */, 466 /* removexattrat */,
	469 /* file_setattr */,
#ifdef __x86_64__
	SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

// Those that undo what was done here, or concern other processes.
static const int forbidden_prctl[] = {
	PR_SET_DUMPABLE, PR_SET_PTRACER, PR_SET_MM, PR_SET_SECUREBITS, PR_SET_KEEPCAPS, PR_CAP_AMBIENT, PR_SET_CHILD_SUBREAPER,
};

static const int forbidden_ioctl[] = { 0x8901 /* FIOSETOWN */, 0x8902 /* SIOCSPGRP */, 0x5412 /* TIOCSTI */, 0x541c /* TIOCLINUX */ };
static const int forbidden_fcntl[] = { 8 /* F_SETOWN */, 10 /* F_SETSIG */, 15 /* F_SETOWN_EX */ };

#define CODE_MAX 512
#define LENGTH(a) (sizeof(a) / sizeof *(a))
#define ERRNO(e) (SECCOMP_RET_ERRNO | (e))

struct program {
	struct sock_filter code[CODE_MAX];
	unsigned n;
};

static void emit(struct program *p, unsigned code, unsigned k, unsigned yes, unsigned no)
{
	if (p->n < CODE_MAX)
		p->code[p->n] = (struct sock_filter)BPF_JUMP((unsigned short)code, k, (unsigned char)yes, (unsigned char)no);
	p->n++;
}

static void give(struct program *p, unsigned what) { emit(p, BPF_RET | BPF_K, what, 0, 0); }

// If the accumulator is `k`: the answer is `what`.
static void when(struct program *p, unsigned k, unsigned what)
{
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, k, 0, 1);
	give(p, what);
}

static void when_any(struct program *p, const int *of, size_t n, unsigned what)
{
	for (size_t i = 0; i < n; i++)
		when(p, (unsigned)of[i], what);
}

// The lower half of an argument: all of an int, and little-endian processors have it first.
static void load(struct program *p, unsigned argument)
{
	emit(p, BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, args) + 8 * argument, 0, 0);
}

// What follows up to end() is for one call, and must not fall out of its end: the accumulator is another by then.
static unsigned begin(struct program *p, int call)
{
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)call, 0, 0);
	return p->n - 1;
}

static void end(struct program *p, unsigned at)
{
	if (at < CODE_MAX)
		p->code[at].jf = (unsigned char)(p->n - at - 1);
}

static void allow_but(struct program *p, int call, unsigned argument, const int *values, size_t n)
{
	unsigned at = begin(p, call);
	load(p, argument);
	when_any(p, values, n, ERRNO(EPERM));
	give(p, SECCOMP_RET_ALLOW);
	end(p, at);
}

static void allow_only(struct program *p, int call, unsigned argument, const int *values, size_t n)
{
	unsigned at = begin(p, call);
	load(p, argument);
	when_any(p, values, n, SECCOMP_RET_ALLOW);
	give(p, ERRNO(EPERM));
	end(p, at);
}

// Sockets are between processes of this machine, and connected: a datagram could be sent to any path.
static void sockets(struct program *p, int call)
{
	unsigned at = begin(p, call);
	load(p, 0);
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0);
	give(p, ERRNO(EAFNOSUPPORT));
	load(p, 1);
	emit(p, BPF_ALU | BPF_AND | BPF_K, 0xf, 0, 0);
	when(p, SOCK_STREAM, SECCOMP_RET_ALLOW);
	when(p, SOCK_SEQPACKET, SECCOMP_RET_ALLOW);
	give(p, ERRNO(EPERM));
	end(p, at);
}

static void threads_only(struct program *p)
{
	const unsigned namespaces = 0x80u | 0x00020000u | 0x02000000u | 0x04000000u | 0x08000000u | 0x10000000u | 0x20000000u | 0x40000000u;
	unsigned at = begin(p, SYS_clone);
	load(p, 0);
	emit(p, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
	give(p, ERRNO(EPERM));
	emit(p, BPF_JMP | BPF_JSET | BPF_K, namespaces & ~0xffu, 0, 1); // below 0x100 are signals' numbers
	give(p, ERRNO(EPERM));
	give(p, SECCOMP_RET_ALLOW);
	end(p, at);
	when(p, 435 /* clone3: its flags are in memory */, ERRNO(ENOSYS)); // C libraries try clone then
#ifdef __x86_64__
	when(p, SYS_fork, ERRNO(EPERM));
	when(p, SYS_vfork, ERRNO(EPERM));
#endif
}

static void signals(struct program *p, int scoped)
{
	const int self[] = { getpid() };

	allow_only(p, SYS_kill, 0, self, 1);
	allow_only(p, SYS_tgkill, 0, self, 1);
	allow_only(p, SYS_rt_sigqueueinfo, 0, self, 1);
	allow_only(p, SYS_rt_tgsigqueueinfo, 0, self, 1);
	if (!scoped) // it names a thread of whatever process
		when(p, SYS_tkill, ERRNO(EPERM));
}

static void write_program(struct program *p, const struct axw_cage *cage, int scoped)
{
	const int own[] = { 0, getpid() }, process[] = { 0 /* PRIO_PROCESS */ }, ask[] = { -1 };

	emit(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
	give(p, ERRNO(ENOSYS)); // 32-bit calls have other numbers
	emit(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
#ifdef __x86_64__
	emit(p, BPF_JMP | BPF_JGE | BPF_K, 0x40000000 /* x32 */, 0, 1);
	give(p, ERRNO(ENOSYS));
#endif
	allow_but(p, SYS_ioctl, 1, forbidden_ioctl, LENGTH(forbidden_ioctl));
	allow_but(p, SYS_fcntl, 1, forbidden_fcntl, LENGTH(forbidden_fcntl));
	allow_but(p, SYS_prctl, 0, forbidden_prctl, LENGTH(forbidden_prctl));
	allow_only(p, SYS_prlimit64, 0, own, LENGTH(own));
	allow_only(p, SYS_move_pages, 0, own, LENGTH(own));
	allow_only(p, SYS_setpriority, 0, process, LENGTH(process));
	allow_only(p, SYS_personality, 0, ask, LENGTH(ask));
	sockets(p, SYS_socket);
	sockets(p, SYS_socketpair);
	if (!(cage->without & AXW_CONNECT))
		when(p, SYS_connect, ERRNO(ECONNREFUSED)); // as where nobody listens: sockets with paths are not Landlock's affair
	if (!(cage->without & AXW_FORK))
		threads_only(p);
	signals(p, scoped);
	when_any(p, forbidden, LENGTH(forbidden), ERRNO(EPERM));
	if (!cage->apart)
		when_any(p, of_owners, LENGTH(of_owners), ERRNO(EPERM));
	give(p, SECCOMP_RET_ALLOW);
}

const char *axw_confine_calls(const struct axw_cage *cage, int scoped)
{
	static struct program p;

	p.n = 0;
	write_program(&p, cage, scoped);
	if (p.n > CODE_MAX)
		return "the system call filter is too long";
	struct sock_fprog f = { (unsigned short)p.n, p.code };
	long r = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &f);
	if (r == 0)
		return NULL;
	if (r < 0 && (errno == ENOSYS || errno == EINVAL) && cage->how != AXW_CONFINE_REQUIRE)
		return NULL; // a kernel without, or an emulator of another processor
	return "the kernel does not take the system call filter (CONFIG_SECCOMP_FILTER)";
}
