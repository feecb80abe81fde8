import request from 'supertest';
import { expect, test } from 'vitest';
import { deviceEventOperations } from '../../../../src/extensions/kegboards/http/device-events/operations.ts';
import { SimulatedBoard } from '../../../kit/simulated-board.ts';
import { createServerWithBoard } from './server-with-board.ts';

const { path, examples } = deviceEventOperations[0]!;
const bodyOf = (name: string) => examples[name]!.body as { readonly device: string };

test('the example of a paired kegboard records its pour and its temperature', async () => {
  const server = createServerWithBoard();
  const { wire, nowMs } = server;
  const { device } = bodyOf('paired');
  const board = await server.pair(new SimulatedBoard({ device, wire, nowMs }));
  server.connectMeter(0, device);
  const reply = await request(server.app)
    .post(path)
    .set('Authorization', `Bearer ${board.token}`)
    .send(bodyOf('paired'));
  expect([reply.status, reply.body]).toEqual([200, examples.paired!.reply.body]);
  expect(server.engine.drinks.newest(1)).toMatchObject([{ volumeMl: 330, ticks: 899 }]);
  const sensors = await request(server.app).get('/api/thermo-sensors').expect(200);
  expect(sensors.body.result.thermo_sensors[0]).toMatchObject({
    name: 'kegboard-0a1b2c.fridge',
    last_temp: 4.5,
  });
});

test('the examples of kegboards that are refused are answered as documented', async () => {
  const { app } = createServerWithBoard();
  for (const name of ['unpaired', 'anotherVersion']) {
    const { status, body } = await request(app).post(path).send(bodyOf(name));
    // Each server chooses its own code.
    const code = body.pairing?.code === undefined ? {} : { code: expect.stringMatching(/^\d{6}$/) };
    const expected = examples[name]!.reply.body as { readonly pairing?: object };
    const shown = expected.pairing ? { pairing: { ...expected.pairing, ...code } } : expected;
    expect([status, body], name).toEqual([examples[name]!.reply.status, shown]);
  }
});
