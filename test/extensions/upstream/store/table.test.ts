import { expect, test } from 'vitest';
import { upstreamStore } from '../../../../src/extensions/upstream/store/upstream-store.ts';
import { openStore } from '../../../../src/store/store.ts';

test('of temperatures that wait for the upstream server the newest 2 000 stay, of pours all', () => {
  const store = openStore({ file: ':memory:', extensions: [upstreamStore] });
  const queue = store.tablesOf(upstreamStore);
  /** In one transaction, as a commit for each would take most of the time. */
  const repeat = (times: number, each: (i: number) => void): void =>
    store.transaction(() => {
      for (let i = 0; i < times; i++) each(i);
    });
  const add = (type: 'temperature' | 'pour', i: number) =>
    queue.add({ type, data: `${i}`, atMs: i, timeCertain: true, clockBoot: 'boot-1', monoMs: i });
  add('pour', 0);
  repeat(2_000, (i) => add('temperature', i));
  queue.trimTemperatures();
  expect(queue.next(3_000)).toHaveLength(2_001);
  repeat(3, (i) => add('temperature', 2_000 + i));
  repeat(3, (i) => add('pour', i));
  queue.trimTemperatures();
  const waiting = queue.next(3_000);
  const temperatures = waiting.filter(({ type }) => type === 'temperature');
  expect(temperatures.map(({ data }) => Number(data))).toEqual(
    Array.from({ length: 2_000 }, (_, i) => i + 3),
  );
  expect(waiting).toHaveLength(2_000 + 4);
  store.close();
});
