import request from 'supertest';
import { expect, test } from 'vitest';
import { SimulatedBoard, type WireResponse } from '../../../kit/simulated-board.ts';
import { createServerWithBoard } from './server-with-board.ts';

const device = 'kegboard-0a1b2c';
const boardAddress = '10.0.0.7';
const strangerAddress = '10.0.0.66';

interface ListedRequest {
  readonly device: string;
  readonly state: string;
  readonly request_id: string;
  readonly code: string;
  readonly ip: string;
  readonly other_ips: readonly string[];
}

/** A server with a kegboard at 10.0.0.7 and a stranger of the same name at 10.0.0.66. */
function createServerWithStranger() {
  const settings = { trustProxy: true, rateLimits: false, hosts: [] };
  const server = createServerWithBoard({ settings });
  const boardAt = (address: string, name = device) =>
    new SimulatedBoard({
      device: name,
      nowMs: server.nowMs,
      async wire(batch, token) {
        const call = request(server.app).post('/api/device-event').set('X-Forwarded-For', address);
        if (token !== null) call.set('Authorization', `Bearer ${token}`);
        const { status, body } = await call.send(batch);
        return { status, body } as WireResponse;
      },
    });
  const board = boardAt(boardAddress);
  const stranger = boardAt(strangerAddress);
  stranger.bootId = 'stranger';
  for (const one of [board, stranger]) one.status('boot');
  const list = async (): Promise<readonly ListedRequest[]> => await server.listBoards();
  return {
    ...server,
    board,
    stranger,
    boardAt,
    list,
    /** Allows or denies as staff. */
    decide: (action: 'allow' | 'deny', body: object = {}, name = device) =>
      server.sendAsStaff('post', `kegboards/${name}/${action}`).send(body),
    find: async (address: string) => (await list()).find(({ ip }) => ip === address)!,
  };
}

test('only the request that staff saw gets the token, whoever asks last', async () => {
  const { board, stranger, decide, find } = createServerWithStranger();
  await board.deliver();
  await stranger.deliver();
  const seen = await find(boardAddress);
  await decide('allow', { request_id: seen.request_id, ip: seen.ip }).expect(200);
  expect((await stranger.deliver()).body).toMatchObject({ pairing: { state: 'pending' } });
  expect(stranger.token).toBeNull();
  await board.deliver();
  expect(board.token).toMatch(/^kbe_/);
  await board.deliverAll();
  expect((await stranger.deliver()).body).toEqual({ pairing: { state: 'pending' } });
});

test('each request shows the code that its kegboard got, and the other address under its name', async () => {
  const { board, stranger, find } = createServerWithStranger();
  const codes = [];
  for (const one of [board, stranger, board, stranger]) {
    codes.push(((await one.deliver()).body.pairing as { code: string }).code);
  }
  expect(codes.slice(2)).toEqual(codes.slice(0, 2));
  expect(codes[0]).not.toBe(codes[1]);
  expect(await find(boardAddress)).toMatchObject({ code: codes[0], other_ips: [strangerAddress] });
  expect(await find(strangerAddress)).toMatchObject({ code: codes[1], other_ips: [boardAddress] });
});

test('allow without an id is refused unless exactly one request of the name is pending', async () => {
  const { board, stranger, decide } = createServerWithStranger();
  await decide('allow').expect(409);
  await board.deliver();
  await stranger.deliver();
  const { body } = await decide('allow').expect(409);
  expect(body.error.reason).toEqual({ name: 'several_pairing_requests', device, requests: 2 });
  expect((await board.deliver()).body).toMatchObject({ pairing: { state: 'pending' } });
});

test('allow without an id does not reach a stranger after the kegboard was allowed', async () => {
  const { board, stranger, decide } = createServerWithStranger();
  await board.deliver();
  await decide('allow').expect(200);
  await stranger.deliver();
  await decide('allow').expect(409);
  await stranger.deliver();
  expect(stranger.token).toBeNull();
});

