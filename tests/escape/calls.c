// SPDX-License-Identifier: Apache-2.0
//
// System calls that change the process, its limits or the machine.
#include "escape.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/timex.h>
#include <grp.h>

static int mounts(void)
{
	int r = result(mount("axon", in_folder("mountpoint"), "tmpfs", 0, ""));
	if (!r)
		umount(in_folder("mountpoint"));
	return r;
}

static int new_mount_api(void) { return result(syscall(430 /* fsopen */, "tmpfs", 0)); }
static int new_user_namespace(void) { return result(unshare(CLONE_NEWUSER)); }
static int new_mount_namespace(void) { return result(unshare(CLONE_NEWNS)); }
static int another_root(void) { return result(chroot(escape_folder)); }

static int joins_a_namespace(void)
{
	int fd = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	int r = result(setns(fd, CLONE_NEWUTS));
	close(fd);
	return r;
}

static int bpf_map(void)
{
	union bpf_attr a;
	memset(&a, 0, sizeof a);
	a.map_type = BPF_MAP_TYPE_ARRAY;
	a.key_size = a.value_size = 4;
	a.max_entries = 1;
	return result(syscall(SYS_bpf, BPF_MAP_CREATE, &a, sizeof a));
}

static int perf_events(void)
{
	struct perf_event_attr a;
	memset(&a, 0, sizeof a);
	a.type = PERF_TYPE_SOFTWARE;
	a.size = sizeof a;
	a.config = PERF_COUNT_SW_CPU_CLOCK;
	a.exclude_kernel = a.exclude_hv = 1;
	return result(syscall(SYS_perf_event_open, &a, 0, -1, -1, 0));
}

static int keyrings(void) { return result(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_PROCESS_KEYRING, 1)); }
static int adds_a_key(void) { return result(syscall(SYS_add_key, "user", "axon", "x", 1, KEY_SPEC_PROCESS_KEYRING)); }
static int faults_of_users(void) { return result(syscall(SYS_userfaultfd, UFFD_USER_MODE_ONLY | O_CLOEXEC)); }
static int clock_of_the_machine(void) { struct timex t = { .modes = 0 }; return result(adjtimex(&t)); }
static int log_of_the_kernel(void) { return result(syscall(SYS_syslog, 10, NULL, 0)); }
static int name_of_the_machine(void) { char n[65]; return gethostname(n, sizeof n) ? errno : result(sethostname(n, strlen(n))); }
static int loads_a_module(void) { return allowed(syscall(SYS_init_module, NULL, 0, NULL)); }
static int swaps(void) { return allowed(syscall(SYS_swapoff, "/axon/nowhere")); }
static int reboots(void) { return allowed(syscall(SYS_reboot, 0, 0, 0, NULL)); }
static int accounting(void) { return allowed(syscall(SYS_acct, "/axon/nowhere")); }
static int layout_of_addresses(void) { return result(personality(ADDR_NO_RANDOMIZE)); }

static int io_uring(void)
{
	struct io_uring_params p;
	memset(&p, 0, sizeof p);
	return result(syscall(425, 1, &p));
}

static int another_user(void) { return result(syscall(SYS_setresuid, 1, 1, 1)); }
static int root(void) { return result(syscall(SYS_setuid, 0)); }
static int other_groups(void) { gid_t g = 0; return result(syscall(SYS_setgroups, 1, &g)); }

static int raises(void)
{
	struct rlimit l;
	if (getrlimit(RLIMIT_MSGQUEUE, &l) < 0)
		return errno;
	l.rlim_cur = 0;
	l.rlim_max--; // where there is no limit, there is one now
	if (setrlimit(RLIMIT_MSGQUEUE, &l) < 0)
		return errno;
	l.rlim_max++;
	return result(setrlimit(RLIMIT_MSGQUEUE, &l));
}

static int dumps_core(void)
{
	struct rlimit l = { 1 << 20, 1 << 20 };
	return setrlimit(RLIMIT_CORE, &l) < 0 ? errno : prctl(PR_GET_DUMPABLE) == 1 ? 0 : EPERM;
}

static int can_be_dumped(void) { return result(prctl(PR_SET_DUMPABLE, 1)); }

// A 64-bit program may make 32-bit calls, whose numbers mean others.
static int calls_of_32_bits(void)
{
#ifdef __x86_64__
	long r;
	__asm__ volatile("int $0x80" : "=a"(r) : "a"(20L /* getpid */) : "memory", "r8", "r9", "r10", "r11");
	return r > 0 ? 0 : (int)-r;
#else
	return ENOSYS;
#endif
}

const struct attempt escape_calls[] = {
	{ "mounts", mounts },
	{ "mounts-the-new-way", new_mount_api },
	{ "makes-a-user-namespace", new_user_namespace },
	{ "makes-a-mount-namespace", new_mount_namespace },
	{ "joins-a-namespace", joins_a_namespace },
	{ "changes-its-root", another_root },
	{ "makes-a-bpf-map", bpf_map },
	{ "opens-perf-events", perf_events },
	{ "looks-at-keyrings", keyrings },
	{ "adds-a-key", adds_a_key },
	{ "makes-a-userfaultfd", faults_of_users },
	{ "makes-an-io-uring", io_uring },
	{ "asks-about-the-clock", clock_of_the_machine },
	{ "asks-about-the-kernels-log", log_of_the_kernel },
	{ "names-the-machine", name_of_the_machine },
	{ "loads-a-module", loads_a_module },
	{ "swaps", swaps },
	{ "reboots", reboots },
	{ "accounts", accounting },
	{ "changes-its-personality", layout_of_addresses },
	{ "becomes-another-user", another_user },
	{ "becomes-root", root },
	{ "takes-groups", other_groups },
	{ "raises-a-limit", raises },
	{ "dumps-core", dumps_core },
	{ "makes-itself-dumpable", can_be_dumped },
	{ "makes-32-bit-calls", calls_of_32_bits },
	{ NULL, NULL },
};
