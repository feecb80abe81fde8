import request from 'supertest';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { cachedDocument } from '../../../src/http/pipeline/reply.ts';
import { view } from '../../../src/http/routes/route.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { createTestServer } from '../test-server.ts';

const plain = view(Type.Array(Type.String()), (taps: readonly string[]) => [...taps]);
const other = view(Type.String(), (taps: readonly string[]) => taps.join());

test('serializes an object once per view', () => {
  let prints = 0;
  const print = () => `print ${++prints}`;
  const taps = ['Left'];
  expect(cachedDocument(taps, plain, print).toString()).toBe('print 1');
  expect(cachedDocument(taps, plain, print).toString()).toBe('print 1');
  expect(cachedDocument(taps, other, print).toString()).toBe('print 2');
  expect(cachedDocument(['Left'], plain, print).toString()).toBe('print 3');
});

test('the list of taps is current after a drink, in both reply formats', async () => {
  const server = createTestServer();
  const served = async () => {
    const reference = await request(server.app).get('/api/v1/taps').expect(200);
    const kegbot = await request(server.app).get('/api/v1/taps').set('X-Kegbot-Api-Key', '').expect(200);
    const left = kegbot.body.objects.find(({ name }: { name: string }) => name === 'Left');
    return [reference.body.result.taps[0].keg.volume_ml_remain, left.current_keg.remaining_volume_ml];
  };
  expect(await served()).toEqual([30_000, 30_000]);
  expect(await served()).toEqual([30_000, 30_000]);
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 1_000 }, server.now());
  expect(await served()).toEqual([29_500, 29_500]);
});

test('the status of the legacy API is current after a drink and after the end of its session', async () => {
  const server = createTestServer();
  const headers = { 'X-Kegbot-Api-Key': server.staffKey };
  const served = async () => {
    const reply = await request(server.app).get('/api/v1/status').set(headers).expect(200);
    const { drinks, active_session: session, active_users: users } = reply.body.object;
    return { drinks: drinks.length, volumeMl: session?.volume_ml, users: users.length };
  };
  const noSession = { volumeMl: undefined, users: 0 };
  expect(await served()).toEqual({ drinks: 0, ...noSession });
  const pour = { tap: 'pi.flow0', ticks: 1_000, source: 'post' } as const;
  insertDrink(server.store, pour, server.now());
  expect(await served()).toEqual({ drinks: 1, volumeMl: 500, users: 0 });
  insertDrink(server.store, { ...pour, username: 'bert' }, server.now());
  expect(await served()).toEqual({ drinks: 2, volumeMl: 1_000, users: 1 });
  expect(await served()).toEqual({ drinks: 2, volumeMl: 1_000, users: 1 });
  const dayMs = 86_400_000;
  server.setClock({ monoMs: server.now().monoMs + dayMs, wallMs: server.now().wallMs! + dayMs });
  expect(await served()).toEqual({ drinks: 2, ...noSession });
});
