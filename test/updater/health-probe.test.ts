import { expect, test } from 'vitest';
import { parseHealth } from '../../src/updater/health-probe.ts';

const toText = (body: object): string => JSON.stringify(body);

test('trouble is told with what does not work; parts that need not work are left out', () => {
  const parts = { clock: 'Not set.', counting: 'Pin 17 is taken.', storing: 'ok' };
  expect(parseHealth(503, toText({ status: 'trouble', parts, version: '2.0.0', pours: 1 }))).toEqual({
    health: 'trouble',
    version: '2.0.0',
    pours: 1,
    detail: 'counting: Pin 17 is taken.',
  });
  expect(parseHealth(200, toText({ status: 'ok', parts: { clock: 'Not set.' }, version: '2.0.0' }))).toEqual({
    health: 'ok',
    version: '2.0.0',
    pours: 0,
  });
});

test.each(['', 'null', '[]', '{"status": 1}', '<html>'])(
  'the answer %j of another program counts as none',
  (text) => {
    expect(parseHealth(200, text)).toEqual({ health: 'none', version: null, pours: 0 });
  },
);
