import request from 'supertest';
import { expect, test } from 'vitest';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import { createApp } from '../../../../src/http/app.ts';
import { createKegboardRig } from '../../../engine/boards/kegboard-rig.ts';
import { SimulatedBoard, type Wire, type WireResponse } from '../../../kit/board.ts';
import { manualScheduler } from '../../live/streams.ts';

test('token, event cursor, pending commands and grants survive a restart', async () => {
  const cellar = createKegboardRig();
  await cellar.open();
  const clock = { now: cellar.now, setManually() {} };
  const app = () =>
    createApp({
      engine: cellar.engine,
      bus: createEventBus((fault) => {
        throw fault;
      }),
      clock,
      log: { info() {}, warn() {}, error() {} },
      scheduler: manualScheduler(),
      health: () => ({ parts: [] }),
      runningPours: () => new Map(),
      meterStatuses: () => [],
      latestTemperatures: () => new Map(),
      settings: { trustProxy: false, rateLimits: true, hosts: [] },
      webDirectory: '/nowhere',
    });
  let face = app();
  const wire: Wire = async (batch, token) => {
    const call = request(face).post('/api/kegboard-event').set('Authorization', `Bearer ${token}`);
    const { status, body } = await call.send(batch);
    return { status, body } as WireResponse;
  };
  const restart = () => {
    cellar.restart();
    face = app();
  };
  const board = new SimulatedBoard({ wire, nowMs: () => cellar.now().wallMs });
  board.token = cellar.board.token;
  board.bootId = 'after-noon';

  board.attach('fob');
  await board.deliver();
  restart();
  board.pour(0, 250);
  const { lastBatch } = board;
  await board.deliverAll();
  cellar.engine.kegboards.deauthorize({ device: board.device }, cellar.now());
  restart();
  expect((await wire(lastBatch!, board.token)).body.commands).toMatchObject([{ type: 'deauthorize' }]);
  board.status();
  await board.deliverAll();
  expect(board.open).toEqual([]);
  expect(cellar.engine.drinks.newest(10)).toMatchObject([{ volumeMl: 250, username: 'anna' }]);
  const anna = cellar.store.users.byName('anna')!;
  expect(cellar.store.grants.liveOfUser(anna.id)).toHaveLength(1);
  cellar.remove();
});
