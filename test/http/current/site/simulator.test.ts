import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';

const url = '/api/simulator/pulses';
const pulses = { meter: 'pi.flow0', ticks: 660, hz: 120 };

function createSimulatedServer(hosts: string[] = []) {
  const trains: object[] = [];
  const simulator = {
    meters: ['pi.flow0'],
    pulse: (train: object) => void trains.push(train),
    pour(plan: object) {
      trains.push(plan);
      return { ticks: 1_800, durationMs: 7_500, beerMl: 330.126, gasMl: 0 };
    },
  };
  const server = createTestServer({
    services: { simulator },
    settings: { trustProxy: false, rateLimits: false, hosts },
  });
  return { ...server, trains };
}

test('a local program can generate pulses without a key', async () => {
  const server = createSimulatedServer();
  const reply = await request(server.app).post(url).send(pulses).expect(202);
  expect(reply.body).toEqual({ result: { meter: 'pi.flow0', ticks: 660, seconds: 5.5 } });
  expect(server.trains).toEqual([pulses]);
});

test('a pour is requested with the calibration of the meter, and tells what truly flows', async () => {
  const server = createSimulatedServer();
  const body = { meter: 'pi.flow0', volume_ml: 330, model: 'sf800', keg_empties_after_ml: 200 };
  const reply = await request(server.app).post('/api/simulator/pours').send(body).expect(202);
  expect(reply.body).toEqual({
    result: { meter: 'pi.flow0', ticks: 1_800, seconds: 7.5, beer_ml: 330.13, gas_ml: 0 },
  });
  expect(server.trains).toMatchObject([
    { volumeMl: 330, flowMlPerS: 60, model: 'sf800', kegEmptiesAfterMl: 200, seed: 1 },
  ]);
  const long = { meter: 'pi.flow0', volume_ml: 100_000, flow_ml_per_s: 100 };
  const refused = await request(server.app).post('/api/simulator/pours').send(long).expect(400);
  expect(Object.keys(refused.body.error.fields)).toEqual(['volume_ml']);
  await request(server.app)
    .post('/api/simulator/pours')
    .send({ ...body, meter: 'pi.flow9' })
    .expect(404);
});

test.each([
  [{ ...pulses, ticks: 0 }, 'ticks'],
  [{ ...pulses, ticks: 100_001 }, 'ticks'],
  [{ ...pulses, ticks: 1.5 }, 'ticks'],
  [{ ...pulses, ticks: '660' }, 'ticks'],
  [{ ...pulses, hz: 0 }, 'hz'],
  [{ ...pulses, hz: 2_001 }, 'hz'],
  [{ ...pulses, meter: '' }, 'meter'],
  [{ meter: 'pi.flow0', ticks: 1 }, 'hz'],
  [{ ...pulses, extra: 1 }, 'extra'],
])('refuses %j', async (body, field) => {
  const server = createSimulatedServer();
  const reply = await request(server.app).post(url).send(body).expect(400);
  expect(Object.keys(reply.body.error.fields)).toEqual([field]);
  expect(server.trains).toEqual([]);
});

test('echoes are accepted for known meters only', async () => {
  const server = createSimulatedServer();
  const withEcho = { ...pulses, echoes: ['pi.flow0'] };
  await request(server.app).post(url).send(withEcho).expect(202);
  expect(server.trains).toEqual([withEcho]);
  const unknownEcho = { ...pulses, echoes: ['pi.flow7'] };
  const reply = await request(server.app).post(url).send(unknownEcho).expect(404);
  expect(reply.body.error.message).toContain('pi.flow7');
  expect(server.trains).toHaveLength(1);
});

test('refuses forms and text, which other sites could send without preflight', async () => {
  const server = createSimulatedServer();
  await request(server.app).post(url).type('form').send('meter=pi.flow0&ticks=1&hz=1').expect(415);
  await request(server.app).post(url).type('text/plain').send(JSON.stringify(pulses)).expect(415);
});

test('refuses other origins and unknown host names', async () => {
  const server = createSimulatedServer(['bar.lan']);
  const post = (headers: Record<string, string>) => request(server.app).post(url).set(headers).send(pulses);
  await post({ Host: 'evil.example' }).expect(403);
  await post({ Origin: 'http://evil.example' }).expect(403);
  await post({ Origin: 'null' }).expect(403);
  await post({ Host: 'bar.lan', Origin: 'http://bar.lan' }).expect(202);
  await post({ Host: '[::1]:8080', Origin: 'http://[::1]:8080' }).expect(202);
  expect(server.trains).toHaveLength(2);
});

test('a remote client needs a staff key', async () => {
  const server = createSimulatedServer();
  const post = (key?: string) => {
    const call = request(server.app).post(url).set('X-Forwarded-For', '192.168.1.7').set('Host', 'pi');
    return (key === undefined ? call : call.set('Authorization', `Bearer ${key}`)).send(pulses);
  };
  await post().expect(401);
  await post(server.guestKey).expect(403);
  await post(server.staffKey).expect(202);
});

test('refuses pulses when the taps are real', async () => {
  const reply = await request(createTestServer().app).post(url).send(pulses).expect(409);
  expect(reply.body.error.message).toContain('real');
});

test('an unknown meter is refused with the list of meters', async () => {
  const reply = await request(createSimulatedServer().app)
    .post(url)
    .send({ ...pulses, meter: 'pi.flow9' })
    .expect(404);
  expect(reply.body.error.message).toContain('pi.flow0');
});