test('allow is refused for an unknown id, and for an id with another address', async () => {
  const { board, decide, find } = createServerWithStranger();
  await board.deliver();
  const { request_id } = await find(boardAddress);
  await decide('allow', { request_id: 'unknown' }).expect(409);
  const { body } = await decide('allow', { request_id, ip: strangerAddress }).expect(409);
  expect(body.error.reason).toEqual({ name: 'no_pairing_request', device });
  await decide('allow', { request_id, ip: boardAddress }, 'kegboard-other').expect(409);
  await decide('allow', { request_id, ip: boardAddress }).expect(200);
});

test('allowing a request twice keeps its token', async () => {
  const { board, decide, find } = createServerWithStranger();
  await board.deliver();
  const { request_id } = await find(boardAddress);
  await decide('allow', { request_id }).expect(200);
  await board.deliver();
  const { token } = board;
  await decide('allow', { request_id }).expect(200);
  await board.deliverAll();
  expect(board.token).toBe(token);
});

test('a kegboard whose answer was lost gets its token again until it has used it', async () => {
  const { board, decide, wire, list } = createServerWithStranger();
  await board.deliver();
  await decide('allow').expect(200);
  await board.deliver();
  const lost = board.token;
  board.token = null;
  await board.deliver();
  expect(board.token).toBe(lost);
  await board.deliverAll();
  expect(await list()).toMatchObject([{ state: 'paired', request_id: null, code: null }]);
  board.status();
  expect((await wire(board.batch(), null)).body).toEqual({ pairing: { state: 'pending' } });
});

test('another boot at the same address is another request', async () => {
  const { board, boardAt, decide } = createServerWithStranger();
  await board.deliver();
  await decide('allow').expect(200);
  const other = boardAt(boardAddress);
  other.bootId = 'other';
  other.status('boot');
  await other.deliver();
  expect(other.token).toBeNull();
  await board.deliver();
  expect(board.token).toMatch(/^kbe_/);
});

test('a paired name cannot be asked for until staff revoke it, and staff see who asked', async () => {
  const { board, stranger, decide, list, sendAsStaff } = createServerWithStranger();
  await board.deliver();
  await decide('allow').expect(200);
  await board.deliver();
  await board.deliverAll();
  expect((await stranger.deliver()).body).toEqual({ pairing: { state: 'pending' } });
  expect(await list()).toMatchObject([{ state: 'paired', ip: boardAddress, other_ips: [strangerAddress] }]);
  await decide('allow').expect(409);
  await sendAsStaff('post', `kegboards/${device}/revoke`).expect(200);
  expect((await stranger.deliver()).body).toMatchObject({ pairing: { code: expect.any(String) } });
});

test('denying a stranger leaves the kegboard of that name pending', async () => {
  const { board, stranger, decide, find } = createServerWithStranger();
  await board.deliver();
  await stranger.deliver();
  const { request_id } = await find(strangerAddress);
  await decide('deny', { request_id, ip: strangerAddress }).expect(200);
  expect((await stranger.deliver()).body).toEqual({ pairing: { state: 'denied' } });
  await decide('allow').expect(200);
  await board.deliver();
  expect(board.token).toMatch(/^kbe_/);
});

test('a name that differs from a shown one by a space at an end is not listed', async () => {
  const { boardAt, list } = createServerWithStranger();
  for (const name of [` ${device}`, `${device} `, `${device}\n`]) {
    const imitation = boardAt(strangerAddress, name);
    imitation.status('boot');
    expect((await imitation.deliver()).body).toEqual({ pairing: { state: 'pending' } });
  }
  expect(await list()).toEqual([]);
});

test('after its controller was deleted an allowed kegboard gets no token, and waits again', async () => {
  const { board, decide, engine } = createServerWithStranger();
  await board.deliver();
  const { body } = await decide('allow').expect(200);
  engine.taps.hardware.removeController(body.result.kegboard.controller_id);
  expect((await board.deliver()).body).toMatchObject({ pairing: { state: 'pending' } });
  await decide('allow').expect(200);
  await board.deliver();
  await board.deliverAll();
});
