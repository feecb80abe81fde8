import { expect, test } from 'vitest';
import { toExitCode } from '../../src/cli/exit-codes.ts';
import { AppError } from '../../src/core/app-error.ts';

const errno = (code: string) => Object.assign(new Error(code), { code });

test.each<[string, unknown, number]>([
  ['a taken port', errno('EADDRINUSE'), 69],
  ['a port below 1024', errno('EACCES'), 77],
  ['a full card', errno('ENOSPC'), 74],
  ['a folder that is not there', errno('ENOENT'), 73],
  ['a ledger in a folder that is not there', databaseError('SQLITE_CANTOPEN_ISDIR'), 73],
  ['a ledger of somebody else', databaseError('SQLITE_READONLY_DIRECTORY'), 77],
  ['a dying card', databaseError('SQLITE_IOERR_WRITE'), 74],
  ['a damaged ledger', databaseError('SQLITE_CORRUPT'), 65],
  ['a password too short', new AppError('invalid_request', 'At least 8 characters.'), 65],
  ['a guest nobody knows', new AppError('not_found', 'No user is called "anna".'), 67],
  [
    'a daemon that is not running',
    new AppError('unavailable', 'No daemon.', { cause: errno('ECONNREFUSED') }),
    69,
  ],
  ['a slip in our own code', new TypeError('x is not a function'), 70],
  ['nothing at all', undefined, 70],
])('%s has its own exit code', (_, fault, code) => {
  expect(toExitCode(fault)).toBe(code);
});

function databaseError(code: string): AppError {
  return new AppError('unavailable', 'The ledger cannot be opened.', { cause: errno(code) });
}
