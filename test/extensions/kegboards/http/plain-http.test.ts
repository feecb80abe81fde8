import request from 'supertest';
import { expect, test } from 'vitest';
import { type HttpsAdmin, httpsOff } from '../../../../src/http/https-ports.ts';
import { createServerWithBoard } from './server-with-board.ts';

/** A request with this header comes from another machine. */
const remote = { 'X-Forwarded-For': '192.168.1.77' };

test('a board with its token sends its pours in plain HTTP, also where HTTPS is required', async () => {
  const https: HttpsAdmin = { ...httpsOff, isEnabled: true, fixedRequirement: 'on', port: () => 8443 };
  const { board, pair, app, connectMeter, engine } = createServerWithBoard({ services: { https } });
  await pair();
  connectMeter();
  board.pour(0, 100);
  expect(board.queued).toBeGreaterThan(0);
  const reply = await request(app)
    .post('/api/device-event')
    .set({ ...remote, Authorization: `Bearer ${board.token}` })
    .send(board.batch());
  expect(reply.status).toBe(200);
  expect(engine.drinks.list({ limit: 5 }).items).toHaveLength(1);
});
