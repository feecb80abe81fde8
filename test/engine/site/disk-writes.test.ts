import { expect, test } from 'vitest';
import { at, hour, openEmptyBar } from '../bar.ts';

const day = 24 * hour;
const today = Math.floor(at(0).wallMs / day);

test('the first counter of a day is its sample', () => {
  const { engine } = openEmptyBar();
  engine.site.diskWrites.add('card', 100, at(0));
  engine.site.diskWrites.add('card', 200, at(hour));
  engine.site.diskWrites.add('card', 300, at(day));
  expect(engine.site.diskWrites.list('card')).toEqual([
    { day: today, writtenBytes: 100 },
    { day: today + 1, writtenBytes: 300 },
  ]);
});

test('while the clock is not set the day is unknown: no sample is added, and none is taken for a later one', () => {
  const { engine } = openEmptyBar();
  engine.site.diskWrites.add('card', 100, at(0, { synced: false }));
  expect(engine.site.diskWrites.list('card')).toEqual([]);
  engine.site.diskWrites.add('card', 100, at(0));
  engine.site.diskWrites.add('card', 200, at(0, { synced: false, wallMs: 0 }));
  expect(engine.site.diskWrites.list('card')).toEqual([{ day: today, writtenBytes: 100 }]);
});
