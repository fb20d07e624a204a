// SPDX-License-Identifier: Apache-2.0
//
// Which files a worker may open: Landlock, by its own system calls, as no C
// library has them and older kernel headers do not either. Landlock says
// nothing about what is not opened (stat, chmod, chown, times): that is the
// identity's affair, and where there is none, seccomp's.
#include "confine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446
#define VERSION_FLAG 1u
#define RULE_PATH_BENEATH 1

// Rights, and the ABI that has them.
#define EXECUTE (1ull << 0)
#define WRITE_FILE (1ull << 1)
#define READ_FILE (1ull << 2)
#define READ_DIR (1ull << 3)
#define REMOVE_DIR (1ull << 4)
#define REMOVE_FILE (1ull << 5)
#define MAKE_DIR (1ull << 7)
#define MAKE_REG (1ull << 8)
#define ABI_1 ((1ull << 13) - 1)
#define REFER (1ull << 13)     // 2, Linux 5.19
#define TRUNCATE (1ull << 14)  // 3, Linux 6.2
#define NET_TCP 3ull           // 4, Linux 6.7: bind and connect
#define IOCTL_DEV (1ull << 15) // 5, Linux 6.10
#define SCOPED 3ull            // 6, Linux 6.12: abstract sockets and signals

#define READ (READ_FILE | READ_DIR)
#define USE (READ_FILE | WRITE_FILE)
#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)

struct attributes { uint64_t fs, net, scoped; };

struct path_beneath {
	uint64_t allowed;
	int32_t parent;
} __attribute__((packed));

struct rules {
	int fd, abi;
	uint64_t handled;
	const char *why;
};

// Libraries that the vendor's are linked to; nothing in there is secret.
static const char *const readable[] = {
	"/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/nix/store", "/gnu/store",
	"/usr/share/nvidia", "/etc/nvidia", "/etc/ld.so.cache", "/etc/localtime",
	// What the vendor's library learns of the machine. Not /proc: there are the other processes.
	"/proc/cpuinfo", "/proc/meminfo", "/proc/modules", "/proc/devices", "/proc/stat", "/proc/filesystems", "/proc/version",
	"/proc/vmstat", "/proc/zoneinfo", "/proc/loadavg", "/proc/uptime", "/proc/misc", "/proc/sys/vm", "/proc/sys/kernel",
	"/proc/driver", "/proc/bus/pci",
	"/sys/devices", "/sys/bus", "/sys/class", "/sys/dev", "/sys/module", "/sys/kernel/mm", "/sys/firmware/devicetree",
};

static const char *const harmless[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom" };

// What GPUs' device nodes begin with: of NVIDIA's drivers, its boards' (Jetson), and under WSL.
static const char *const devices[] = { "nvidia", "nvmap", "nvhost", "nvgpu", "dxg" };

// Allows what is under the file of a descriptor.
static void allow(struct rules *r, int fd, uint64_t rights)
{
	struct path_beneath rule = { rights & r->handled, fd };
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISDIR(st.st_mode))
		rule.allowed &= OF_FILES;
	if (!r->why && rule.allowed && syscall(ADD_RULE, r->fd, RULE_PATH_BENEATH, &rule, 0) < 0)
		r->why = "Landlock does not take a path";
}

// One that is not there needs no rule, and one that cannot be reached neither.
static void allow_path(struct rules *r, const char *path, uint64_t rights)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return;
	allow(r, fd, rights);
	close(fd);
}

static void allow_devices(struct rules *r)
{
	DIR *dev = opendir("/dev");

	for (struct dirent *e; dev && (e = readdir(dev));)
		for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
			if (!strncmp(e->d_name, devices[i], strlen(devices[i])) && strcmp(e->d_name, "nvidia-modeset")) {
				char path[280];
				snprintf(path, sizeof path, "/dev/%s", e->d_name);
				allow_path(r, path, READ | WRITE_FILE | IOCTL_DEV);
			}
	if (dev)
		closedir(dev);
}

