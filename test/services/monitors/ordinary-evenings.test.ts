import { expect, test } from 'vitest';
import { hour, minute } from '../../engine/bar.ts';
import { createRandom } from '../../http/fuzz/random.ts';
import { openingMs } from '../../http/test-server.ts';
import { createAlarmBar, probeName } from './alarm-bar.ts';

const day = 24 * hour;
const eveningMs = openingMs + hour;

/** Runs the bar for so many days, the last ones with alarms. Both taps pour about ten glasses an hour, some days more and some less. */
function runBar({
  seed,
  days,
  watchedDays,
}: {
  readonly seed: number;
  readonly days: number;
  readonly watchedDays: number;
}) {
  const bar = createAlarmBar();
  const random = createRandom(seed);
  bar.engine.users.changeSite({ timeZone: 'Europe/Berlin', openingHours: '18:00-02:00' });
  const beverage = { name: 'Haus Helles', producerName: 'Hausbrauerei', styleName: 'Helles' };
  const refill = () => {
    for (const { tap, keg } of bar.engine.taps.list()) {
      if (tap.meter === null) continue;
      const remainMl = keg === null ? 0 : keg.fullVolumeMl - keg.servedVolumeMl;
      if (remainMl > 35_000) continue;
      if (keg !== null) bar.engine.kegs.endOnTap(tap.id, bar.now());
      bar.engine.kegs.start(tap.id, { beverage, sizeKey: 'half-barrel' }, bar.now());
    }
  };
  for (let number = 0; number < days; number++) {
    // Staff puts full kegs on tap at noon, and the nightly backup was made.
    bar.passTo(eveningMs + number * day - 6 * hour);
    refill();
    bar.setNewestBackup(bar.now().wallMs - 8 * hour);
    const isWatched = number >= days - watchedDays;
    const glassesAnHour = 5 + random.below(11);
    for (let passed = 0; passed < 15 * 60; passed++) {
      // Defrosting at 15:00 warms the cooler by 3 °C; otherwise the compressor keeps 4 ± 0.7 °C.
      const isDefrost = passed >= 180 && passed < 205;
      const tempC = 4 + (isDefrost ? ((passed - 180) / 25) * 3 : 0.7 * Math.sin(passed / 7));
      if (isWatched) bar.atTemp(tempC, 1);
      else bar.passTo(bar.now().wallMs + minute);
      if (passed % 10 === 0) bar.engine.temperatures.logAll([{ sensor: probeName, tempC, at: bar.now() }]);
      const isEvening = passed >= 360 && passed < 720;
      for (const side of ['left', 'right'] as const)
        if (isEvening && random.below(60) < glassesAnHour) bar.pourGlass(side);
    }
  }
  return bar;
}

test('three ordinary evenings after six weeks raise no alarm', () => {
  expect(runBar({ seed: 1, days: 45, watchedDays: 3 }).topics()).toEqual([]);
});
