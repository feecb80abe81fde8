import { expect, test } from 'vitest';
import { type LoginOutcome, LoginWindows } from '../../../../src/engine/users/login-log/login-windows.ts';

/** Adds as many events of one outcome at an address; the first few may be written at once. */
const addMany = (windows: LoginWindows, address: string, outcome: LoginOutcome, count: number) =>
  Array.from({ length: count }, () =>
    windows.add({ outcome, method: 'password', userId: 1, address, network: address }, { monoMs: 0 }),
  ).filter((isWrittenNow) => !isWrittenNow).length;

test('of more addresses than a turn has entries those with the most events are named, whatever came of them', () => {
  const windows = new LoginWindows();
  const quiet = Array.from({ length: 60 }, (_, i) => `10.0.1.${i}`);
  const counted = quiet.reduce((sum, address) => sum + addMany(windows, address, 'failed', 3), 0);
  const busy = [
    ['10.0.0.1', 'failed'],
    ['10.0.0.2', 'locked'],
    ['10.0.0.3', 'succeeded'],
  ] as const;
  for (const [address, outcome] of busy) addMany(windows, address, outcome, 30);
  const summaries = windows.take({ monoMs: 0 }, true);
  expect(summaries).toHaveLength(40);
  expect(
    summaries
      .slice(0, 3)
      .map(({ address }) => address)
      .sort(),
  ).toEqual(busy.map(([address]) => address));
  const rest = summaries.at(-1)!;
  expect(rest).toMatchObject({ address: '', userId: null, addresses: quiet.length - (40 - 1 - busy.length) });
  const named = summaries.slice(3, -1).reduce((sum, { counts }) => sum + counts.failed, 0);
  expect(named + rest.counts.failed).toBe(counted);
});
