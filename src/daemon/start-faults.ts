import type { Config } from '../config/schema.ts';
import { AppError } from '../core/app-error.ts';

/** Exit codes of sysexits.h for a daemon that cannot start. */
const exit = { unavailable: 69, bug: 70, disk: 74, permission: 77 } as const;

/** The reason why the daemon could not start, as one sentence for a person and an exit code for systemd. */
export function startFault(
  fault: unknown,
  { http, database }: Config,
): { sentence: string; exitCode: number } {
  const { code, syscall } = (fault ?? {}) as NodeJS.ErrnoException;
  if (syscall === 'listen') {
    if (code === 'EADDRINUSE') {
      const sentence = `Port ${http.port} is taken by another program. Stop that, or set http.port or $TAPSTER_PORT.`;
      return { sentence, exitCode: exit.unavailable };
    }
    if (code === 'EACCES') {
      const sentence = `Port ${http.port} needs special rights. Use one above 1023: http.port or $TAPSTER_PORT.`;
      return { sentence, exitCode: exit.permission };
    }
    return {
      sentence: `Tapster cannot listen on the address ${http.host} (${code}). Correct http.host or $TAPSTER_HOST.`,
      exitCode: exit.unavailable,
    };
  }
  if (code === 'EACCES' || code === 'EPERM') {
    const sentence = `The folder of the database ${database} cannot be written. Give it to the user Tapster runs as.`;
    return { sentence, exitCode: exit.permission };
  }
  if (fault instanceof AppError) {
    return { sentence: fault.message, exitCode: fault.code === 'unavailable' ? exit.disk : exit.unavailable };
  }
  if (typeof code === 'string' && (code.startsWith('SQLITE_') || code === 'ENOSPC' || code === 'EROFS')) {
    return {
      sentence: `The database ${database} cannot be opened (${code}). Is the disk full?`,
      exitCode: exit.disk,
    };
  }
  return {
    sentence: 'Tapster could not start because of a bug; see the log and report it.',
    exitCode: exit.bug,
  };
}
