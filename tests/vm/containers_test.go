// SPDX-License-Identifier: Apache-2.0

package vm

import (
	"path/filepath"
	"strings"
	"testing"
)

// makeImage makes /tmp/image, a container's root of the guest's own files: a
// shell, glibc and driver_axpy, and none of axon's. /tmp/own has a libcuda.so.1
// of its own besides, as some images have, and /tmp/bare no C library. Starting a
// container from a folder takes half as long as from an image.
const makeImage = `set -e
r=/tmp/image; mkdir -p $r/usr/lib $r/usr/lib64 $r/usr/bin $r/tmp
for l in lib lib64 bin; do ln -s usr/$l $r/$l; done
for p in /usr/bin/dash /usr/bin/id /usr/bin/sleep /usr/bin/rm /usr/local/bin/driver_axpy; do
	cp $p $r/usr/bin/
	for l in $(ldd $p | grep -o '/[^ ]*' | grep -v libcuda); do mkdir -p $r/$(dirname $l); cp -L $l $r/$l; done
done
ln -s dash $r/usr/bin/sh
cp -a $r /tmp/own
echo 'not a library' >/tmp/own/usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05
ln -s libcuda.so.580.95.05 /tmp/own/usr/lib/x86_64-linux-gnu/libcuda.so.1
mkdir -p /tmp/bare/bin; cp /host/busybox /tmp/bare/bin/`

// engine is a guest with what makeImage makes.
func engine(t *testing.T) *guest {
	t.Helper()
	g := installed(t)
	g.put("/bin/busybox")
	g.run(makeImage)
	return g
}

const (
	anImage = "tar -C /tmp/image -c . | podman import -q - image; " // for podman run
	run     = "podman run --rm --network none -e AXON_DEBUG=1 "
	device  = "--device nervlinux.org/gpu=all "
	byHand  = "-v /usr/lib/axon/shim:/usr/lib/axon/shim:ro "
	correct = "65536 elements correct"
)

func TestContainersCompute(t *testing.T) {
	g := engine(t)
	says(t, "the container", g.run(anImage+"podman run --rm --device nervlinux.org/gpu=all image driver_axpy"), correct)
	// Without the device there is nothing: no library, and with the library no socket.
	r := g.try(run + byHand + "--rootfs /tmp/image sh -c 'driver_axpy; LD_LIBRARY_PATH=/usr/lib/axon/shim driver_axpy'")
	if r.status == 0 {
		t.Errorf("a container without the device computes: %s", r.out)
	}
	says(t, "a container without the device", r.out, "libcuda.so.1: cannot open shared object file", "cannot reach axond at /run/axon/sock", "CUDA_ERROR_NO_DEVICE")
	says(t, "a container that has all by hand",
		g.run(run+byHand+"-v /run/axon:/run/axon:ro -e LD_LIBRARY_PATH=/usr/lib/axon/shim --rootfs /tmp/image driver_axpy"), correct)
	// The container's root is the machine's here. What it has of axon's it cannot change.
	r = g.try(run + device + "--rootfs /tmp/own sh -c 'rm -f /run/axon/sock /usr/lib/axon/shim/libcuda.so.1; driver_axpy'")
	if strings.Count(r.out, "Read-only file system") != 2 {
		t.Errorf("what the container said when it removed axon's files: %s", r.out)
	}
	says(t, "an image with its own libcuda.so.1", r.out, correct)
	// Another user of it has the groups that it is given, by number.
	r = g.try(run + device + "--user 1234 --rootfs /tmp/image driver_axpy")
	if r.status == 0 {
		t.Errorf("a user of no group had a session: %s", r.out)
	}
	says(t, "the refusal", r.out, `user 1234 is not in the group "video"`, "--group-add 44")
	says(t, "user 1234 of video", g.run(run+device+"--user 1234 --group-add 44 --read-only --rootfs /tmp/image driver_axpy"), correct)
	says(t, "an image without a C library", g.run(run+device+"--rootfs /tmp/bare /bin/busybox echo all is well"), "all is well")
}

// TestContainersHaveNvidiaSmi: in the place where scripts look for it, in any
// image, and it shows the container's own programs.
func TestContainersHaveNvidiaSmi(t *testing.T) {
	g := engine(t)
	g.put(filepath.Join(build(), "tests/linger"))
	g.put(filepath.Join(build(), "tests/nvml/btop"))
	g.run("install /host/linger /usr/local/bin/; install /host/linger /host/btop /tmp/image/usr/bin/")
	says(t, "the container", g.run(anImage+"podman run --rm --device nervlinux.org/gpu=all image nvidia-smi -L"), "GPU 0: axon softgpu (UUID: GPU-")
	says(t, "an image without a C library", g.run(run+device+"--rootfs /tmp/bare nvidia-smi --query-gpu=name --format=csv,noheader"), "axon softgpu")
	says(t, "what opens libnvidia-ml.so", g.run(run+device+"--rootfs /tmp/image btop"), "libnvidia-ml.so\n", "0 name: axon softgpu")
	outside := g.start("alice", "first")
	out := g.run(run + device + `--rootfs /tmp/image sh -c '(echo open; until [ -e /tmp/seen ]; do sleep .2; done) | linger >/tmp/said &
until [ -s /tmp/said ]; do sleep .2; done; nvidia-smi --query-compute-apps=pid,name --format=csv,noheader; : >/tmp/seen; wait; read said </tmp/said; echo said $said'`)
	if lines := strings.Split(out, "\n"); len(lines) != 2 || !strings.HasSuffix(lines[0], ", linger") || strings.HasPrefix(lines[0], outside.pid+",") || lines[1] != "said open 0" {
		t.Errorf("a container's programs are there:\n%s", out)
	}
	// A container without the device has none.
	if r := g.try(run + "--rootfs /tmp/own nvidia-smi"); r.status == 0 {
		t.Errorf("without the device: %s", r.out)
	}
	// Without the package containers start as well, and with it again they have it.
	says(t, "rootless", g.run("cp -a /tmp/bare /home/alice/; chown -R alice: /home/alice/bare; "+as("alice", run+device+"--group-add keep-groups --rootfs $HOME/bare nvidia-smi -L")), "GPU 0")
	g.run("apt-get remove -y -q axon-smi")
	r := g.try(run + device + "--rootfs /tmp/own sh -c 'driver_axpy; nvidia-smi'") // it has had none mounted before
	says(t, "without axon-smi", r.out, correct)
	if r.status == 0 {
		t.Errorf("without axon-smi there is a nvidia-smi: %s", r.out)
	}
	g.put(debs(t, filepath.Join(build(), "packages"), "axon-smi")...)
	g.run("apt-get install -y -q --no-install-recommends /host/axon-smi_*.deb")
	says(t, "with axon-smi again", g.run(run+device+"--rootfs /tmp/image nvidia-smi -L"), "GPU 0")
}

