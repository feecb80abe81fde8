import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError, type AppErrorCode } from '../../core/app-error.ts';
import { createProblem } from '../../core/health/problems.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { childProcessQueue } from '../../store/child-processes.ts';
import type { ArchiveAnswer, ArchiveJob, ArchiveResults, JobOf } from './archive-jobs.ts';

/** The largest database takes a Pi some minutes; a job that runs for 2 h hangs. */
const timeoutMs = 2 * 3_600_000;

/** Error codes that a job may return; any other becomes `unavailable`. */
const allowedCodes: readonly string[] = [
  'invalid_request',
  'not_found',
  'conflict',
  'unavailable',
  'too_large',
];

/**
 * Limits of the child's heap: it streams, so almost all of its heap is garbage. Small young generations are collected
 * before they grow to the 48 MB that Node.js allows otherwise.
 */
const heapFlags = ['--max-old-space-size=96', '--max-semi-space-size=1'];

export interface JobOptions {
  /** Descriptor of an open file, passed as standard input. */
  readonly input?: number;
  /** Descriptor of an open, empty file for the archive, passed as descriptor 3. */
  readonly output?: number;
  /** The user to run as, when root calls. */
  readonly owner?: { readonly uid: number; readonly gid: number } | null;
  /** Aborts the job: the process is killed, and the next job removes its incomplete files. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a heavy job in a child process of low priority, because this process counts beer; it starts when no
 * other child resizes a picture or works on a backup. Rejects with the error that the child prints.
 */
export function runArchiveJob<K extends ArchiveJob['kind']>(
  job: JobOf<K>,
  options: JobOptions = {},
): Promise<ArchiveResults[K]> {
  return childProcessQueue.run(() => runChild(job, options), options.signal);
}

async function runChild<K extends ArchiveJob['kind']>(
  job: JobOf<K>,
  { input, output, owner = null, signal }: JobOptions,
): Promise<ArchiveResults[K]> {
  const child = spawn(process.execPath, [...heapFlags, childPath(), JSON.stringify(job)], {
    stdio: [input ?? 'ignore', 'pipe', 'pipe', output ?? 'ignore'],
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(owner === null ? {} : owner),
    ...omitUndefined({ signal }),
  });
  const [out, err] = [child.stdout, child.stderr].map((stream) => {
    let text = '';
    // Only the child's own output, at most the settings of a backup, with escapes; of more the end matters most.
    stream!.on('data', (piece: Buffer) => {
      text = (text + piece.toString('utf8')).slice(-2_097_152);
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
    throw new AppError('unavailable', createProblem('archive_ended'), {
      cause: new Error(`The archive process ended with ${ending}: ${err!().slice(-2_000)}`),
    });
  }
  const { code, sentence, cause, reason, problem, errno, path } = answer.refused;
  const errorCode = (allowedCodes.includes(code) ? code : 'unavailable') as AppErrorCode;
  throw new AppError(errorCode, problem ?? sentence, {
    cause: Object.assign(new Error(cause), omitUndefined({ code: errno, path })),
    ...omitUndefined({ reason }),
  });
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
  return fileURLToPath(new URL('../../../dist/services/backups/archive-child.js', import.meta.url));
}
