import { expect, test } from 'vitest';
import { ConfigSchema } from '../../src/config/schema.ts';
import { AppError } from '../../src/core/app-error.ts';
import { startFault } from '../../src/daemon/start-faults.ts';

const config = { database: '/bar/tapster.db', http: { host: '0.0.0.0', port: 80 } } as Parameters<
  typeof startFault
>[1];
const fault = (code: string, syscall?: string) => Object.assign(new Error('boom'), { code, syscall });

test.each([
  ['a taken port', fault('EADDRINUSE', 'listen'), 69],
  ['a port for root only', fault('EACCES', 'listen'), 77],
  ['a folder of another user', fault('EACCES', 'mkdir'), 77],
  ['a full disk', fault('ENOSPC', 'write'), 74],
  ['a database that cannot be opened', new AppError('unavailable', 'The disk is full.'), 74],
  ['a bug', new TypeError('undefined is not a function'), 70],
])('%s has its own exit code and one sentence without a stack', (_what, cause, exitCode) => {
  const problems = startFault(cause, config);
  expect(problems.exitCode).toBe(exitCode);
  expect(problems.sentence).not.toMatch(/undefined is not|boom|\n/);
});

test('the settings named in the sentences exist', () => {
  expect(Object.keys(ConfigSchema.properties.http.properties)).toContain('port');
});
