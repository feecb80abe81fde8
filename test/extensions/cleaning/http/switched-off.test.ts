import request from 'supertest';
import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { cleaning } from '../../../../src/extensions/cleaning/extension.ts';
import { createTestServer } from '../../../http/test-server.ts';
import { cleaningOn } from '../cleaning-bar.ts';

test('while it is off its addresses say so, and the log is exported with its corrected entries', async () => {
  const server = createTestServer({
    switchedOn: { ...cleaningOn, http: { ...cleaningOn.http, routes: [] } },
  });
  const { app, engine, left, now, staffKey } = server;
  const get = (path: string) => request(app).get(`/api/${path}`).set('X-Kegbot-Api-Key', staffKey);
  const context = { actor: systemActor, now: now() };
  const { cleanings } = engine.serviceOf(cleaning);
  const day = { startedMs: now().wallMs - 7_200_000, endedMs: now().wallMs - 3_600_000 };
  const logged = cleanings.addManual(
    { tapId: left.id, kind: 'caustic', ...day, agent: 'Lye', beerLostMl: 120 },
    context,
  );
  cleanings.correctEntry(logged.id, { entryId: logged.entries[0]!.id, result: 'passed' }, context);
  engine.useExtensions([]);

  const { body } = await get('cleanings').expect(404);
  expect(body.error.reason).toEqual({ name: 'feature_off', feature: 'cleaning' });
  const lines = (await get('admin/export/cleanings.jsonl').buffer(true).expect(200)).text.trim().split('\n');
  const entry = {
    cleaning_id: logged.id,
    tap: left.name,
    kind: 'caustic',
    agent: 'Lye',
    beer_lost_ml: 120,
    started_time: new Date(day.startedMs).toISOString().replace('.000', ''),
    is_withdrawn: false,
  };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { ...entry, is_current: false, result: 'not_checked', corrects_id: null },
    { ...entry, is_current: true, result: 'passed', corrects_id: logged.entries[0]!.id },
  ]);
  const sizes = await get('admin/export-sizes').expect(200);
  expect(sizes.body.result.sizes).toContainEqual({ kind: 'cleanings', rows: 2 });
});
