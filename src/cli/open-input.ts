import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { AppError } from '../core/app-error.ts';
import type { CliIo } from './command.ts';

/** A file of a call that is open for reading, with a descriptor of its own. */
export interface InputFile {
  /** Its name for messages. */
  readonly name: string;
  readonly descriptor: number;
}

const gibibyte = 1024 ** 3;

/**
 * Opens a file that a call names; null, with a message, if there is none. Throws `invalid_request` for a folder, a device, a pipe, and
 * a file that is empty or larger than the bound: the first three may never end.
 */
export function openInput(
  path: string,
  { cwd, err }: Pick<CliIo, 'cwd' | 'err'>,
  { maxGib, advice = '' }: { readonly maxGib: number; readonly advice?: string },
): InputFile | null {
  let descriptor: number;
  try {
    // A pipe without a writer would wait for one.
    descriptor = openSync(resolve(cwd, path), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (fault) {
    if (!absentCodes.includes((fault as NodeJS.ErrnoException).code ?? '')) throw fault;
    err(`The file ${path} cannot be opened.\n`);
    return null;
  }
  const name = basename(path) || `The file “${path}”`;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw invalidInput(name, 'is a folder or a device, not a file');
    if (stats.size === 0) throw invalidInput(name, 'is empty');
    if (stats.size > maxGib * gibibyte) throw invalidInput(name, `is larger than ${maxGib} GiB${advice}`);
  } catch (fault) {
    closeSync(descriptor);
    throw fault;
  }
  return { name, descriptor };
}

/** No file of that name; a device without a driver, a socket. */
const absentCodes: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO', 'ENODEV'];

const invalidInput = (name: string, what: string): AppError =>
  new AppError('invalid_request', `${name} ${what}.`);
