import { expect, test } from 'vitest';
import { detectSilentBoards } from '../../../../src/extensions/kegboards/engine/silent-boards.ts';
import { at, minute } from '../../../engine/bar.ts';

const board = { controllerId: 1, device: 'cellar-board', isPaired: true, lastSeenMs: at(0).wallMs };
const states = (boards: Parameters<typeof detectSilentBoards>[0], now = at(15 * minute)) =>
  detectSilentBoards(boards, 15, now).map(({ state }) => state);

test('a board is silent once it has not reported for the limit', () => {
  expect(states([board], at(15 * minute - 1))).toEqual(['good']);
  expect(states([board])).toEqual(['bad']);
  expect(detectSilentBoards([board], 15, at(20 * minute))[0]!.values).toEqual({
    device: 'cellar-board',
    minutes: 20,
  });
});

test('nobody knows it before the clock is set or the first report, and nobody waits for one that is not paired', () => {
  expect(states([board], at(15 * minute, { synced: false }))).toEqual(['unknown']);
  expect(states([{ ...board, lastSeenMs: null }])).toEqual(['unknown']);
  expect(states([{ ...board, isPaired: false }])).toEqual([]);
});
