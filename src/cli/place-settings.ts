import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../core/app-error.ts';

/** Throws `not_allowed` if this user cannot replace the settings file. */
export function requireReplaceable(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch (cause) {
    throw new AppError(
      'not_allowed',
      `The settings file ${file} cannot be replaced by this user: call the command with sudo, or with --keep-settings.`,
      { cause },
    );
  }
}

/**
 * Replaces the settings file by `text` with the mode of the former one, which is kept under the returned path.
 * Whenever the power fails, the former or the new file is in place.
 */
export function placeSettings(file: string, text: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const [created, former] = [`${file}.new`, `${file}.before-${stamp}`];
  const { mode, uid, gid } = statSync(file);
  writeFileSync(created, text, { mode: mode & 0o777, flush: true });
  copyOwner(created, { uid, gid });
  writeFileSync(former, readFileSync(file), { mode: mode & 0o777, flush: true });
  renameSync(created, file);
  syncFolder(dirname(file));
  return former;
}

function copyOwner(file: string, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
