#!/bin/sh
# Install Debian's packages that accelbench needs in a container: Python headers, compilers, make, OpenCL for CPUs.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install --yes --no-install-recommends \
	ca-certificates gcc g++ gfortran git libc6-dev make pocl-opencl-icd python3 python3-dev python3-venv >/dev/null
rm -rf /var/lib/apt/lists/*
