// SPDX-License-Identifier: Apache-2.0
//
// Files. What is in the test's folder may be read and written by anybody, but
// for what is in home/, which is the client's: so both Landlock and the
// identity have something to refuse.
#include "escape.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

static int reads(const char *path)
{
	char byte;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	ssize_t n = read(fd, &byte, 1); // some open and give nothing
	int r = n < 0 ? errno : 0;
	close(fd);
	return r;
}

static int opens(const char *path, int how)
{
	int fd = open(path, how | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int makes(const char *path)
{
	int r = opens(path, O_WRONLY | O_CREAT | O_EXCL);
	if (!r)
		unlink(path);
	return r;
}

static const char *process(int pid, const char *file)
{
	static char path[64];
	snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
	return path;
}

static int lists(const char *path)
{
	DIR *d = opendir(path);
	if (!d)
		return errno;
	closedir(d);
	return 0;
}

static int shadow(void) { return reads("/etc/shadow"); }
static int passwd(void) { return reads("/etc/passwd"); }
static int home(void) { return reads(in_folder("home/secret")); }
static int everybodys(void) { return reads(in_folder("readable")); }
static int writes(void) { return opens(in_folder("writable"), O_WRONLY); }
static int truncates(void) { return result(truncate(in_folder("writable"), 0)); }
static int makes_file(void) { return makes(in_folder("made")); }
static int makes_tmp(void) { return makes("/tmp/axon-escape"); }
static int makes_var_tmp(void) { return makes("/var/tmp/axon-escape"); }
static int makes_in_vendor(void) { return makes(in_folder("vendor/made")); }
static int overwrites_vendor(void) { return opens(in_folder("vendor/libcuda.so.1"), O_WRONLY); }
static int removes(void) { return result(unlink(in_folder("removable"))); }
static int device_of_memory(void) { return opens("/dev/mem", O_RDONLY); }
static int device_of_log(void) { return opens("/dev/kmsg", O_RDONLY); }
static int core_pattern(void) { return opens("/proc/sys/kernel/core_pattern", O_WRONLY); }
static int list_of_processes(void) { return lists("/proc"); }
static int first_environ(void) { return reads("/proc/1/environ"); }
static int victims_memory(void) { return opens(process(escape_victim, "mem"), O_RDWR); }
static int victims_environ(void) { return reads(process(escape_victim, "environ")); }
static int victims_maps(void) { return reads(process(escape_victim, "maps")); }
static int victims_files(void) { return lists(process(escape_victim, "fd")); }
static int victims_command(void) { return reads(process(escape_victim, "cmdline")); }
static int machines_shm(void)
{
	char path[300];
	snprintf(path, sizeof path, "/dev/shm/%s", strrchr(escape_folder, '/') + 1);
	return reads(path);
}

static int makes_folder(void)
{
	int r = result(mkdir(in_folder("folder"), 0700));
	if (!r)
		rmdir(in_folder("folder"));
	return r;
}

static int makes_link(void)
{
	int r = result(symlink("/etc", in_folder("link")));
	if (!r)
		unlink(in_folder("link"));
	return r;
}

static int makes_device(void)
{
	int r = result(mknod(in_folder("null"), S_IFCHR | 0600, 1 << 8 | 3));
	if (!r)
		unlink(in_folder("null"));
	return r;
}

// Metadata: of the client's file, whose owner the worker would have to be.
static int changes_mode(void) { return result(chmod(in_folder("home/secret"), 0600)); }
static int changes_owner(void) { return result(chown(in_folder("home/secret"), getuid(), getgid())); }
static int changes_times(void) { return result(utimensat(AT_FDCWD, in_folder("home/secret"), NULL, 0)); }
static int changes_attribute(void) { return result(setxattr(in_folder("home/secret"), "user.axon", "x", 1, 0)); }

static int by_handle(void)
{
	struct { struct file_handle h; char room[MAX_HANDLE_SZ]; } handle = { .h = { .handle_bytes = MAX_HANDLE_SZ } };
	int mount, dir, fd;

	if (name_to_handle_at(AT_FDCWD, in_folder("readable"), &handle.h, &mount, 0) < 0)
		return errno;
	if ((dir = open(escape_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		return errno;
	fd = open_by_handle_at(dir, &handle.h, O_RDONLY | O_CLOEXEC);
	int r = result(fd);
	close(fd);
	close(dir);
	return r;
}

const struct attempt escape_files[] = {
	{ "reads-shadow", shadow },
	{ "reads-passwd", passwd },
	{ "reads-the-clients-home", home },
	{ "reads-what-everybody-may", everybodys },
	{ "writes-what-everybody-may", writes },
	{ "truncates-what-everybody-may-write", truncates },
	{ "makes-a-file-where-everybody-may", makes_file },
	{ "makes-a-file-in-tmp", makes_tmp },
	{ "makes-a-file-in-var-tmp", makes_var_tmp },
	{ "makes-a-file-in-the-vendors-folder", makes_in_vendor },
	{ "writes-the-vendors-library", overwrites_vendor },
	{ "removes-a-file-where-everybody-may", removes },
	{ "makes-a-folder", makes_folder },
	{ "makes-a-link", makes_link },
	{ "makes-a-device-node", makes_device },
	{ "opens-dev-mem", device_of_memory },
	{ "opens-dev-kmsg", device_of_log },
	{ "opens-core-pattern", core_pattern },
	{ "lists-processes", list_of_processes },
	{ "reads-init-environ", first_environ },
	{ "opens-a-workers-memory", victims_memory },
	{ "reads-a-workers-environ", victims_environ },
	{ "reads-a-workers-maps", victims_maps },
	{ "lists-a-workers-files", victims_files },
	{ "reads-a-workers-command-line", victims_command },
	{ "reads-the-machines-dev-shm", machines_shm },
	{ "changes-the-mode-of-a-clients-file", changes_mode },
	{ "changes-the-owner-of-a-clients-file", changes_owner },
	{ "changes-the-times-of-a-clients-file", changes_times },
	{ "changes-an-attribute-of-a-clients-file", changes_attribute },
	{ "opens-by-handle", by_handle },
	{ NULL, NULL },
};
