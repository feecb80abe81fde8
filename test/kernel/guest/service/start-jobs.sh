# Run by systemd in the Debian guest: mounts the shared folder, at the first boot unpacks the product from the
# second disk (a plain tar file), and runs the jobs. After a reboot by a job they continue with the next test.
set -e
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 share /mnt
. /kernel/chips.sh
if [ ! -e /kernel/run-jobs.mjs ]; then
  tar -xf /dev/vdb -C /
  [ ! -d /home/pi ] || chown -R 1000:1000 /home/pi
elif [ ! -e /kernel/before-reboot.json ]; then
  echo "The machine has rebooted unexpectedly."
  exit 1
fi
cd /kernel
# The machine of the package has no Node.js of its own.
PATH=$PATH:/kernel/bin node run-jobs.mjs /mnt/results.jsonl $(parameter jobs) $(parameter only)
