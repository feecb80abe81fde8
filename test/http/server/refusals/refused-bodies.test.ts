import type { Express } from 'express';
import request from 'supertest';
import { expect, test, vi } from 'vitest';
import { overloadLimits } from '../../../../src/http/server/overload-limits.ts';
import { createTestServer } from '../../test-server.ts';

const { minBytes, perWindow, refusalMs } = overloadLimits.refusedBodies;
const settings = { trustProxy: false, rateLimits: false, holdsRefusedBodies: true, hosts: [] };
const long = JSON.stringify({ text: 'x'.repeat(minBytes) });

const post = (app: Express, path: string, body: string, headers = {}) =>
  request(app)
    .post(path)
    .set({ 'Content-Type': 'application/json', ...headers })
    .serialize(() => body)
    .send(body);

test.each([
  ['/api/kegs', 401, long],
  ['/api/v1/taps/pi.flow0', 401, long],
  ['/api/v1/taps/pi.flow0', 400, `{"a":${'['.repeat(minBytes)}`],
  ['/api/auth/login', 400, long],
])('repeated refusals of long bodies for %s with %i are held back', async (path, status, body) => {
  const { app, scheduler } = createTestServer({ settings });
  for (let i = 0; i < perWindow; i++) await post(app, path, body).expect(status);
  const waiting = scheduler.waiting;
  let isAnswered = false;
  const late = post(app, path, body)
    .expect(status)
    .then(() => {
      isAnswered = true;
    });
  await vi.waitFor(() => expect(scheduler.waiting).toBe(waiting + 1));
  scheduler.advance(refusalMs - 1);
  // Meanwhile others at the same address are answered, and short bodies.
  await request(app).get('/api/taps').expect(200);
  await post(app, '/api/kegs', '{}').expect(401);
  expect(isAnswered).toBe(false);
  scheduler.advance(1);
  await late;
});

test('refusals of a sender with a valid key are answered at once', async () => {
  const { app, staffKey } = createTestServer();
  for (let i = 0; i < 3 * perWindow; i++)
    await post(app, '/api/kegs', long, { 'X-Kegbot-Api-Key': staffKey }).expect(400);
});
