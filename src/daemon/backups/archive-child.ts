import { setPriority } from 'node:os';
import { AppError } from '../../core/app-error.ts';
import type { ArchiveAnswer, ArchiveJob } from './archive-jobs.ts';
import { copyBackup, makeBackup } from './make-backup.ts';
import { prepareRestore, swapDatabase } from './restore-database.ts';

// Runs as a process of its own: `archive-child JOB`, the job as JSON. Its last line is the answer.

process.umask(0o077);
try {
  // Counting goes first.
  setPriority(10);
} catch {
  // A sandbox may forbid it; the archive then takes its turn like everybody.
}

function work(job: ArchiveJob): Promise<unknown> {
  switch (job.kind) {
    case 'make':
      return makeBackup(job);
    case 'copy':
      return copyBackup(job);
    case 'prepare':
      return prepareRestore(job);
    case 'swap':
      return swapDatabase(job);
  }
}

/** A sentence for the person who keeps the bar; the cause is for the log. */
function refusal(fault: unknown): ArchiveAnswer {
  const cause = fault instanceof Error ? String(fault.cause ?? fault.stack) : String(fault);
  if (fault instanceof AppError) return { refused: { code: fault.code, sentence: fault.message, cause } };
  const { code = '' } = fault as NodeJS.ErrnoException;
  const sentence =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'The disk is full: free some space.'
      : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
        ? 'This user may not write there: check the owner of the folder and whether the disk is mounted for writing.'
        : code === 'ENOENT'
          ? 'A file or folder that is needed is not there.'
          : 'The work on the backup failed; the log says why.';
  return { refused: { code: 'unavailable', sentence, cause: String((fault as Error)?.stack ?? fault) } };
}

const answer: ArchiveAnswer = await work(JSON.parse(process.argv[2] ?? '') as ArchiveJob).then(
  (done) => ({ done }),
  refusal,
);
// The answer is out before the process leaves; an archive on standard input that nobody reads any more is left behind.
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit('done' in answer ? 0 : 1));
