import request from 'supertest';
import { expect, test } from 'vitest';
import { createApp } from '../../../../src/http/app.ts';
import { createTestServices } from '../../../http/test-services.ts';
import { SimulatedBoard, type Wire, type WireResponse } from '../../../kit/simulated-board.ts';
import { createKegboardRig } from '../engine/kegboard-rig.ts';

test('token, event cursor, pending commands and grants survive a restart', async () => {
  const rig = createKegboardRig();
  await rig.open();
  const clock = { now: rig.now, setManually() {} };
  const createCurrentApp = () =>
    createApp({
      engine: rig.engine,
      services: createTestServices({ clock }),
      extensions: rig.http,
      settings: { trustProxy: false, rateLimits: true, hosts: [] },
      webDirectory: '/nowhere',
    });
  let currentApp = createCurrentApp();
  const wire: Wire = async (batch, token) => {
    const call = request(currentApp).post('/api/kegboard-event').set('Authorization', `Bearer ${token}`);
    const { status, body } = await call.send(batch);
    return { status, body } as WireResponse;
  };
  const restart = () => {
    rig.restart();
    currentApp = createCurrentApp();
  };
  const board = new SimulatedBoard({ wire, nowMs: () => rig.now().wallMs });
  board.token = rig.board.token;
  board.bootId = 'after-noon';

  board.attach('fob');
  await board.deliver();
  restart();
  board.pour(0, 250);
  const { lastBatch } = board;
  await board.deliverAll();
  rig.kegboards.deauthorize({ device: board.device }, rig.now());
  restart();
  expect((await wire(lastBatch!, board.token)).body.commands).toMatchObject([{ type: 'deauthorize' }]);
  board.status();
  await board.deliverAll();
  expect(board.open).toEqual([]);
  expect(rig.engine.drinks.newest(10)).toMatchObject([{ volumeMl: 250, username: 'anna' }]);
  const anna = rig.store.users.byName('anna')!;
  expect(rig.store.access.grants.liveByUser(anna.id)).toHaveLength(1);
  rig.remove();
});
