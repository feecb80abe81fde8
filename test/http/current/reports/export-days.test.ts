import request from 'supertest';
import { expect, test } from 'vitest';
import { createPopulatedServer } from '../populated-server.ts';

const server = createPopulatedServer();
const get = (path: string) =>
  request(server.app).get(`/api/admin/${path}`).set('X-Kegbot-Api-Key', server.staffKey);
const countLines = async (path: string) => (await get(path).expect(200)).text.trim().split('\n').length - 1;
const sizes = async (query: string) => {
  const { sizes } = (await get(`export-sizes${query}`).expect(200)).body.result;
  return Object.fromEntries(sizes.map((one: { kind: string; rows: number }) => [one.kind, one.rows]));
};

test('an export of business days has the rows that were counted for them', async () => {
  const all = await sizes('');
  expect(all.drinks).toBeGreaterThan(0);
  expect(await countLines('export/drinks.csv')).toBe(all.drinks);
  expect(await countLines('export/temperatures.csv')).toBe(all.temperatures);
  const day = await sizes('?first=2026-05-02&last=2026-05-02');
  expect(await countLines('export/drinks.csv?first=2026-05-02&last=2026-05-02')).toBe(day.drinks);
  const none = Object.fromEntries(Object.keys(all).map((kind) => [kind, 0]));
  expect(await sizes('?first=2027-01-01')).toEqual(none);
  expect(await sizes('?last=2020-01-01')).toEqual(none);
});

test('days in the wrong order, that do not exist or together with a time are refused', async () => {
  const refuse = async (path: string) => (await get(path).expect(400)).body.error.fields;
  expect(await refuse('export-sizes?first=2026-05-03&last=2026-05-02')).toHaveProperty('last');
  expect(await refuse('export-sizes?first=2026-02-30')).toHaveProperty('first');
  expect(await refuse('export/kegs.csv?first=2026-05-02&since=0')).toHaveProperty('since');
  expect(await refuse('export/kegs.csv?last=2026-05-02&until=9')).toHaveProperty('until');
});

test('only staff may count the rows of an export', async () => {
  await request(server.app).get('/api/admin/export-sizes').expect(401);
});
