import request from 'supertest';
import { expect, test } from 'vitest';
import { openBar, routeOf } from '../../../http/credentials/watched-bar.ts';
import { openingMs } from '../../../http/test-server.ts';
import { SimulatedBoard, type Wire, type WireResponse } from '../../../kit/simulated-board.ts';
import { boardsOf } from '../kit/boards.ts';

test('requests for pairing write no token: only staff who allow one do', async () => {
  const { bar, takeWrites } = openBar(routeOf('getStatus'));
  const { app, engine, now } = bar.server;
  const wire: Wire = async (batch, token) => {
    const call = request(app).post('/api/device-event');
    if (token !== null) call.set('Authorization', `Bearer ${token}`);
    const { status, body } = await call.send(batch);
    return { status, body } as WireResponse;
  };
  const board = new SimulatedBoard({ wire, nowMs: () => openingMs });
  takeWrites();
  board.status('boot');
  await board.deliver();
  expect(takeWrites()).toEqual([]);
  boardsOf(engine).allow(board.device, {}, now());
  expect(takeWrites()).toEqual(['board']);
  await board.deliver();
  await board.deliverAll();
  expect(boardsOf(engine).list(now())[0]!.board.state).toBe('paired');
  expect(takeWrites()).toEqual([]);
  bar.server.store.close();
});
