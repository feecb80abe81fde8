import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Every change that the updater makes to the disk. Each call is durable when it returns; tests cut the power at each one. */
export interface UpdaterFiles {
  /** Copies a folder by hard links, where they are refused by copies, and syncs it. */
  copyTree(from: string, to: string): void;
  rename(from: string, to: string): void;
  /** Replaces a symbolic link, so that there is the former or the new one at every moment. */
  replaceLink(path: string, target: string): void;
  /** Replaces a file; all users may read it. */
  writeFile(path: string, text: string): void;
  /** Creates a file that only its owner may read, from what `fill` appends to it. */
  createFile(path: string, fill: (append: (bytes: Buffer) => void) => Promise<void>): Promise<void>;
  /** Deletes a file or folder; a missing one is no error. */
  remove(path: string): void;
}

export const updaterFiles: UpdaterFiles = {
  copyTree(from, to) {
    linkTree(from, to);
    // One call for all files: fsync of each takes minutes on a slow card.
    execFileSync('sync', ['-f', to]);
  },
  rename(from, to) {
    renameSync(from, to);
    syncFolder(dirname(to));
  },
  replaceLink(path, target) {
    const created = `${path}.new`;
    rmSync(created, { force: true });
    symlinkSync(target, created);
    renameSync(created, path);
    syncFolder(dirname(path));
  },
  writeFile(path, text) {
    const created = `${path}.new`;
    try {
      writeFileSync(created, text, { mode: 0o644, flush: true });
      renameSync(created, path);
    } catch (cause) {
      rmSync(created, { force: true });
      throw cause;
    }
    syncFolder(dirname(path));
  },
  async createFile(path, fill) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    const file = openSync(path, 'wx', 0o600);
    try {
      await fill((bytes) => {
        for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
      });
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    syncFolder(dirname(path));
  },
  remove(path) {
    rmSync(path, { recursive: true, force: true });
    syncFolder(dirname(path));
  },
};

function linkTree(from: string, to: string): void {
  const { mode } = lstatSync(from);
  mkdirSync(to);
  // Not reduced by the umask: the daemon's user must be able to read it.
  chmodSync(to, mode & 0o777);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) linkFile(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (cause) {
    // Another file system, or one without hard links.
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS'].includes(code)) throw cause;
    copyFileSync(source, target);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