// TestContainersOutliveAxond: a container sees the socket that there is, not
// the one that there was.
func TestContainersOutliveAxond(t *testing.T) {
	g := engine(t)
	g.run("podman run -d --name long --network none -e AXON_DEBUG=1 " + device + "--rootfs /tmp/image sleep 600")
	const compute = "podman exec long driver_axpy"
	says(t, "the container", g.run(compute), correct)
	before := g.run("stat -c %i /run/axon/sock")
	g.run("systemctl stop axond.socket axond.service")
	says(t, "without axond", g.try(compute).out, "cannot reach axond", "CUDA_ERROR_NO_DEVICE")
	g.run("systemctl start axond.socket")
	if after := g.run("stat -c %i /run/axon/sock"); after == before {
		t.Errorf("the socket is the same one, %s: this shows nothing", after)
	}
	says(t, "after axond's restart", g.run(compute), correct)
	g.run("podman rm -f -t 0 long")
}

func TestContainersWithoutRoot(t *testing.T) {
	g := engine(t)
	g.run("for u in alice mallory; do cp -a /tmp/image /home/$u/; chown -R $u: /home/$u/image; done")
	says(t, "alice's container", g.run(as("alice", anImage+"podman run --rm --device nervlinux.org/gpu=all --group-add keep-groups image driver_axpy")), correct)
	// alice is in video, but her containers are so only if they keep her groups.
	r := g.try(as("alice", run+device+"--rootfs $HOME/image driver_axpy"))
	if r.status == 0 {
		t.Errorf("a container that had lost alice's groups had a session: %s", r.out)
	}
	says(t, "the refusal", r.out, `user alice is in the group "video", but this program runs without it`, "--group-add keep-groups", "CUDA_ERROR_NO_DEVICE")
	says(t, "alice in her container", g.run(as("alice", run+device+"--group-add keep-groups --userns keep-id --rootfs $HOME/image sh -c 'id -u; driver_axpy'")), "1000\n", correct)
	g.tells("-u axond -o cat AXON_UID=1000", "session started")
	// An axond of alice's own asks for no group.
	says(t, "alice's axond", g.run(as("alice", "mkdir .axon; /usr/sbin/axond --softgpu --socket .axon/sock >axond.log 2>&1 & timeout 30 sh -c \"until [ -S .axon/sock ]; do sleep 0.1; done\" || cat axond.log; "+
		run+byHand+"-v $HOME/.axon:/run/axon:ro -e LD_LIBRARY_PATH=/usr/lib/axon/shim --rootfs $HOME/image driver_axpy; s=$?; kill $!; exit $s")), correct)
	r = g.try(as("mallory", run+device+"--group-add keep-groups --rootfs $HOME/image driver_axpy"))
	if r.status == 0 {
		t.Errorf("mallory, who is not in video, had a session: %s", r.out)
	}
	says(t, "the refusal", r.out, `user mallory is not in the group "video"`)
}

// TestTheSpecificationComesAndGoesWithThePackages, in whatever order they come.
func TestTheSpecificationComesAndGoesWithThePackages(t *testing.T) {
	g := installed(t)
	const file = "/run/cdi/nervlinux.org-gpu.json"
	says(t, file, g.run("cat "+file), `"nervlinux.org/gpu"`, "/usr/lib/axon/shim/libcuda.so.1")
	if mode := g.run("stat -c '%a %U' " + file); mode != "644 root" {
		t.Errorf("%s is %s", file, mode)
	}
	if written := g.run("axon cdi | diff - " + file); written != "" {
		t.Errorf("axon cdi writes another one: %s", written)
	}
	g.run("axon cdi --output /etc/cdi/nervlinux.org-gpu.json && rm -r /etc/cdi")
	g.run("apt-get remove -y -q axon-libs")
	g.run("test ! -e " + file)
	g.put(debs(t, build()+"/packages", "axon-libs")...)
	g.run("apt-get install -y -q --no-install-recommends /host/axon-libs_*.deb")
	g.run("test -s " + file)
	g.run("apt-get remove -y -q axon")
	g.run("test ! -e " + file)
}
