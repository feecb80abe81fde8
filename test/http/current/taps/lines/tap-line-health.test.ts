import { expect, test } from 'vitest';
import { pour } from '../../../../engine/bar.ts';
import { createTestServer } from '../../../test-server.ts';
import { createStaffClient } from '../../staff-client.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** The server after ten evenings at the left tap, the last two of them at two thirds of the flow. */
function serverAfterTenEvenings() {
  const server = createTestServer();
  const opening = server.now();
  const passTo = (ms: number) =>
    server.setClock({ monoMs: opening.monoMs + ms, wallMs: opening.wallMs + ms });
  for (let evening = 0; evening < 10; evening++) {
    const perBin = evening < 8 ? 12 : 8;
    const series = Array.from({ length: 40 }, (_, bin) => `${bin * 100}:${perBin}`).join(' ');
    for (let i = 0; i < 6; i++) {
      passTo(evening * day + i * minute);
      const ended = pour(server.now(), { ticks: 40 * perBin, durationMs: 3_990, series });
      server.engine.drinks.pours.record(ended, 'pin', server.now());
    }
  }
  passTo(9 * day + day / 2);
  return server;
}

test('staff read the evenings of a tap, its usual flow and what changed', async () => {
  const server = serverAfterTenEvenings();
  const anna = createStaffClient(server);
  const result = await anna.send('get', '/taps/1/line-health');
  expect(result.findings).toEqual([{ kind: 'blocked_line', since: expect.stringMatching(/^2026-05-\d\d$/) }]);
  expect(result.evenings).toHaveLength(10);
  expect(result.evenings[9].rate_ml_per_s / result.evenings[0].rate_ml_per_s).toBeCloseTo(2 / 3);
  expect(result.findings[0].since).toBe(result.evenings[8].date);
  expect(result.usual).toMatchObject({
    evenings: 8,
    rate_ml_per_s: result.evenings[0].rate_ml_per_s,
    dips_per_minute: 0,
    temp_c: null,
  });
});

test('the rate by which gas is looked for is a default, which says so, until ten pours', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const read = async () => (await anna.send('get', '/taps/1/line-health')).gas_rate;
  expect(await read()).toMatchObject({ pours: 0, default: 'calibration' });
  const series = Array.from({ length: 40 }, (_, bin) => `${bin * 100}:12`).join(' ');
  for (let i = 0; i < 10; i++) {
    const ended = pour(server.now(), { pourId: `p${i}`, ticks: 480, durationMs: 3_990, series });
    server.engine.drinks.pours.record(ended, 'pin', server.now());
  }
  expect(await read()).toEqual({ hz: 120, pours: 10 });
});

test('a tap without pours has no evenings, an unknown one is not found', async () => {
  const anna = createStaffClient(createTestServer());
  expect(await anna.send('get', '/taps/1/line-health')).toEqual({
    usual: null,
    findings: [],
    evenings: [],
    gas_rate: expect.objectContaining({ pours: 0 }),
  });
  await anna.expectError(404, 'get', '/taps/99/line-health');
});
