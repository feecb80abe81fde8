import { beforeEach, expect, test } from 'vitest';
import { at, hour, minute, openBar, pour } from '../bar.ts';

let bar: ReturnType<typeof openBar>;
const day = 24 * hour;

beforeEach(() => {
  bar = openBar();
  bar.engine.users.changeSite({ timeZone: 'Europe/Berlin' });
});

/** Ten half litres at the left tap from 18:00 UTC, so many days after opening. */
function pourFiveLitres(days: number) {
  for (let i = 0; i < 10; i++) {
    const now = at(days * day + (1 + i * 10) * minute);
    bar.engine.drinks.pours.record(pour(now, { ticks: 500 }), 'pin', now);
  }
}

const left = () => bar.engine.taps.find(bar.left.id)!;
const predictRunOut = (now: ReturnType<typeof at>) => bar.engine.taps.facts.predictRunOut(left(), now);

test('after three nights of five litres, the rest of a 30 L keg lasts three more', () => {
  for (const days of [0, 1]) pourFiveLitres(days);
  expect(predictRunOut(at(2 * day - hour))).toBeNull();
  pourFiveLitres(2);
  const now = at(3 * day - hour);
  bar.engine.kegs.spill(bar.keg.id, 5_000, now);
  expect(predictRunOut(now)).toMatchObject({ part: 'evening' });
  const { timeMs } = predictRunOut(now)!;
  expect(Math.floor((timeMs - at(0).wallMs) / day)).toBe(4);
});

test('a new keg uses the estimate of its tap', () => {
  for (const days of [0, 1, 2]) pourFiveLitres(days);
  const now = at(3 * day - hour);
  bar.engine.kegs.endOnTap(bar.left.id, now);
  bar.engine.kegs.start(
    bar.left.id,
    { beverage: { name: 'Bock', producerName: 'Brewery', styleName: 'Bock' }, sizeKey: 'mini' },
    now,
  );
  expect(predictRunOut(now)).not.toBeNull();
});

test('no prediction with an unset clock, for an empty tap, or for an empty keg', () => {
  for (const days of [0, 1, 2]) pourFiveLitres(days);
  expect(predictRunOut(at(3 * day, { synced: false }))).toBeNull();
  expect(bar.engine.taps.facts.predictRunOut(bar.engine.taps.find(bar.right.id)!, at(3 * day))).toBeNull();
  bar.engine.kegs.spill(bar.keg.id, 20_000, at(3 * day));
  expect(predictRunOut(at(3 * day))).toBeNull();
});

test('the last drink of a tap is the one poured last, whenever recorded; without held ones', () => {
  expect(bar.engine.taps.facts.lastDrink(bar.left.id)).toBeNull();
  bar.engine.drinks.pours.record(pour(at(hour)), 'pin', at(hour));
  bar.engine.drinks.pours.record(pour(at(minute), { ticks: 400 }), 'pin', at(2 * hour));
  bar.engine.drinks.pours.record(pour(at(3 * hour), { ticks: 100_000 }), 'pin', at(3 * hour));
  expect(bar.engine.taps.facts.lastDrink(bar.left.id)).toMatchObject({
    volumeMl: 300,
    pourTimeMs: at(hour).wallMs,
  });
  expect(bar.engine.taps.facts.lastDrink(bar.right.id)).toBeNull();
});
