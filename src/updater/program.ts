import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpAddress } from '../core/updates/update-state.ts';

/** Copying and checking the largest database takes a Pi some minutes; 2 h is a hang, milliseconds. */
const timeoutMs = 2 * 3_600_000;
/** The end of an output says what failed. */
const maxOutput = 2_000;

/** The program of a release refused; `output` says why. */
export class ProgramRefused extends Error {
  readonly code: number | null;
  readonly output: string;

  constructor(code: number | null, output: string) {
    super(output);
    this.code = code;
    this.output = output;
  }
}

/** Runs commands of a release as the user who owns the state directory. */
export function createProgram(options: {
  readonly stateDirectory: string;
  /** Arguments that name the settings; none for the usual file. */
  readonly settings: readonly string[];
}) {
  const { stateDirectory, settings } = options;

  /** Resolves to its standard output. */
  function run(release: string, args: readonly string[]): Promise<string> {
    const node = join(release, 'bin', 'node');
    const child = spawn(
      existsSync(node) ? node : process.execPath,
      [join(release, 'dist', 'main.js'), ...args, ...settings],
      {
        cwd: stateDirectory,
        env: { PATH: process.env.PATH, NODE_ENV: 'production', LANG: 'C.UTF-8' },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...findOwner(stateDirectory),
      },
    );
    const [out, err] = [child.stdout, child.stderr].map((stream) => {
      let text = '';
      stream.on('data', (piece: Buffer) => {
        text = (text + piece.toString('utf8')).slice(-65_536);
      });
      return () => text.trim();
    });
    // Not the option of `spawn`: its timer is left running, and with it the updater for two hours, when the program cannot be started.
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    return new Promise((resolve, reject) => {
      child.once('error', (cause) => {
        clearTimeout(timer);
        reject(new ProgramRefused(null, cause.message));
      });
      child.once('close', (code, signal) => {
        clearTimeout(timer);
        if (code === 0) return resolve(out!());
        const output = [err!(), out!()].filter(Boolean).join('\n').slice(-maxOutput);
        reject(new ProgramRefused(code, output || `It ended with ${code ?? signal}.`));
      });
    });
  }

  return {
    /**
     * Tries settings, libraries and a copy of the database, which the release `wayBack` must be able to use afterwards; resolves to
     * the daemon's address. Rejects with `ProgramRefused`.
     */
    async check(release: string, wayBack: string): Promise<HttpAddress> {
      const output = await run(release, ['check', '--for-update', '--way-back', wayBack]);
      const { http } = JSON.parse(output.split('\n').at(-1) ?? '') as { http: HttpAddress };
      return { host: String(http.host), port: Number(http.port) };
    },
    /** Makes a verified backup; resolves to its path, null where the settings want none. Rejects with `ProgramRefused`. */
    async backUp(release: string): Promise<string | null> {
      return (await run(release, ['backup', '--before-update'])) || null;
    },
  };
}

export type Program = ReturnType<typeof createProgram>;

/** Files that root created beside the database would lock out the daemon. */
function findOwner(folder: string) {
  const { uid, gid } = statSync(folder);
  return process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : {};
}
