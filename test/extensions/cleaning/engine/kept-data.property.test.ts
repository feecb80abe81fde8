import fc from 'fast-check';
import { test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { cleaning } from '../../../../src/extensions/cleaning/extension.ts';
import { at, hour, minute, openingMs, pour } from '../../../engine/bar.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { openTwinBars, type TwinBar } from '../../../kit/twin-bars.ts';
import { cleaningOn } from '../cleaning-bar.ts';

type Moment = ReturnType<typeof at>;

const row = fc.integer({ min: 1, max: 8 });
const kind = fc.constantFrom('caustic' as const, 'acid' as const);
const lineVolumeMl = fc.constantFrom(null, 250, 700);

/** What needs the feature. */
const ofFeature = fc.oneof(
  fc.record({
    do: fc.constant('mark' as const),
    ids: fc.uniqueArray(row, { minLength: 1, maxLength: 3 }),
    kind,
    lineVolumeMl,
  }),
  fc.record({ do: fc.constant('clean' as const), kind, lineVolumeMl, ml: fc.integer({ min: 1, max: 900 }) }),
  fc.record({ do: fc.constant('plan' as const), kind, intervalDays: fc.integer({ min: 1, max: 30 }) }),
);

/** What works also while it is off. */
const always = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('undo' as const), id: fc.integer({ min: 1, max: 24 }) }),
  },
  fc.record({ do: fc.constant('undo drink' as const), row }),
  fc.record({ do: fc.constant('keep' as const), row }),
  fc.record({ do: fc.constant('cancel' as const), row, spilled: fc.boolean() }),
  fc.record({ do: fc.constant('set clock' as const) }),
  fc.record({ do: fc.constant('change keg' as const), minutesAgo: fc.integer({ min: 0, max: 15 }) }),
);

type OfFeature = typeof ofFeature extends fc.Arbitrary<infer T> ? T : never;
type Always = typeof always extends fc.Arbitrary<infer T> ? T : never;

const actor = systemActor;
const beverage = { name: 'Ale', producerName: 'Brewery', styleName: 'Ale' };

function withFeature({ engine, left }: TwinBar, one: OfFeature, now: Moment, name: string): unknown {
  const { cleanings, cleaningSuggestions } = engine.serviceOf(cleaning);
  const context = { actor, now };
  switch (one.do) {
    case 'mark':
      return cleaningSuggestions.mark({ ...one, drinkIds: one.ids }, context).cleaningId;
    case 'plan':
      return cleanings.setPlan({ tapId: left.id, ...one }, context);
    case 'clean': {
      const { id } = cleanings.start({ tapId: left.id, ...one }, context);
      const later = (ms: number) => ({ ...now, monoMs: now.monoMs + ms, wallMs: now.wallMs + ms });
      const flow = pour(later(20_000), { pourId: name, ticks: one.ml, series: `0:${one.ml}` });
      engine.drinks.pours.record(flow, 'pin', later(20_000));
      return cleanings.finish(id, { result: 'passed' }, { actor, now: later(30_000) }).id;
    }
  }
}

function withOrWithout({ engine, left }: TwinBar, one: Always, now: Moment): unknown {
  switch (one.do) {
    case 'undo':
      return engine.corrections.undo(one.id, { actor }, now);
    case 'undo drink':
      return engine.drinks.undo(one.row, { actor }, now)?.drink.isValid;
    case 'keep':
      return engine.drinks.keep(one.row, { actor }, now).drink.kegId;
    case 'cancel':
      return void engine.drinks.cancel(one.row, { spilled: one.spilled, actor }, now);
    case 'set clock':
      return engine.drinks.clockCorrection.correct(now);
    case 'change keg': {
      const changedAtMs = now.wallMs - one.minutesAgo * minute;
      engine.kegs.endOnTap(left.id, now, actor, { changedAtMs });
      return engine.kegs.start(left.id, { beverage, sizeKey: 'euro' }, now, actor, { changedAtMs }).id;
    }
  }
}

test('property: whenever the feature is off, undo, review, a corrected clock and changed kegs leave the rows of a bar that had it on', () => {
  const step = fc.oneof(fc.record({ on: ofFeature }), {
    weight: 2,
    arbitrary: fc.record({ act: always, isOff: fc.boolean() }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
      const twins = openTwinBars(cleaningOn);
      try {
        // Ten days late until the clock is set.
        let isSet = false;
        const moment = (ms: number): Moment =>
          isSet ? at(ms) : at(ms, { synced: false, wallMs: openingMs + ms - 240 * hour });
        for (let i = 1; i <= 5; i++) {
          const now = moment(i * minute);
          const doubts = i === 3 ? (['electrical_noise'] as const) : [];
          const flow = pour(now, { pourId: `twin-${i}`, ticks: 150 * i, doubts: [...doubts] });
          twins.both(({ engine }) => engine.drinks.pours.record(flow, 'pin', now).volumeMl);
        }
        for (const [i, one] of steps.entries()) {
          if ('act' in one) isSet ||= one.act.do === 'set clock';
          const now = moment((10 + i) * minute);
          if ('on' in one) twins.both((bar) => withFeature(bar, one.on, now, `twin-step-${i}`));
          else twins.both((bar) => withOrWithout(bar, one.act, now), one.isOff ? ['cleaning'] : []);
        }
        twins.expectSame();
      } finally {
        twins.close();
      }
    }),
    { numRuns: propertyRuns(160) },
  );
}, 120_000);
