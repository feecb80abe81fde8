import { beforeEach, describe, expect, test } from 'vitest';
import { hour, minute } from '../../engine/bar.ts';
import { openingMs } from '../../http/test-server.ts';
import { createAlarmBar, probeName } from './alarm-bar.ts';

const day = 24 * hour;
const week = 7 * day;
/** 18:00 UTC on a Saturday. */
const eveningMs = openingMs + hour;

let bar: ReturnType<typeof createAlarmBar>;
beforeEach(() => {
  bar = createAlarmBar();
  bar.engine.users.changeSite({ timeZone: 'UTC', openingHours: '17:00-01:00' });
});

/** Glasses poured evenly from 18:00 to midnight of a day after the first evening. */
interface Evening {
  readonly day: number;
  readonly glasses: number;
  readonly sides?: readonly ('left' | 'right')[];
}

function pourEvening({ day: number, glasses, sides = ['left', 'right'] }: Evening): void {
  for (let glass = 0; glass < glasses; glass++) {
    bar.passTo(eveningMs + number * day + Math.floor((glass * 6 * hour) / glasses));
    for (const side of sides) bar.pourGlass(side);
  }
}

const startKeg = (tapId: number, sizeKey = 'half-barrel') =>
  bar.engine.kegs.start(
    tapId,
    { beverage: { name: 'Haus Helles', producerName: 'Hausbrauerei', styleName: 'Helles' }, sizeKey },
    bar.now(),
  );

describe('a keg that runs dry tonight', () => {
  beforeEach(() => {
    // 6 L a night from the keg of 30 L.
    for (const number of [0, 1, 2, 3]) pourEvening({ day: number, glasses: 20, sides: ['left'] });
  });

  test('raises one alarm before opening, which ends with the next keg', () => {
    bar.passTo(eveningMs + 3 * day + 22 * hour);
    bar.engine.kegs.spill(bar.keg.id, 2_000, bar.now());
    bar.atTemp(null, 11);
    expect(bar.topics()).toEqual(['keg_runs_dry']);
    expect(bar.mailedValues()[0]).toMatchObject({ tap: 'Left', beer: 'Haus Helles', remainMl: 4_000 });
    bar.atTemp(null, 60);
    bar.engine.kegs.endOnTap(bar.left.id, bar.now());
    startKeg(bar.left.id);
    bar.atTemp(null, 1);
    expect(bar.raised()).toEqual([]);
    bar.atTemp(null, 120);
    expect(bar.topics()).toEqual(['keg_runs_dry']);
  });

  test('raises none while it lasts for the night', () => {
    bar.passTo(eveningMs + 3 * day + 10 * hour);
    bar.engine.kegs.end(bar.keg.id, bar.now());
    startKeg(bar.left.id);
    bar.atTemp(null, 12 * 60);
    expect(bar.topics()).toEqual([]);
  });

  test('raises none while another keg is behind it, and one for both of its taps', () => {
    bar.passTo(eveningMs + 3 * day + 22 * hour);
    bar.engine.kegs.spill(bar.keg.id, 4_000, bar.now());
    const { beverageId } = bar.keg;
    const behind = bar.engine.kegs.create({ beverage: { id: beverageId }, sizeKey: 'euro-half' }, bar.now());
    bar.engine.kegs.connect(bar.left.id, behind.id, bar.now());
    bar.engine.kegs.connect(bar.right.id, bar.keg.id, bar.now());
    bar.engine.kegs.connect(bar.right.id, behind.id, bar.now());
    bar.atTemp(null, 20);
    expect(bar.raised()).toEqual([]);
    bar.engine.kegs.disconnect(bar.left.id, behind.id, bar.now());
    bar.engine.kegs.disconnect(bar.right.id, behind.id, bar.now());
    bar.atTemp(null, 20);
    expect(bar.raised()).toEqual([`keg_runs_dry keg-${bar.keg.id}`]);
  });

  test('is resolved when a correction leaves enough in it', () => {
    bar.passTo(eveningMs + 3 * day + 22 * hour);
    bar.engine.kegs.spill(bar.keg.id, 4_000, bar.now());
    bar.atTemp(null, 20);
    expect(bar.raised()).toEqual([`keg_runs_dry keg-${bar.keg.id}`]);
    bar.engine.kegs.change(bar.keg.id, { fullVolumeMl: 50_000 }, bar.now());
    bar.atTemp(null, 31);
    expect(bar.raised()).toEqual([]);
  });
});

