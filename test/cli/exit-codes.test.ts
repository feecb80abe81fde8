import { expect, test } from 'vitest';
import { toExitCode } from '../../src/cli/exit-codes.ts';
import { AppError } from '../../src/core/app-error.ts';

const errno = (code: string) => Object.assign(new Error(code), { code });

test.each<[string, unknown, number]>([
  ['a taken port', errno('EADDRINUSE'), 69],
  ['a port below 1024', errno('EACCES'), 77],
  ['a full card', errno('ENOSPC'), 74],
  ['a missing folder', errno('ENOENT'), 73],
  ['a database in a missing folder', databaseError('SQLITE_CANTOPEN_ISDIR'), 73],
  ['a database of another user', databaseError('SQLITE_READONLY_DIRECTORY'), 77],
  ['a dying card', databaseError('SQLITE_IOERR_WRITE'), 74],
  ['a damaged database', databaseError('SQLITE_CORRUPT'), 65],
  ['a password too short', new AppError('invalid_request', 'At least 10 characters.'), 65],
  ['an unknown user', new AppError('not_found', 'No user is called "anna".'), 67],
  [
    'a daemon that is not running',
    new AppError('unavailable', 'No daemon.', { cause: errno('ECONNREFUSED') }),
    69,
  ],
  ['a bug', new TypeError('x is not a function'), 70],
  ['nothing at all', undefined, 70],
])('%s has its own exit code', (_, fault, code) => {
  expect(toExitCode(fault)).toBe(code);
});

function databaseError(code: string): AppError {
  return new AppError('unavailable', 'The database cannot be opened.', { cause: errno(code) });
}
