#!/bin/sh
# Removes the service and the program. The database in /var/lib/tapster and the settings in /etc/tapster stay.
# It may be run repeatedly. TAPSTER_ROOT=/some/tree works on that tree instead of /.
#
#   sudo sh systemd/uninstall.sh           keeps drinks and settings
#   sudo sh systemd/uninstall.sh --forget  removes them and the user as well; this cannot be undone
set -eu

say() { printf '%s\n' "$*"; }
root=${TAPSTER_ROOT:-}
forget=no
for word in "$@"; do
  case $word in
    --forget) forget=yes ;;
    *)
      printf 'Nothing was removed: "%s" is not an option; there is only --forget.\n' "$word" >&2
      exit 1
      ;;
  esac
done

if [ -z "$root" ]; then
  [ "$(id -u)" = 0 ] || {
    printf 'Nothing was removed: this needs root. Try: sudo sh systemd/uninstall.sh\n' >&2
    exit 1
  }
  if dpkg-query -W -f '${Status}' tapster 2> /dev/null | grep -q 'ok installed'; then
    printf 'Nothing was removed: the package tapster is installed. Remove it: sudo apt remove tapster\n' >&2
    exit 1
  fi
  if [ -d /run/systemd/system ]; then
    systemctl disable --now --quiet tapster.service 2> /dev/null || :
  fi
fi

rm -f "$root/etc/systemd/system/tapster.service" \
  "$root/usr/lib/udev/rules.d/60-tapster.rules" \
  "$root/usr/lib/sysusers.d/tapster.conf" \
  "$root/usr/lib/tmpfiles.d/tapster.conf"
if [ -L "$root/usr/local/bin/tapster" ]; then rm -f "$root/usr/local/bin/tapster"; fi
rm -rf "$root/opt/tapster" "$root/opt/tapster.new" "$root/opt/tapster.old"

if [ -z "$root" ]; then
  [ ! -d /run/systemd/system ] || systemctl daemon-reload
  if command -v udevadm > /dev/null 2>&1; then udevadm control --reload 2> /dev/null || :; fi
fi

if [ "$forget" = yes ]; then
  rm -rf "$root/var/lib/tapster" "$root/etc/tapster"
  if [ -z "$root" ] && id tapster > /dev/null 2>&1; then userdel tapster; fi
  say "Tapster is removed, and so are its drinks and settings."
  exit 0
fi
say "Tapster is removed. Your drinks are still in $root/var/lib/tapster and your settings in $root/etc/tapster."
say "To remove them as well: sh systemd/uninstall.sh --forget"