// The vendor's library reads its own /proc/self, and names its threads through
// task/TID/comm: its cuInit fails where that is refused. A rule holds for the
// directory's inode, which procfs makes anew when its entry was dropped for want
// of memory; the descriptors keep the entries, and are never closed.
static void allow_own_process(struct rules *r)
{
	static int self, task;

	self = open("/proc/self", O_PATH | O_CLOEXEC);
	task = open("/proc/self/task", O_PATH | O_CLOEXEC);
	if (self >= 0)
		allow(r, self, READ);
	if (task >= 0)
		allow(r, task, READ | WRITE_FILE | TRUNCATE); // as fopen("w") opens it
}

static void allow_vendor(struct rules *r, const char *dir, const char *library)
{
	char path[4096], *real, *slash;

	allow_path(r, dir, READ);
	if (snprintf(path, sizeof path, "%s/%s", dir, library) >= (int)sizeof path || !(real = realpath(path, NULL)))
		return;
	if ((slash = strrchr(real, '/')) && slash > real) { // a folder of links to where its files are
		*slash = 0;
		allow_path(r, real, READ);
	}
	free(real);
}

// Where the vendor's library keeps compiled kernels if nobody tells it another place. It would make the folder; a rule
// needs one that is there.
static const char *usual_cache(char *path, size_t size)
{
	const char *off = getenv("CUDA_CACHE_DISABLE"), *at = getenv("CUDA_CACHE_PATH"), *home = getenv("HOME");
	int n;

	if (off && !strcmp(off, "1"))
		return NULL;
	if (at && *at)
		n = snprintf(path, size, "%s", at);
	else if (home && *home)
		n = snprintf(path, size, "%s/.nv/ComputeCache", home);
	else
		return NULL;
	if (n >= (int)size || *path != '/')
		return NULL;
	for (char *p = path + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = 0;
		mkdir(path, 0700);
	}
	mkdir(path, 0700);
	return path;
}

const char *axw_confine_files(const struct axw_cage *cage, int *scoped)
{
	struct attributes all = { ABI_1, 0, 0 };
	size_t size = sizeof all.fs;
	struct rules r = { .abi = (int)syscall(CREATE_RULESET, NULL, 0, VERSION_FLAG) };
	char cache[4096];

	if (r.abi < 1)
		return cage->how == AXW_CONFINE_REQUIRE ? "the kernel has no Landlock (Linux 5.13 has; boot with lsm=landlock,...)" : NULL;
	all.fs |= (r.abi >= 2 ? REFER : 0) | (r.abi >= 3 ? TRUNCATE : 0) | (r.abi >= 5 ? IOCTL_DEV : 0);
	if (r.abi >= 4) {
		all.net = NET_TCP;
		size = 2 * sizeof all.fs;
	}
	if (r.abi >= 6 && !(cage->without & AXW_SCOPE)) {
		all.scoped = SCOPED;
		size = sizeof all;
		*scoped = 1;
	}
	r.handled = all.fs;
	r.fd = (int)syscall(CREATE_RULESET, &all, size, 0);
	if (r.fd < 0)
		return "Landlock gives no ruleset";
	for (size_t i = 0; i < sizeof readable / sizeof *readable; i++)
		allow_path(&r, readable[i], READ);
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		allow_path(&r, harmless[i], USE);
	allow_own_process(&r);
	allow_devices(&r);
	allow_vendor(&r, cage->vendor_dir, cage->library);
	if (cage->reads)
		allow_path(&r, cage->reads, READ_FILE);
	// Its IPC is files in there. With namespaces it is one that only this user's workers have.
	allow_path(&r, "/dev/shm", READ | WRITE_FILE | MAKE_REG | REMOVE_FILE | TRUNCATE);
	const char *at = cage->cache_dir ? cage->cache_dir : usual_cache(cache, sizeof cache);
	if (at)
		allow_path(&r, at, READ | WRITE_FILE | MAKE_REG | MAKE_DIR | REMOVE_FILE | REMOVE_DIR | REFER | TRUNCATE);
	if (!r.why && syscall(RESTRICT_SELF, r.fd, 0) < 0)
		r.why = "Landlock does not restrict this process";
	close(r.fd);
	return r.why;
}
