import request from 'supertest';
import { expect, test } from 'vitest';
import { currentApi } from '../../src/http/current/api.ts';
import { legacyApi } from '../../src/http/legacy-v1/api.ts';
import { printOpenApi } from '../../src/http/openapi/openapi.ts';
import type { RouteServices } from '../../src/http/services.ts';
import { insertDrink } from '../kit/drinks/insert-drink.ts';
import { allExtensions } from '../kit/extensions.ts';
import { createTestServer, type TestServer } from './test-server.ts';

/** The descriptions of all properties `percent_full` in a value. */
function descriptions(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === 'percent_full' && 'type' in inner ? [String(inner.description)] : []),
    ...descriptions(inner),
  ]);
}

test('both documents say on which scale percent_full is', () => {
  const current = descriptions(
    printOpenApi(currentApi({} as RouteServices, { extensions: allExtensions.http })),
  );
  expect(current.length).toBeGreaterThan(0);
  for (const text of current) expect(text).toContain('fraction: 1 is full');
  const legacy = descriptions(printOpenApi(legacyApi));
  expect(legacy).toHaveLength(2);
  expect(legacy).toContainEqual(expect.stringContaining('fraction: 1 is full'));
  expect(legacy).toContainEqual(expect.stringContaining('percent: 100 is full'));
});

const percentFull = async (server: TestServer, path: string) => {
  const { body } = await request(server.app).get(path).expect(200);
  return body.result?.keg.percent_full ?? body.object.current_keg.percent_full;
};

test.each([
  [22_500, 0.25, 25],
  // More than the keg should hold.
  [33_000, -0.1, 0],
])('after %i mL of 30 L it is %d, in the kegbot form %d', async (volumeMl, fraction, percent) => {
  const server = createTestServer();
  const now = server.now();
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 0, volumeMl, source: 'manual' }, now);
  expect(await percentFull(server, '/api/taps/1')).toBeCloseTo(fraction, 9);
  expect(await percentFull(server, '/api/v1/taps/1')).toBeCloseTo(fraction, 9);
  expect(await percentFull(server, '/api/v1/taps/1?format=kegbot')).toBeCloseTo(percent, 9);
});
