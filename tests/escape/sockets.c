// SPDX-License-Identifier: Apache-2.0
//
// Sockets: the test listens on a port, on an abstract name and on a path.
#include "escape.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static int made(int fd)
{
	int r = result(fd);
	if (fd >= 0)
		close(fd);
	return r;
}

static int tcp(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)escape_port), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	int r = result(connect(fd, (struct sockaddr *)&at, sizeof at));
	close(fd);
	return r;
}

static int listens(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	int r = bind(fd, (struct sockaddr *)&at, sizeof at) < 0 ? errno : result(listen(fd, 1));
	close(fd);
	return r;
}

static int udp(void) { return made(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)); }
static int six(void) { return made(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)); }
static int netlink(void) { return made(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)); }
static int packets(void) { return made(socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0)); }

static int local(const char *name, int abstract)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	snprintf(at.sun_path + abstract, sizeof at.sun_path - (size_t)abstract, "%s", name);
	int r = result(connect(fd, (struct sockaddr *)&at,
			       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)abstract + strlen(name) + !abstract)));
	close(fd);
	return r;
}

static int abstract(void) { return local(strrchr(escape_folder, '/') + 1, 1); }
static int path(void) { return local(in_folder("socket"), 0); }

static int datagram(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	snprintf(at.sun_path, sizeof at.sun_path, "%s", in_folder("datagrams"));
	int r = result(sendto(fd, "x", 1, MSG_DONTWAIT, (struct sockaddr *)&at, sizeof at));
	close(fd);
	return r;
}

static int binds_a_path(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno;
	snprintf(at.sun_path, sizeof at.sun_path, "%s", in_folder("bound"));
	int r = result(bind(fd, (struct sockaddr *)&at, sizeof at));
	if (!r)
		unlink(at.sun_path);
	close(fd);
	return r;
}

const struct attempt escape_sockets[] = {
	{ "connects-by-tcp", tcp },
	{ "listens-on-tcp", listens },
	{ "has-udp", udp },
	{ "has-tcp-of-version-6", six },
	{ "has-netlink", netlink },
	{ "has-packets", packets },
	{ "connects-to-an-abstract-socket", abstract },
	{ "connects-to-a-path", path },
	{ "sends-to-a-path", datagram },
	{ "binds-a-path", binds_a_path },
	{ NULL, NULL },
};
