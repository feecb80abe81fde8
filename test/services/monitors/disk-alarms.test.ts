import { expect, test } from 'vitest';
import { createAlarmBar } from './alarm-bar.ts';

const gigabyte = 1e9;
const day = 24 * 60 * 60_000;

/** A bar on a card of 16 GB (1.6 TB by the assumption) to which so much is written a day. */
function createCardBar({ writtenGb, gbADay }: { writtenGb: number; gbADay: number }) {
  let startMs: number | null = null;
  const card = { serial: '1' };
  const bar = createAlarmBar({
    disk() {
      startMs ??= bar.now().wallMs;
      const days = (bar.now().wallMs - startMs) / day;
      return {
        name: 'mmcblk0',
        identity: `mmcblk0 ${card.serial}`,
        sizeBytes: 16 * gigabyte,
        writtenBytes: Math.round((writtenGb + days * gbADay) * gigabyte),
        usedPercent: null,
        isReserveLow: false,
      };
    },
  });
  return {
    ...bar,
    card,
    /** Polls six times a day. */
    passDays(days: number) {
      for (let passed = 0; passed < days * 6; passed++) {
        bar.passTo(bar.now().wallMs + day / 6);
        bar.setNewestBackup(bar.now().wallMs);
        bar.poll();
      }
    },
  };
}

test('a card that lasts less than six months raises one alarm after a week of counting', () => {
  const bar = createCardBar({ writtenGb: 1_200, gbADay: 10 });
  bar.passDays(6);
  expect(bar.topics()).toEqual([]);
  bar.passDays(20);
  expect(bar.topics()).toEqual(['card_wears_out']);
  expect(bar.mailedValues()[0]).toMatchObject({ disk: 'mmcblk0', months: 1 });
  expect(bar.store.site.diskWrites.byDisk('mmcblk0 1').length).toBeGreaterThan(20);
});

test('an ordinary card raises none in a quarter of a year, and only two months of samples are kept', () => {
  const bar = createCardBar({ writtenGb: 50, gbADay: 1 });
  bar.passDays(90);
  expect(bar.topics()).toEqual([]);
  expect(bar.store.site.diskWrites.byDisk('mmcblk0 1')).toHaveLength(61);
});

test('another card starts anew and ends the alarm of the old one', () => {
  const bar = createCardBar({ writtenGb: 1_000, gbADay: 10 });
  bar.passDays(20);
  expect(bar.raised()).toEqual(['card_wears_out mmcblk0 1']);
  bar.card.serial = '2';
  bar.passDays(2);
  expect(bar.raised()).toEqual([]);
  expect(bar.store.site.diskWrites.byDisk('mmcblk0 1')).toEqual([]);
});

test('the endurance that staff entered is used', () => {
  const bar = createCardBar({ writtenGb: 1_000, gbADay: 10 });
  bar.store.notifications.alarms.changeSettings({
    ...bar.engine.notifications.alarms.settings(),
    diskEnduranceTb: 40,
  });
  bar.passDays(20);
  expect(bar.topics()).toEqual([]);
});
