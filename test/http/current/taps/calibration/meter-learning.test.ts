import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../../test-server.ts';

/** A server whose left meter was calibrated with weighed pours: 2.1 ticks per mL instead of 2. */
async function createCalibratedServer() {
  const server = createTestServer();
  const staff = (method: 'get' | 'post' | 'patch', path: string, body: object = {}) => {
    const sending = request(server.app)[method](`/api/${path}`).set('X-Kegbot-Api-Key', server.staffKey);
    return method === 'get' ? sending : sending.send(body);
  };
  await staff('post', 'flow-meters/1/calibrate', {
    ticks_per_ml: 2.1,
    method: 'pours',
    uncertainty: 0.005,
    measured: { pours: 6, ticks: 6_300, volume_ml: 3_000 },
  }).expect(200);
  const learning = async () => (await staff('get', 'flow-meters/1/learning').expect(200)).body.result;
  return { ...server, staff, learning };
}

test('measured pours are evidence, with the factor before them as the prior', async () => {
  const { learning } = await createCalibratedServer();
  expect(await learning()).toEqual({
    flow_meter_id: 1,
    ticks_per_ml: 2.1,
    uncertainty: 0.005,
    prior: { ticks_per_ml: 2, uncertainty: 0.12 },
    learned: {
      ticks_per_ml: expect.closeTo(2.1, 3),
      uncertainty: expect.closeTo(0.005, 4),
      is_offered: false,
    },
    drift: null,
    evidence: [
      {
        id: 1,
        kind: 'pours',
        time: '2026-05-02T17:00:00Z',
        ticks: 6_300,
        volume_ml: 3_000,
        ticks_per_ml: 2.1,
        uncertainty: 0.005,
        keg_id: null,
        correction_id: 1,
        state: 'used',
        incomplete_reason: null,
        deviation: expect.closeTo(0.81, 1),
        chart: null,
      },
    ],
  });
});

test('staff leave evidence out and use it again', async () => {
  const { staff, learning } = await createCalibratedServer();
  const before = await learning();
  const discard = await staff('patch', 'flow-meters/1/evidence/1', { is_discarded: true }).expect(200);
  expect(discard.body.result).toMatchObject({ learned: null, evidence: [{ state: 'discarded' }] });
  await staff('patch', 'flow-meters/1/evidence/1', { is_discarded: false }).expect(200);
  expect(await learning()).toEqual(before);
  await staff('patch', 'flow-meters/2/evidence/1', { is_discarded: true }).expect(404);
  await staff('patch', 'flow-meters/1/evidence/9', { is_discarded: true }).expect(404);
});

test('a learned factor is applied with a keg’s drinks and can be undone', async () => {
  const { staff, learning, engine } = await createCalibratedServer();
  const { learned } = await learning();
  // Somebody enters another factor; what was learned before is forgotten.
  await staff('post', 'flow-meters/1/calibrate', { ticks_per_ml: 3 }).expect(200);
  const refused = await staff('post', 'flow-meters/1/apply-learned').expect(409);
  expect(refused.body.error).toMatchObject({ reason: { name: 'nothing_learned', meter: 'pi.flow0' } });
  const entry = engine.audit.list({ action: 'meter.calibrated' }).items[0]!;
  await staff('post', `corrections/${entry.id}/undo`).expect(200);
  const other = await staff('post', 'flow-meters/1/apply-learned', { ticks_per_ml: 2.2 }).expect(409);
  expect(other.body.error).toMatchObject({ reason: { name: 'learned_since' } });
  const applied = await staff('post', 'flow-meters/1/apply-learned', {
    ticks_per_ml: learned.ticks_per_ml,
    apply_to_keg: 1,
  }).expect(200);
  expect(applied.body.result).toMatchObject({ ticks_per_ml_before: 2.1, keg: { id: 1 } });
  const history = (await staff('get', 'audit?action=meter.calibrated').expect(200)).body.result.entries;
  expect(history[0]).toMatchObject({ after: { method: 'evidence' }, user_id: 'anna' });
  await staff('post', `corrections/${applied.body.result.correction_id}/undo`).expect(200);
  expect((await learning()).ticks_per_ml).toBe(2.1);
});

test('a meter that was replaced forgets what it has learned; undo restores it', async () => {
  const { staff, learning } = await createCalibratedServer();
  const before = await learning();
  const { body } = await staff('post', 'flow-meters/1/replaced', {}).expect(200);
  expect(body.result).toEqual({
    flow_meter: expect.objectContaining({ id: 1, ticks_per_ml: 2, calibrated: false, uncertainty: null }),
    correction_id: expect.any(Number),
  });
  expect(await learning()).toMatchObject({
    prior: { ticks_per_ml: 2, uncertainty: 1 },
    learned: null,
    evidence: [{ state: 'outdated' }],
  });
  const [entry] = (await staff('get', 'audit?limit=1').expect(200)).body.result.entries;
  expect(entry).toMatchObject({ action: 'flow_meter.replaced', user_id: 'anna', can_undo: true });
  expect([entry.before.ticksPerMl, entry.after.ticksPerMl]).toEqual([2.1, 2]);
  await staff('post', `corrections/${body.result.correction_id}/undo`).expect(200);
  expect(await learning()).toEqual(before);
});

test('a meter that was replaced may have a known factor', async () => {
  const { staff, learning } = await createCalibratedServer();
  const { body } = await staff('post', 'flow-meters/1/replaced', { ticks_per_ml: 5.4 }).expect(200);
  expect(body.result.flow_meter).toMatchObject({ ticks_per_ml: 5.4, calibrated: true, uncertainty: null });
  expect(await learning()).toMatchObject({ prior: { ticks_per_ml: 5.4, uncertainty: 0.12 }, learned: null });
  await staff('post', 'flow-meters/1/replaced', { ticks_per_ml: 0 }).expect(400);
  await staff('post', 'flow-meters/99/replaced', {}).expect(404);
});
