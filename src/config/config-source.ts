import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hardwareDirectory } from '../system/product.ts';
import { ConfigFault } from './config-fault.ts';

/** Bound of the file size, far above any real configuration; a larger file is the wrong one. */
const maxConfigBytes = 256 * 1024;

/** The configuration file of an installed Tapster. */
const installedConfig = '/etc/tapster/tapster.json';

/** The configuration used when there is no other: simulated taps with kegs. */
const demoConfig = join(hardwareDirectory, 'profiles', 'demo.json');

/** Where to look for the configuration. */
export interface ConfigChoice {
  /** `--config FILE`. */
  readonly path?: string | undefined;
  /** The environment; only `TAPSTER_CONFIG` is read here. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder for relative paths. */
  readonly cwd: string;
  /** Replaces `/etc/tapster/tapster.json` in tests. */
  readonly installed?: string | undefined;
}

interface ConfigText {
  readonly text: string;
  /** Absolute path of the file read. */
  readonly source: string;
  readonly isDemo: boolean;
}

/** Finds and reads the configuration file. A named file must exist; only the installed one may be absent. */
export function readConfigText(choice: ConfigChoice): ConfigText {
  const named = choice.path ?? (choice.env.TAPSTER_CONFIG || undefined);
  if (named !== undefined) {
    const source = resolve(choice.cwd, named);
    return { text: readBounded(source), source, isDemo: false };
  }
  const installed = choice.installed ?? installedConfig;
  try {
    return { text: readBounded(installed), source: installed, isDemo: false };
  } catch (fault) {
    // Only an absent file leads to the demo; a file that may not be read is an error.
    if (!(fault instanceof ConfigFault && isAbsent(fault.cause))) throw fault;
  }
  return { text: readBounded(demoConfig), source: demoConfig, isDemo: true };
}

function readBounded(file: string): string {
  try {
    return readUpTo(file, maxConfigBytes);
  } catch (cause) {
    const fault = new ConfigFault(file, [problem(cause)]);
    fault.cause = cause;
    throw fault;
  }
}

function readUpTo(file: string, maxBytes: number): string {
  const descriptor = openSync(file, 'r');
  try {
    if (fstatSync(descriptor).isDirectory()) throw new Error('It is a folder; name the file inside it.');
    // Reads one byte more than allowed to detect a larger file, because the reported size of a pipe is
    // meaningless.
    const buffer = Buffer.alloc(maxBytes + 1);
    let filled = 0;
    while (filled < buffer.length) {
      const count = readSync(descriptor, buffer, filled, buffer.length - filled, null);
      if (count === 0) break;
      filled += count;
    }
    if (filled > maxBytes)
      throw new Error(`It is larger than ${maxBytes / 1024} KiB; this is not a Tapster configuration.`);
    return buffer.toString('utf8', 0, filled);
  } finally {
    closeSync(descriptor);
  }
}

function problem(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'There is no such file.';
  if (code === 'EACCES' || code === 'EPERM') return 'This user may not read it.';
  if (code !== undefined) return `It cannot be read (${code}).`;
  return (cause as Error).message;
}

function isAbsent(cause: unknown): boolean {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
