#!/usr/bin/env bash
# Run once, when the autograder's image is made: a Python that the wheels are for, and the grader in a folder of its own.
# The network is needed where the image has no such Python, and where the zip has no wheels of what the grader needs.
set -euo pipefail

root=${AUTOGRADER_ROOT:-/autograder}
source=$root/source
versions="@VERSIONS@"
export DEBIAN_FRONTEND=noninteractive

# The first Python of the right version, if there is one.
find_python() {
  local name version
  for name in $(printf 'python%s ' $versions) python3; do
    version=$("$name" -c 'import sys, venv; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
    case " $versions " in *" $version "*) command -v "$name" && return 0 ;; esac
  done
  return 1
}

if ! python=$(find_python); then
  echo "setup.sh: installing Python"
  apt-get update
  for version in $versions; do  # a release of the system has one of them or none
    apt-get install -y --no-install-recommends "python$version" "python$version-venv" && break
  done
  python=$(find_python) || {
    echo "setup.sh: there is no Python $versions; choose a base image of Ubuntu 22.04 or newer" >&2
    exit 1
  }
fi

cd "$source"
pip=$(find wheels -name 'pip-*.whl')
if [ -n "$pip" ]; then
  "$python" -m venv --clear --without-pip "$root/venv"
  "$root/venv/bin/python" "$pip/pip" install --no-index --find-links wheels --no-deps --quiet -r requirements.txt
else
  "$python" -c 'import ensurepip' 2>/dev/null || {
    apt-get update
    apt-get install -y --no-install-recommends "$(basename "$python")-venv"
  }
  "$python" -m venv --clear "$root/venv"
  "$root/venv/bin/python" -m pip install --no-deps --quiet -r requirements.txt
fi
"$root/venv/bin/python" -I -m grader --version
