import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** The file system that holds a folder. */
export interface Mount {
  /** The mount point. */
  readonly point: string;
  /** `ext4`, `tmpfs`, `overlay`, … */
  readonly type: string;
  readonly isReadOnly: boolean;
}

/**
 * Finds the mount that holds `directory` in the text of `/proc/self/mountinfo`; null when it cannot be found.
 * A folder that does not exist yet is on the mount of its nearest existing parent.
 */
export function findMount(directory: string, mountinfo: string | null): Mount | null {
  const real = nearestExisting(directory);
  let best: Mount | null = null;
  for (const mount of (mountinfo ?? '').split('\n').map(parseLine)) {
    if (mount === null || !holds(mount.point, real)) continue;
    // Later lines are mounted over earlier ones at the same mount point.
    if (best === null || mount.point.length >= best.point.length) best = mount;
  }
  return best;
}

/** Returns the real path of `directory`, or of its nearest existing parent. */
export function nearestExisting(directory: string): string {
  for (let path = directory; ; path = dirname(path)) {
    try {
      return realpathSync(path);
    } catch {
      if (path === dirname(path)) return path;
    }
  }
}

function holds(point: string, path: string): boolean {
  return point === '/' || path === point || path.startsWith(`${point}/`);
}

function parseLine(line: string): Mount | null {
  const [before = '', after] = line.split(' - ');
  const words = before.split(' ');
  const [type = '', , superOptions = ''] = (after ?? '').split(' ');
  const point = words[4];
  if (point === undefined || type === '') return null;
  const isReadOnly = [...(words[5] ?? '').split(','), ...superOptions.split(',')].includes('ro');
  return { point: decodeOctal(point), type, isReadOnly };
}

/** Decodes the kernel's octal escapes of spaces and similar characters. */
function decodeOctal(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}
