import request from 'supertest';
import { expect, test } from 'vitest';
import { openHouse } from './house.ts';

const settings = { trustProxy: false, rateLimits: true, hosts: [] };
const pour = '/api/v1/taps/pi.flow0';

test('thirty wrong keys a minute are mistakes, the next is refused; the right key still pours', async () => {
  const house = openHouse({ settings });
  const post = (key: string) => request(house.app).post(pour).type('form').send({ ticks: '1', api_key: key });
  for (let i = 0; i < 30; i++) await post(`wrong ${i}`).expect(401);
  const refused = await post('wrong again').expect(429);
  expect(refused.body.error.code).toBe('Error');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers.deprecation).toBe('true');
  await post(house.staffKey).expect(200);
});

test('forgetting the key is not guessing it', async () => {
  const house = openHouse({ settings });
  for (let i = 0; i < 40; i++)
    await request(house.app).post(pour).type('form').send({ ticks: '1' }).expect(401);
});

test('every write is told how much room there is: twenty controllers at twenty a second', async () => {
  const house = openHouse({ settings });
  const reply = await request(house.app)
    .post(pour)
    .type('form')
    .send({ ticks: '1', api_key: house.staffKey });
  const [, quota] = /q=(\d+); w=10/.exec(reply.headers['ratelimit-policy']!)!;
  expect(Number(quota)).toBeGreaterThanOrEqual(20 * 20 * 10);
});

test('without rate limits nobody is refused', async () => {
  const house = openHouse();
  for (let i = 0; i < 40; i++) {
    await request(house.app).post(pour).type('form').send({ ticks: '1', api_key: 'wrong' }).expect(401);
  }
});
