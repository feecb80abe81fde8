import { expect, test } from 'vitest';
import { at, hour } from '../../../engine/bar.ts';
import { openBarWithStock } from '../stock-bar.ts';

const day = 24 * hour;
const actor = { userId: null, via: 'console' } as const;

/** A bar whose kegs may be on their taps for two weeks. */
function openLimitedBar() {
  const bar = openBarWithStock();
  bar.engine.reports.changeSettings({ maxDaysOnTap: 14 }, actor, at(0));
  return bar;
}

const onTap = (kegId: number, days: number) => ({
  kind: 'keg_not_fresh',
  subject: `keg-${kegId}-long_on_tap`,
  state: 'bad',
  values: { keg: String(kegId), beer: 'Lager', reason: 'long_on_tap', days },
});

test('a keg that is on its tap for longer than the limit raises the alarm, until it ends', () => {
  const { engine, keg } = openLimitedBar();
  expect(engine.hooks.alarmConditions(at(14 * day))).toEqual([]);
  expect(engine.hooks.alarmConditions(at(15 * day))).toContainEqual(
    expect.objectContaining(onTap(keg.id, 15)),
  );
  expect(engine.hooks.alarmConditions(at(15 * day, { synced: false }))[0]).toMatchObject({
    state: 'unknown',
  });
  engine.kegs.end(keg.id, at(15 * day));
  expect(engine.hooks.alarmConditions(at(16 * day)).map(({ subject }) => subject)).not.toContain(
    onTap(keg.id, 16).subject,
  );
});

test('without a limit a keg may stay; undo of the limit takes the alarm away', () => {
  const { engine } = openBarWithStock();
  const { correctionId } = engine.reports.changeSettings({ maxDaysOnTap: 1 }, actor, at(0));
  expect(engine.hooks.alarmConditions(at(9 * day))).not.toEqual([]);
  engine.corrections.undo(correctionId!, { actor }, at(day));
  expect(engine.reports.settings().maxDaysOnTap).toBeNull();
  expect(engine.hooks.alarmConditions(at(400 * day))).toEqual([]);
});

test('a keg in stock raises it after its best-before day', () => {
  const { engine } = openLimitedBar();
  const { result } = engine.purchases.receive(
    {
      keg: {
        beverage: { name: 'Stout', producerName: 'Brewery', styleName: '' },
        sizeKey: 'euro-30-liter',
      },
      count: 1,
      purchase: { bestBefore: '2026-05-20' },
    },
    { actor, now: at(0) },
  );
  const today = Date.parse(engine.reports.today(at(0)).date);
  const daysUntil = (Date.parse('2026-05-20') - today) / day;
  const ofKeg = (afterMs: number) =>
    engine.hooks
      .alarmConditions(at(afterMs))
      .filter(({ subject }) => subject.startsWith(`keg-${result[0]}-`));
  expect(ofKeg(daysUntil * day)).toEqual([]);
  expect(ofKeg((daysUntil + 2) * day)).toMatchObject([
    { subject: `keg-${result[0]}-past_best_before`, values: { beer: 'Stout', days: 2 } },
  ]);
});
