import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../../http/test-server.ts';
import { boardsOf } from '../kit/boards.ts';

test('a board that sends hidden characters in its names loses no drink', async () => {
  const server = createTestServer();
  const now = server.now();
  const post = (token?: string) =>
    request(server.app)
      .post('/api/device-event')
      .set(token === undefined ? {} : { Authorization: `Bearer ${token}` })
      .send({
        v: 1,
        device: 'kb\u202e-1',
        boot_id: 'b\0oot',
        sent_uptime_ms: 1_000,
        events: [
          {
            id: 1,
            type: 'pour',
            age_ms: 0,
            data: { meter_number: 0, pour_id: 'p1', volume_ml: 300, duration_ms: 4_000 },
          },
        ],
      });
  await post().expect(401);
  boardsOf(server.engine).allow('kb-1', {}, now);
  const token = (await post().expect(401)).body.pairing.token as string;
  await post(token).expect(200);
  expect(server.store.drinks.byId(1)).toMatchObject({ volumeMl: 300 });
});
