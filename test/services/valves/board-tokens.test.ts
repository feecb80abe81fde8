import { expect, test } from 'vitest';
import { BoardTokens } from '../../../src/services/valves/board-tokens.ts';

const minuteMs = 60_000;
const at = (minutes: number) => ({
  bootId: 'b1',
  monoMs: minutes * minuteMs,
  wallMs: Date.UTC(2026, 4, 2, 18) + minutes * minuteMs,
  synced: true,
});
const report = (value: string) => ({ controller: 'bar-board', device: 'core.rfid', value });

test('cards of a board that cannot be read are counted and a problem for an hour', () => {
  const tokens = new BoardTokens();
  expect(tokens.readers()).toEqual([]);
  tokens.note(report('0089f2c4'), at(0));
  expect(tokens.problems(0)).toEqual([]);
  tokens.note(report('00:00:00:00'), at(1));
  tokens.note(report('0'.repeat(100)), at(2));
  expect(tokens.readers()).toEqual([
    {
      board: 'bar-board',
      shown: 1,
      unreadable: { count: 2, text: '0'.repeat(64), timeMs: at(2).wallMs },
    },
  ]);
  expect(tokens.problems(3 * minuteMs)).toMatchObject([
    {
      code: 'board_cards_unreadable',
      params: { board: 'bar-board', count: 2, time: '2026-05-02 18:02 UTC' },
    },
  ]);
  expect(tokens.problems(63 * minuteMs)).toEqual([]);
});
