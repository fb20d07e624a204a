# SPDX-License-Identifier: Apache-2.0
#
# axon from this checkout: pkgs.callPackage ./package.nix { }
{ lib, buildGoModule, ... }:

buildGoModule {
  pname = "axon";
  version = "0.1.0-dev";
  src = lib.cleanSource ../.;

  # Of what `go mod vendor` makes; `make package-test` checks it and says the right one.
  vendorHash = lib.fileContents ./vendor-hash;

  # The Makefile knows the C programs and the Go ones, and which generates which.
  env.CGO_ENABLED = 0;
  buildPhase = ''
    runHook preBuild
    patchShebangs scripts packaging
    make all GO=go
    runHook postBuild
  '';
  # The tests start daemons and build for other processors: make test.
  doCheck = false;
  installPhase = ''
    runHook preInstall
    packaging/install build "" $out
    runHook postInstall
  '';

  meta = {
    description = "One boundary between programs and the GPU";
    homepage = "https://nervlinux.org/axon";
    license = lib.licenses.asl20;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    mainProgram = "axon";
  };
}
