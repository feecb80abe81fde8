import { expect, test } from 'vitest';
import { createConfirmedStaffClient, createStaffClient } from '../../../http/current/staff-client.ts';
import { createTestServer } from '../../../http/test-server.ts';
import { askForPairing, pairBoard } from '../kit/boards.ts';
import { createServerWithBoard } from './server-with-board.ts';

test('decisions about boards are in the audit log without secrets', async () => {
  const server = createTestServer();
  const anna = createConfirmedStaffClient(server);
  askForPairing(server, 'porch');
  await anna.send('post', '/admin/kegboards/porch/allow');
  await anna.send('post', '/admin/kegboards/porch/deauthorize', {}, 202);
  await anna.send('post', '/admin/kegboards/deauthorize', undefined, 202);
  await anna.send('post', '/admin/kegboards/porch/deny');
  await anna.send('delete', '/admin/kegboards/porch');
  askForPairing(server, 'porch');
  await anna.send('post', '/admin/kegboards/porch/allow');
  await anna.send('post', '/admin/kegboards/porch/revoke');
  const { items } = server.engine.audit.list({});
  const entries = items.toReversed().map(({ action, before, after }) => [action, before, after]);
  expect(entries).toEqual([
    ['kegboard.allowed', null, '{"state":"allowed","address":"10.0.0.7"}'],
    ['kegboard.deauthorized', null, '{"grants":"all"}'],
    ['kegboard.deauthorized', null, '{"grants":"all"}'],
    ['kegboard.denied', '{"state":"allowed"}', '{"state":"denied"}'],
    ['kegboard.deleted', '{"state":"denied"}', null],
    ['kegboard.allowed', null, '{"state":"allowed","address":"10.0.0.7"}'],
    ['kegboard.revoked', '{"state":"allowed"}', null],
  ]);
  expect(items.every(({ username, via }) => username === 'anna' && via === 'page')).toBe(true);
});

test('deleting the controller of a network kegboard deletes its pairing', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  askForPairing(server, 'kegboard-7');
  const { kegboard } = await createConfirmedStaffClient(server).send(
    'post',
    '/admin/kegboards/kegboard-7/allow',
  );
  await anna.send('delete', `/controllers/${kegboard.controller_id}`);
  expect((await anna.send('get', '/admin/kegboards')).kegboards).toEqual([]);
});

test('no gas is looked for at a tap of a network kegboard', async () => {
  const server = createServerWithBoard();
  await server.pair();
  server.connectMeter();
  const anna = createStaffClient(server);
  expect((await anna.send('get', `/taps/${server.right.id}/line-health`)).gas_rate).toBeNull();
});

test('a board that only asks for pairing is no controller: anybody can ask', () => {
  const server = createTestServer();
  for (let i = 0; i < 20; i++) askForPairing(server, `board-${i}`);
  expect(server.engine.hooks.reportingControllers(server.now())).toEqual([]);
  pairBoard(server, 'board-0');
  expect(server.engine.hooks.reportingControllers(server.now())).toMatchObject([
    { device: 'board-0', isPaired: true, lastSeenMs: server.now().wallMs },
  ]);
});
