# Sourced: copy_packages FOLDER copies the production packages, as npm lists them, without the C sources of
# native ones.
copy_packages() {
  (cd "$root" && npm ls --omit=dev --all --parseable 2>/dev/null || true) | tail -n +2 | sort -u |
    while read -r package; do
      [ -d "$package" ] || continue
      mkdir -p "$1/${package#"$root"/}"
      tar -C "$package" --exclude=./node_modules -cf - . | tar -C "$1/${package#"$root"/}" -xf -
    done
  (cd "$1/node_modules" && rm -rf better-sqlite3/{deps,src} koffi/{vendor,doc} */build/Release/obj.target)
}

# state_of_packages: prints text that changes whenever the output of copy_packages would.
state_of_packages() {
  cat "$root/package-lock.json" "$root/test/kernel/packages.sh"
  node --version
  for native in better-sqlite3/build/Release/better_sqlite3.node epoll/build/Release/epoll.node; do
    stat -c %Y "$root/node_modules/$native" 2> /dev/null || true
  done
}
