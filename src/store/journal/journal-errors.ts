import { AppError } from '../../core/app-error.ts';

/** What a disk's refusal means to a person. */
const meanings: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'the disk is read-only',
  EACCES: 'Tapster may not write in its folder',
  EPERM: 'Tapster may not write in its folder',
  ENOENT: 'its folder does not exist',
  EIO: 'the disk reports an error, and the card may be worn out',
};

/** Says why the journal could not be written, and what that means for the bar. */
export function journalWriteError(cause: unknown): AppError {
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? 'an unknown fault';
  return new AppError(
    'unavailable',
    `The pour journal beside the database cannot be written: ${meanings[code] ?? `the system says ${code}`}. Counting goes on, but a power cut now would cost the pours that run.`,
    { cause },
  );
}

/** Every slot is taken: the ledger has refused pours for a long time. */
export function journalFullError(): AppError {
  return new AppError(
    'unavailable',
    'The pour journal is full, since the database has taken no pours for long. They are kept in memory: leave the power on and mend the database.',
  );
}
