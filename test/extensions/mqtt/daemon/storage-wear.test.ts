import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { createStorageWear } from '../../../../src/extensions/mqtt/daemon/storage-wear.ts';
import { at, openBar } from '../../../engine/bar.ts';

const hourMs = 60 * 60_000;
const card = { sizeBytes: 16e9, writtenBytes: 400e9, usedPercent: null, isReserveLow: false };

test('the wear is that of the register, else what was written of the endurance, else unknown', () => {
  const { engine, store } = openBar();
  const wearOf = (disk: typeof card | { usedPercent: number } | null) =>
    createStorageWear(
      () => disk && { ...card, ...disk },
      () => 0,
    )(engine);
  expect(wearOf({ usedPercent: 30 })).toBe(30);
  // 400 GB of 100 times 16 GB.
  expect(wearOf(card)).toBe(25);
  engine.notifications.alarms.changeSettings({ diskEnduranceTb: 4 }, systemActor, at(0));
  expect(wearOf(card)).toBe(10);
  expect(wearOf(null)).toBeNull();
  store.close();
});

test('the disk is read once an hour', () => {
  const { engine, store } = openBar();
  let nowMs = 0;
  let reads = 0;
  const wear = createStorageWear(
    () => {
      reads += 1;
      return { ...card, usedPercent: reads };
    },
    () => nowMs,
  );
  const seen = [0, hourMs - 1, hourMs].map((ms) => {
    nowMs = ms;
    return wear(engine);
  });
  expect(seen).toEqual([1, 1, 2]);
  store.close();
});
