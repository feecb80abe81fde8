import request from 'supertest';
import { expect, test } from 'vitest';
import { textProblem } from '../../../src/core/health/problems.ts';
import { databaseUnavailable } from '../../../src/http/server/database-unavailable.ts';

const problem = 'The disk is full.';
const server = databaseUnavailable(() => ({
  parts: [{ name: 'database', problems: [textProblem(problem)], vital: true }],
}));

test('answers a controller with 503 and Retry-After, not 404, until the database is open', async () => {
  const reply = await request(server).post('/api/v1/taps/pi.flow0').type('form').send('ticks=1').expect(503);
  expect(reply.body.error).toEqual({
    code: 'ServerError',
    message: expect.stringContaining(problem),
  });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect(reply.headers).toMatchObject({ deprecation: 'true', 'cache-control': 'no-store' });
});

test('answers the current API with 503, without a Deprecation header', async () => {
  const { headers } = await request(server).get('/api/taps').expect(503);
  expect(headers.deprecation).toBeUndefined();
  expect(headers['cache-control']).toBe('no-store');
});
