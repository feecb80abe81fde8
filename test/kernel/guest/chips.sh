# Sourced in the guest by the script that starts its tests: creates the two simulated GPIO chips once per
# boot, and reads the kernel's command line.

# parameter NAME: its value on the kernel's command line.
parameter() { sed -n "s/.*tapster\.$1=\([^ ]*\).*/\1/p" /proc/cmdline; }

# chip LABEL LINES: creates a chip and writes /run/LABEL.dev (gpiochipN), /run/LABEL.dir (pull and value
# files), /run/LABEL.base (sysfs).
chip() {
  config=/sys/kernel/config/gpio-sim/$1
  mkdir -p "$config/bank0"
  echo "$2" > "$config/bank0/num_lines"
  echo "$1" > "$config/bank0/label"
  echo 1 > "$config/live"
  name=$(cat "$config/bank0/chip_name")
  dir=/sys/devices/platform/$(cat "$config/dev_name")/$name
  echo "$name" > "/run/$1.dev"
  echo "$dir" > "/run/$1.dir"
  for chip in /sys/class/gpio/gpiochip*; do
    [ "$(cat "$chip/label")" = "$1" ] && cat "$chip/base" > "/run/$1.base"
  done
  for pull in "$dir"/sim_gpio*/pull; do echo pull-up > "$pull"; done
}
if [ ! -e /run/taps.base ]; then
  chip spare 4 # first, so that "the first chip" and "the only chip" are both wrong
  chip taps 16
fi
