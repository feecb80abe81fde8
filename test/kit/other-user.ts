import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The user `nobody` of Debian. */
const nobody = { uid: 65_534, gid: 65_534 } as const;

/** True where a test can act as another user. */
export const isRoot = process.getuid?.() === 0;

/** Lets others enter a temporary folder, whose parents are closed to them. */
export function letOthersEnter(folder: string): void {
  for (let level = folder; level !== dirname(level); level = dirname(level)) {
    const { mode } = statSync(level);
    if ((mode & 0o001) === 0) chmodSync(level, (mode & 0o777) | 0o055);
  }
}

/**
 * Runs a program as a user who owns none of the test's files: `nobody` when root tests. Other testers run it as themselves, and
 * take their own rights from the files before (`chmod 000`).
 */
export async function runAsOther(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? '/',
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot ? nobody : {}),
  });
  let [out, err] = ['', ''];
  child.stdout!.on('data', (piece: Buffer) => {
    out += piece;
  });
  child.stderr!.on('data', (piece: Buffer) => {
    err += piece;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}
