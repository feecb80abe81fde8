import { setPriority } from 'node:os';
import { AppError } from '../../core/app-error.ts';
import { createProblem } from '../../core/health/problems.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { readSettings } from '../../store/archive/read-settings.ts';
import type { ArchiveAnswer, ArchiveJob } from './archive-jobs.ts';
import { copyBackup, makeBackup } from './make-backup.ts';
import { prepareRestore, swapDatabase } from './restore-database.ts';

// Runs as a child process: `archive-child JOB`, the job as JSON. The last line of its output is the result.

process.umask(0o077);
try {
  // Low priority: counting in the parent process goes first.
  setPriority(10);
} catch {
  // A sandbox may forbid it; the job then runs at normal priority.
}

function work(job: ArchiveJob): Promise<unknown> {
  switch (job.kind) {
    case 'make':
      return makeBackup(job);
    case 'copy':
      return copyBackup(job);
    case 'settings':
      return readSettings(process.stdin).then((text) => ({ text }));
    case 'prepare':
      return prepareRestore(job);
    case 'swap':
      return swapDatabase(job);
  }
}

/** Converts an error to a sentence for staff and a cause for the log. */
function refusal(fault: unknown): ArchiveAnswer {
  const cause = fault instanceof Error ? String(fault.cause ?? fault.stack) : String(fault);
  if (fault instanceof AppError) {
    const { code, message: sentence, reason, problem } = fault;
    return { refused: { code, sentence, cause, ...omitUndefined({ reason, problem }) } };
  }
  const { code: errno, path } = fault as NodeJS.ErrnoException;
  const problem = createProblem(problemCode(errno));
  const trace = String((fault as Error)?.stack ?? fault);
  return {
    refused: {
      code: 'unavailable',
      sentence: problem.message,
      cause: trace,
      problem,
      ...omitUndefined({ errno, path }),
    },
  };
}

function problemCode(code: string | undefined) {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'archive_disk_full';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'archive_not_writable';
  return code === 'ENOENT' ? 'archive_file_missing' : 'archive_failed';
}

const answer: ArchiveAnswer = await work(JSON.parse(process.argv[2] ?? '') as ArchiveJob).then(
  (done) => ({ done }),
  refusal,
);
// Exits once the result is written, without reading the rest of an archive on standard input.
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit('done' in answer ? 0 : 1));
