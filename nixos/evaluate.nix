# SPDX-License-Identifier: Apache-2.0
#
# Evaluates module.nix where there is no nixpkgs, with just as much of its lib as
# the module uses: a name that does not exist, or a wrong argument, is found.
#
#	nix-instantiate --eval --strict --json nixos/evaluate.nix
let
  lib = {
    mkOption = o: o;
    mkEnableOption = description: { inherit description; default = false; };
    mkIf = condition: content: if condition then content else { };
    mkDefault = value: value;
    hiPrio = package: package // { priority = "high"; };
    literalExpression = text: text;
    types = { package = "package"; bool = "bool"; };
  };
  pkgs = {
    formats.toml = _: { type = "toml"; generate = name: value: "/nix/store/${name}"; };
    callPackage = file: _: { inherit file; outPath = "/nix/store/axon"; };
    runCommand = name: _: script: { inherit name script; outPath = "/nix/store/${name}"; };
    coreutils = "/nix/store/coreutils";
  };
  options = (import ./module.nix { inherit lib pkgs; config = { }; }).options.services.axon;
  module = import ./module.nix {
    inherit lib pkgs;
    config = {
      services.axon = {
        enable = true;
        package = { outPath = "/nix/store/axon"; };
        shim = true;
        settings = { max-sessions = 8; };
      };
      services.xserver.videoDrivers = [ "nvidia" ];
      hardware.nvidia.package = "/nix/store/nvidia";
    };
  };
in
{
  options = builtins.attrNames options;
  vendor = module.config.services.axon.settings.vendor;
  shim = (builtins.head module.config.hardware.graphics.extraPackages).script;
  reload = module.config.systemd.services.axond.serviceConfig.ExecReload;
  etc = module.config.environment.etc."axon/axond.toml".source;
  wanted = module.config.systemd.sockets.axond.wantedBy;
}
