import { AppError } from '../../core/app-error.ts';
import { createProblem } from '../../core/health/problems.ts';

/** The error for a journal that cannot be written, with its reason and consequence. */
export function journalWriteError(cause: unknown): AppError {
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? 'unknown';
  return new AppError('unavailable', createProblem('journal_not_written', { code }), { cause });
}

/** The error for a journal without a free slot: pours could not be recorded for a long time. */
export const journalFullError = (): AppError => new AppError('unavailable', createProblem('journal_full'));
