import { expect, test } from 'vitest';
import { createAlarmBar } from '../../services/monitors/alarm-bar.ts';
import { pairBoard } from './kit/boards.ts';

test('a kegboard that stopped reporting raises an alarm once the clock is set', () => {
  const bar = createAlarmBar();
  pairBoard(bar, 'kegboard-1');
  bar.setClock({ synced: false });
  bar.atTemp(null, 19);
  expect(bar.topics()).toEqual([]);
  bar.setClock({ synced: true });
  bar.atTemp(null, 3);
  expect(bar.topics()).toEqual(['controller_silent']);
  bar.atTemp(null, 60);
  expect(bar.topics()).toEqual(['controller_silent']);
});
