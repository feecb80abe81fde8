import { AppError } from '../../core/app-error.ts';

/** Explanations of system error codes. */
const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'the disk is read-only',
  EACCES: 'Tapster may not write in its folder',
  EPERM: 'Tapster may not write in its folder',
  ENOENT: 'its folder does not exist',
  EIO: 'the disk reports an error, and the card may be worn out',
};

/** The error for a journal that cannot be written, with its reason and consequence. */
export function journalWriteError(cause: unknown): AppError {
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? 'an unknown error';
  return new AppError(
    'unavailable',
    `The pour journal beside the database cannot be written: ${meanings[code] ?? `the system reports ${code}`}. Counting continues, but a power cut now would lose the running pours.`,
    { cause },
  );
}

/** The error for a journal without a free slot: pours could not be recorded for a long time. */
export function journalFullError(): AppError {
  return new AppError(
    'unavailable',
    'The pour journal is full because pours could not be recorded in the database for a long time. Further pours are in memory only: leave the power on and repair the database.',
  );
}
