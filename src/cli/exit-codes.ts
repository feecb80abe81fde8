import { AppError, type AppErrorCode } from '../core/app-error.ts';

/** Exit codes of sysexits.h, so that units and scripts can distinguish faults. */
export const exitCodes = {
  ok: 0,
  /** A check of `doctor` failed. */
  checkFailed: 1,
  usage: 64,
  badData: 65,
  noInput: 66,
  noUser: 67,
  unavailable: 69,
  bug: 70,
  cannotCreate: 73,
  ioError: 74,
  noPermission: 77,
  config: 78,
} as const;

const exitCodeByAppError: Partial<Record<AppErrorCode, number>> = {
  invalid_request: exitCodes.badData,
  conflict: exitCodes.badData,
  not_found: exitCodes.noUser,
  not_allowed: exitCodes.noPermission,
  unavailable: exitCodes.unavailable,
};

const exitCodeByErrno: Readonly<Record<string, number>> = {
  EADDRINUSE: exitCodes.unavailable,
  EADDRNOTAVAIL: exitCodes.unavailable,
  EACCES: exitCodes.noPermission,
  EPERM: exitCodes.noPermission,
  ENOENT: exitCodes.cannotCreate,
  ENOTDIR: exitCodes.cannotCreate,
  EISDIR: exitCodes.cannotCreate,
  EEXIST: exitCodes.cannotCreate,
  EROFS: exitCodes.ioError,
  ENOSPC: exitCodes.ioError,
  EDQUOT: exitCodes.ioError,
  EIO: exitCodes.ioError,
};

/** Returns the exit code of a fault; 70, a bug, for an unknown one. */
export function toExitCode(fault: unknown): number {
  // The cause is more exact: "the database cannot be opened" may be a missing folder, a permission or a failed
  // card.
  const cause = fault instanceof Error && fault.cause !== undefined ? toExitCode(fault.cause) : exitCodes.bug;
  if (cause !== exitCodes.bug) return cause;
  // Whoever calls it again gets the same answer until the feature is switched on.
  if (fault instanceof AppError && fault.reason?.name === 'feature_off') return exitCodes.config;
  if (fault instanceof AppError) return exitCodeByAppError[fault.code] ?? exitCodes.bug;
  const code = (fault as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? (exitCodeByErrno[code] ?? toSqliteExitCode(code)) : exitCodes.bug;
}

function toSqliteExitCode(code: string): number {
  if (code.startsWith('SQLITE_CANTOPEN')) return exitCodes.cannotCreate;
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_PERM')) return exitCodes.noPermission;
  if (/^SQLITE_(IOERR|FULL)/.test(code)) return exitCodes.ioError;
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return exitCodes.unavailable;
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return exitCodes.badData;
  return exitCodes.bug;
}
