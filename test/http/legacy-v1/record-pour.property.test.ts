import fc from 'fast-check';
import request from 'supertest';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../kit/slow.ts';
import { createTestServer } from '../test-server.ts';

const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer().map(String),
  fc.double().map(String),
  fc.constantFrom('', 'True', 'false', 'nan', '1e400', '-0', '0', '660', 'guest', 'anna', 'a|b', '\0'),
);

const fields = fc.dictionary(
  fc.oneof(
    fc.constantFrom('ticks', 'volume_ml', 'username', 'pour_time', 'now', 'duration', 'auth_token'),
    fc.constantFrom('spilled', 'shout', 'tick_time_series', 'pour_id', '__proto__', 'constructor'),
    fc.string({ maxLength: 10 }),
  ),
  value,
  { maxKeys: 12 },
);

test('any request records a drink or is refused with 4xx, and the totals stay consistent', async () => {
  const server = createTestServer();
  await fc.assert(
    fc.asyncProperty(
      fields,
      fc.constantFrom('pi.flow0', 'pi.flow1', 'pi.flow2', '3', 'x'),
      fc.boolean(),
      fc.boolean(),
      async (sent, tap, isJson, isKegbot) => {
        const { api_key: _key, ...rest } = sent;
        const body = isJson ? JSON.stringify(rest) : new URLSearchParams(Object.entries(rest)).toString();
        const call = request(server.app)
          .post(`/api/v1/taps/${tap}`)
          .set('Authorization', `Bearer ${server.staffKey}`)
          .type(isJson ? 'json' : 'form');
        const reply = await (isKegbot ? call.set('X-Kegbot-Api-Key', '') : call).send(body);
        expect([200, 400, 404, 409]).toContain(reply.status);
        expect(Object.keys(reply.body)).toContain(
          reply.status === 200 ? (isKegbot ? 'object' : 'result') : 'error',
        );
        expect(reply.headers.deprecation).toBe('true');
      },
    ),
    { numRuns: propertyRuns(300) },
  );
  expect(server.faults).toEqual([]);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});
