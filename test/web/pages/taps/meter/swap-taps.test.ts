import { expect, test } from 'vitest';
import { findSwapTaps } from '../../../../../src/web/pages/taps/meter/swap-taps.ts';

const taps = [{ id: '2' }, { id: '1' }, { id: '3' }];

test('meters can be swapped with other taps that have one', () => {
  const meters = [{ tap_id: '1' }, { tap_id: null }, { tap_id: '2' }];
  expect(findSwapTaps('1', meters, taps)).toEqual([{ id: '2' }]);
  expect(findSwapTaps('3', meters, taps)).toEqual([{ id: '2' }, { id: '1' }]);
});

test('a tap whose meter is the only one has no other tap to swap with', () => {
  expect(findSwapTaps('1', [{ tap_id: '1' }, { tap_id: null }], taps)).toEqual([]);
});
