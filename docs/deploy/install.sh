#!/bin/sh
# Installs a packed Cairn, or another version over it:   sh install.sh cairn-0.1.0.tgz /opt/cairn
# Needs Node 24.7 or newer and npm, which fetches better-sqlite3, all that the tarball does not hold.
# The program is then FOLDER/bin/cairn. No install script of any package runs.
set -eu

if [ $# -ne 2 ]; then
  echo 'usage: install.sh TARBALL FOLDER' >&2
  exit 2
fi

# npm leaves out native parts for a Node that is too old, without a word.
version=$(node --version 2>/dev/null || echo none)
refuse() {
  echo "Cairn needs Node 24.7 or newer; on the PATH is: $version. See https://nodejs.org." >&2
  exit 1
}
case ${version#v} in
  24.[0-6].*) refuse ;;
  2[4-9].* | [3-9][0-9].*) ;;
  *) refuse ;;
esac

# Who runs the program is somebody else, who must be able to read it.
umask 022
npm install --global --prefix "$2" --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error "$1"
"$2/bin/cairn" version
