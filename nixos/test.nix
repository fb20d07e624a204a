# SPDX-License-Identifier: Apache-2.0
#
# A machine with services.axon, which computes on the software GPU:
#
#	nix-build nixos/test.nix
{ pkgs ? import <nixpkgs> { } }:

pkgs.testers.runNixOSTest {
  name = "axon";
  nodes.machine = { config, pkgs, ... }: {
    imports = [ ./module.nix ];
    services.axon.enable = true;
    services.axon.settings.max-sessions = 8;
    users.users.alice = { isNormalUser = true; extraGroups = [ "video" ]; };
    users.users.mallory.isNormalUser = true;
    environment.systemPackages = [ config.services.axon.package.samples ];
  };
  testScript = ''
    machine.wait_for_unit("axond.socket")
    machine.fail("systemctl is-active axond.service")
    assert "65536 elements correct" in machine.succeed("runuser -l alice -c 'axon run driver_axpy'")
    machine.succeed("systemctl is-active axond.service")
    # As programs of nixpkgs do, which know that folder.
    machine.succeed("runuser -l alice -c 'LD_LIBRARY_PATH=/run/opengl-driver/lib driver_axpy'")
    said = machine.fail("runuser -l mallory -c 'AXON_DEBUG=1 axon run driver_axpy' 2>&1")
    assert "not in the group" in said, said
    machine.succeed("systemctl restart axond && runuser -l alice -c 'axon run driver_axpy'")
    machine.succeed("systemctl reload axond")
    machine.wait_until_succeeds("journalctl -u axond -o cat | grep -q 'were read again'")
  '';
}