describe('a tap that always pours at this time', () => {
  beforeEach(() => {
    startKeg(bar.right.id);
    // 10 glasses an hour at both taps on seven Saturdays.
    for (const number of [0, 7, 14, 21, 28, 35]) pourEvening({ day: number, glasses: 60 });
    bar.passTo(eveningMs + 6 * week - 2 * hour);
  });

  test('raises one alarm when it stops while the other pours on, and ends with its next pour', () => {
    for (let glass = 0; glass < 60; glass++) {
      if (glass < 12) bar.pourGlass('left');
      bar.pourGlass('right');
      bar.atTemp(null, 6);
    }
    expect(bar.topics().filter((kind) => kind === 'tap_unused')).toEqual(['tap_unused']);
    expect(bar.mailedValues().find(({ hours }) => hours !== undefined)).toMatchObject({ tap: 'Left' });
    bar.pourGlass('left');
    bar.atTemp(null, 60);
    expect(bar.raised().filter((alarm) => alarm.startsWith('tap_unused'))).toEqual([]);
  });

  test('raises none when the bar stays closed, or is quiet', () => {
    bar.atTemp(null, 12 * 60);
    bar.passTo(eveningMs + 7 * week);
    for (let glass = 0; glass < 5; glass++) {
      bar.pourGlass('right');
      bar.atTemp(null, 60);
    }
    expect(bar.topics()).not.toContain('tap_unused');
  });
});

describe('the temperature of a tap', () => {
  const sensorId = () => bar.engine.taps.find(bar.left.id)!.tap.thermoSensor!.id;

  /** A week of readings every ten minutes; the cooler defrosts at 4:00 by so much. */
  function logWeek(defrostC: number): void {
    bar.passTo(eveningMs + 7 * day);
    const endMs = bar.now().wallMs;
    const readings = Array.from({ length: 7 * 144 }, (_, index) => {
      const atMs = endMs - index * 10 * minute;
      const isDefrost = new Date(atMs).getUTCHours() === 4 && new Date(atMs).getUTCMinutes() < 30;
      const at = { ...bar.now(), wallMs: atMs, monoMs: bar.now().monoMs - index * 10 * minute };
      return { sensor: probeName, tempC: isDefrost ? 4 + defrostC : 4, at };
    });
    bar.engine.temperatures.logAll(readings.reverse());
    expect(sensorId()).toBeGreaterThan(0);
  }

  function warm(fromC: number, perMinuteC: number, minutes: number): void {
    for (let passed = 1; passed <= minutes; passed++) bar.atTemp(fromC + passed * perMinuteC, 1);
  }

  test('raises one alarm when it rises by 3 °C in 20 minutes, long before it is too warm', () => {
    logWeek(1);
    bar.atTemp(4, 30);
    warm(4, 0.15, 35);
    expect(bar.topics()).toEqual(['warming_fast']);
    bar.atTemp(9, 120);
    expect(bar.topics()).toEqual(['warming_fast']);
  });

  test('raises none for an open door, nor for defrosting as on other days', () => {
    logWeek(4);
    bar.atTemp(4, 30);
    bar.atTemp(8.5, 8);
    bar.atTemp(4, 60);
    warm(4, 0.2, 20);
    bar.atTemp(8, 15);
    bar.atTemp(4, 60);
    expect(bar.topics()).toEqual([]);
  });

  test('raises none beside the alarm that it is too warm already', () => {
    logWeek(1);
    bar.atTemp(12.5, 60);
    warm(12.5, 0.15, 40);
    expect(bar.topics()).toEqual(['too_warm']);
  });
});
