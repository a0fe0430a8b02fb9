#!/bin/sh
# Build the image of the Dockerfile with Docker or Podman, passing on all options, and run the smoke sweep in it. If
# neither can run the base image, print a message and succeed.
set -eu
cd "$(dirname "$0")/.."
base=$(sed -n 's/^ARG BASE=//p' Dockerfile)
name=accelbench-tried
for builder in docker podman; do
	if "$builder" run --rm "$base" true >/dev/null 2>&1; then
		"$builder" build --tag $name "$@" .
		exec "$builder" run --rm $name make report CONFIG=config/smoke.yaml
	fi
done
echo "No container was built: neither Docker nor Podman can run $base here." >&2
