# SPDX-License-Identifier: Apache-2.0
#
# services.axon: programs have the GPU by sessions of axond's.
{ config, lib, pkgs, ... }:

let
  cfg = config.services.axon;
  format = pkgs.formats.toml { };
  settings = format.generate "axond.toml" cfg.settings;
  # Beside the vendor's libraries of these names, which the environment of
  # graphics drivers has as well, these go first.
  shim = lib.hiPrio (pkgs.runCommand "axon-shim" { } ''
    mkdir -p $out/lib
    ln -s ${cfg.package}/lib/axon/shim/libcuda.so.1 ${cfg.package}/lib/axon/shim/libnvidia-ml.so.1 $out/lib/
    ln -s libcuda.so.1 $out/lib/libcuda.so
    ln -s libnvidia-ml.so.1 $out/lib/libnvidia-ml.so
  '');
in
{
  options.services.axon = {
    enable = lib.mkEnableOption "axond, which gives programs sessions on the GPU";

    package = lib.mkOption {
      type = lib.types.package;
      default = pkgs.callPackage ./package.nix { };
      defaultText = lib.literalExpression "pkgs.callPackage ./package.nix { }";
      description = "The package with axond, axon, axon-worker and the libraries.";
    };

    shim = lib.mkOption {
      type = lib.types.bool;
      default = true;
      description = ''
        Whether every program that looks for libcuda.so.1 or libnvidia-ml.so.1 in
        /run/opengl-driver/lib finds axon's. Without it only programs that `axon run` starts do.
      '';
    };

    settings = lib.mkOption {
      type = format.type;
      default = { };
      example = { max-sessions = 64; limits.gpu-memory = "16G"; };
      description = "What /etc/axon/axond.toml says, see axond.toml(5).";
    };
  };

  config = lib.mkIf cfg.enable {
    # Workers need the vendor's own library, which the shim hides.
    services.axon.settings = lib.mkIf (builtins.elem "nvidia" (config.services.xserver.videoDrivers or [ ])) {
      vendor = lib.mkDefault "${config.hardware.nvidia.package}/lib";
    };

    environment.systemPackages = [ cfg.package ];
    environment.etc."axon/axond.toml".source = settings;
    hardware.graphics = lib.mkIf cfg.shim {
      enable = true;
      extraPackages = [ shim ];
    };

    systemd.packages = [ cfg.package ];
    systemd.tmpfiles.packages = [ cfg.package ];
    systemd.sockets.axond.wantedBy = [ "sockets.target" ];
    systemd.services.axond = {
      # A switch to another configuration is a restart, in which sessions live on,
      # and not a stop and a start.
      stopIfChanged = false;
      reloadTriggers = [ settings ];
      # An empty entry clears the unit's own: there is no /bin/kill here.
      serviceConfig.ExecReload = [ "" "${pkgs.coreutils}/bin/kill -HUP $MAINPID" ];
    };
    users.groups.video = { };
    users.groups.render = { };
  };
}
