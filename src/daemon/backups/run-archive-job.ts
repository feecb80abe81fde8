import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError, type AppErrorCode } from '../../core/app-error.ts';
import type { ArchiveAnswer, ArchiveJob, ArchiveResults, JobOf } from './archive-jobs.ts';

/** The largest ledger takes a Pi some minutes; whatever takes longer hangs. */
const timeoutMs = 2 * 3_600_000;

/** Codes a refusal may have; whatever else the process says is a bug. */
const allowedCodes: readonly string[] = [
  'invalid_request',
  'not_found',
  'conflict',
  'unavailable',
  'too_large',
];

export interface JobOptions {
  /** An open file, read by a job that takes standard input. */
  readonly input?: number;
  /** An open, empty file, written and read back by a job whose archive goes elsewhere. */
  readonly output?: number;
  /** The user to work as, when root asks. */
  readonly owner?: { readonly uid: number; readonly gid: number } | null;
  /** Called off early: the process is killed, and what it had half made is swept up by the next. */
  readonly signal?: AbortSignal;
}

/**
 * Does one piece of heavy work in a process of its own, of low priority: beer is counted in this one. Rejects with the
 * refusal it prints.
 */
export async function runArchiveJob<K extends ArchiveJob['kind']>(
  job: JobOf<K>,
  { input, output, owner = null, signal }: JobOptions = {},
): Promise<ArchiveResults[K]> {
  const child = spawn(process.execPath, ['--max-old-space-size=192', childPath(), JSON.stringify(job)], {
    stdio: [input ?? 'ignore', 'pipe', 'pipe', output ?? 'ignore'],
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(owner === null ? {} : owner),
    ...(signal === undefined ? {} : { signal }),
  });
  const [out, err] = [child.stdout, child.stderr].map((stream) => {
    let text = '';
    // Our own words only; should they ever be many, the last ones tell most.
    stream!.on('data', (piece: Buffer) => {
      text = (text + piece.toString('utf8')).slice(-262_144);
    });
    return () => text;
  });
  const ending = await new Promise<string>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, killSignal) => done(`${code ?? killSignal}`));
  });
  const answer = readAnswer(out!());
  if (answer !== null && 'done' in answer) return answer.done as ArchiveResults[K];
  if (answer === null) {
    throw new AppError(
      'unavailable',
      'The work on the backup ended early: look at the log, then try again.',
      {
        cause: new Error(`The archive process ended with ${ending}: ${err!().slice(-2_000)}`),
      },
    );
  }
  const { code, sentence, cause } = answer.refused;
  const known = (allowedCodes.includes(code) ? code : 'unavailable') as AppErrorCode;
  throw new AppError(known, sentence, { cause: new Error(cause) });
}

function readAnswer(text: string): ArchiveAnswer | null {
  try {
    return JSON.parse(text.trim().split('\n').at(-1) ?? '') as ArchiveAnswer;
  } catch {
    return null;
  }
}

function childPath(): string {
  const beside = fileURLToPath(new URL('./archive-child.js', import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL('../../../dist/daemon/backups/archive-child.js', import.meta.url));
}
