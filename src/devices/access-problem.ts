/** A device file that may not be opened. */
interface RefusedDevice {
  readonly path: string;
  /** The device and its place, as the subject of the sentence. */
  readonly what: string;
  /** The group that owns such files. */
  readonly group: 'dialout' | 'gpio' | 'input';
}

/**
 * One sentence: who refuses to open a device file and what to do. `EACCES` is the file's owner and mode; `EPERM` is the
 * device cgroup, which systemd sets up from the unit's `DeviceAllow` and which groups and modes do not change.
 */
export function accessProblem(code: 'EACCES' | 'EPERM', { path, what, group }: RefusedDevice): string {
  if (code === 'EACCES')
    return `${what} may not be opened by this user: add the user Tapster runs as to the group that owns ${path}, usually ${group}, and restart the service.`;
  return (
    `${what} is not on the list of devices that the service may use (EPERM: the device cgroup refuses it; file permissions ` +
    `and groups do not matter). Run systemd/install.sh again, or add "DeviceAllow=${path} rw" below [Service] with ` +
    '"sudo systemctl edit tapster"; then restart the service.'
  );
}
