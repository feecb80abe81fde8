import request from 'supertest';
import { expect, test } from 'vitest';
import { createProblem } from '../../../../src/core/health/problems.ts';
import type { WiringReport } from '../../../../src/http/wiring-ports.ts';
import { createTestServer } from '../../test-server.ts';

const ok = { topic: 'works', status: 'ok', text: 'Well.' } as const;

const report: WiringReport = {
  driver: 'cdev',
  description: [createProblem('no_pins')],
  findings: [],
  meters: [
    {
      meter: 'pi.flow0',
      pin: 17,
      headerPin: 11,
      level: 0,
      hz: 61,
      ticks: 500,
      refused: 3,
      lost: 0,
      shape: 'steady',
      echoOf: 'pi.flow9',
      findings: [{ topic: 'echo', status: 'fail', text: 'It hears another.', advice: 'Part their cables.' }],
    },
    {
      meter: 'pi.flow9',
      pin: null,
      headerPin: null,
      level: null,
      hz: null,
      ticks: 0,
      refused: 0,
      lost: null,
      shape: 'quiet',
      echoOf: null,
      findings: [ok],
    },
  ],
  relays: [{ name: 'pi.relay0', findings: [ok] }],
  probes: [
    { name: '28-0000000000a1', tempC: 4.5, timeMs: Date.UTC(2026, 4, 2, 17), findings: [ok] },
    { name: '28-ff', tempC: null, timeMs: null, findings: [ok] },
  ],
  boards: [{ name: '/dev/ttyACM0', findings: [ok] }],
  readers: [
    {
      name: 'onewire',
      shown: 2,
      findings: [ok],
      unreadable: { count: 21, text: '?12', timeMs: Date.UTC(2026, 4, 2, 17) },
    },
  ],
};

test('shows all wiring to staff with the connected taps', async () => {
  const server = createTestServer({ services: { wiring: { snapshot: () => report } } });
  const { body } = await request(server.app)
    .get('/api/admin/wiring')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(200);
  const { wiring } = body.result;
  expect(wiring.meters[0]).toEqual({
    name: 'pi.flow0',
    flow_meter_id: 1,
    tap_id: '1',
    pin: 17,
    header_pin: 11,
    level: 0,
    hz: 61,
    ticks: 500,
    refused: 3,
    lost: 0,
    shape: 'steady',
    echo_of: 'pi.flow9',
    findings: [{ topic: 'echo', status: 'fail', text: 'It hears another.', advice: 'Part their cables.' }],
  });
  expect(wiring.meters[1]).toMatchObject({ flow_meter_id: null, tap_id: null, hz: null });
  expect(wiring.probes).toMatchObject([
    { name: '28-0000000000a1', tap_id: '1', temp_c: 4.5, time: '2026-05-02T17:00:00Z' },
    { name: '28-ff', tap_id: null, temp_c: null, time: null },
  ]);
  expect(wiring.readers).toMatchObject([
    {
      name: 'onewire',
      shown: 2,
      unreadable: { count: 21, last_time: '2026-05-02T17:00:00Z', last_text: '?12' },
    },
  ]);
});

test('wiring is for staff only, and empty without hardware', async () => {
  const server = createTestServer();
  await request(server.app).get('/api/admin/wiring').expect(401);
  await request(server.app).get('/api/admin/wiring').set('X-Kegbot-Api-Key', server.guestKey).expect(403);
  const { body } = await request(server.app)
    .get('/api/admin/wiring')
    .set('X-Kegbot-Api-Key', server.staffKey)
    .expect(200);
  expect(body.result.wiring).toMatchObject({ driver: 'none', meters: [] });
});
