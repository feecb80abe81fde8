import request from 'supertest';
import { expect, test } from 'vitest';
import { databaseUnavailable } from '../../../src/http/auth/database-unavailable.ts';

const problem = 'The disk is full.';
const server = databaseUnavailable(() => ({ parts: [{ name: 'ledger', problem, vital: true }] }));

test('before the ledger is open a controller hears that it may try again, never that its tap is not there', async () => {
  const reply = await request(server).post('/api/v1/taps/pi.flow0').type('form').send('ticks=1').expect(503);
  expect(reply.body.error).toEqual({
    code: 'ServerError',
    message: expect.stringContaining(problem),
  });
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  expect(reply.headers).toMatchObject({ deprecation: 'true', 'cache-control': 'no-store' });
});

test('the current API is closed as well, and bears no mark of age', async () => {
  const { headers } = await request(server).get('/api/taps').expect(503);
  expect(headers.deprecation).toBeUndefined();
  expect(headers['cache-control']).toBe('no-store');
});
