import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../../http/test-server.ts';
import { boardsOf } from '../kit/boards.ts';

const MiB = 1_048_576;

test('on a full disk a batch stores its pour and leaves out its temperature', async () => {
  let freeBytes = 10_000 * MiB;
  const server = createTestServer({ readFreeBytes: () => freeBytes });
  const post = (token?: string) =>
    request(server.app)
      .post('/api/device-event')
      .set(token === undefined ? {} : { Authorization: `Bearer ${token}` })
      .send({
        v: 1,
        device: 'kb-1',
        boot_id: 'boot',
        sent_uptime_ms: 1_000,
        events: [
          { id: 1, type: 'temperature', age_ms: 0, data: { sensor: 'cellar', temp_c: 4 } },
          {
            id: 2,
            type: 'pour',
            age_ms: 0,
            data: { meter_number: 0, pour_id: 'p1', volume_ml: 300, duration_ms: 4_000 },
          },
        ],
      });
  await post().expect(401);
  boardsOf(server.engine).allow('kb-1', {}, server.now());
  const token = (await post().expect(401)).body.pairing.token as string;
  freeBytes = 0;
  await post(token).expect(200);
  expect(server.store.drinks.byId(1)).toMatchObject({ volumeMl: 300 });
  expect(server.engine.temperatures.sensors().map(({ rawName }) => rawName)).not.toContain('kb-1.cellar');
});
