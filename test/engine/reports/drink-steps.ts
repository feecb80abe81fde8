import fc from 'fast-check';
import { AppError } from '../../../src/core/app-error.ts';
import { systemActor } from '../../../src/engine/shared/audit.ts';
import { at, hour, openBar } from '../bar.ts';

/** Usernames of the bar's people; null for drinks without one. */
const names = [null, 'ana', 'bob', 'cem'];
const row = fc.nat({ max: 25 });
const ml = fc.oneof(fc.constantFrom(0, 300, 500), fc.double({ min: 0, max: 900, noNaN: true }));

/** Pours and later corrections. */
export const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pour' as const),
      tap: fc.constantFrom('pi.flow0', 'pi.flow1', 'pi.flow2'),
      name: fc.constantFrom(...names),
      // Without a volume it is computed from the ticks, and a calibration changes it.
      ml: fc.option(ml, { nil: undefined }),
      ticks: fc.constantFrom(1, 1_500),
      hoursAgo: fc.constantFrom(0, 0, 1, 5, 30, 24 * 200),
    }),
  },
  fc.record({ do: fc.constant('cancel' as const), row }),
  fc.record({ do: fc.constant('reassign' as const), row, name: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('volume' as const), row, ml }),
  fc.record({ do: fc.constant('move' as const), row, kegId: fc.constantFrom(null, 1, 2) }),
  fc.record({ do: fc.constant('keep' as const), row }),
  fc.record({ do: fc.constant('split' as const), row, ml, name: fc.constantFrom(...names) }),
  fc.record({ do: fc.constant('join' as const), row, other: row }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('undo' as const), row }) },
  fc.record({ do: fc.constant('setClock' as const) }),
  fc.record({
    do: fc.constant('calibrate' as const),
    kegId: fc.constantFrom(null, 1, 2),
    ticksPerMl: fc.constantFrom(1, 2, 5.4),
  }),
  fc.record({ do: fc.constant('undoCorrection' as const), row: fc.nat({ max: 60 }) }),
  fc.record({ do: fc.constant('removeTap' as const), row: fc.nat({ max: 3 }) }),
  fc.record({ do: fc.constant('read' as const) }),
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
export type Bar = ReturnType<typeof openBar>;

function runStep({ engine }: Bar, input: Step, index: number, isSet: boolean): void {
  // The clock is a week slow until it is set.
  const now = isSet
    ? at(index * hour)
    : at(index * hour, { synced: false, wallMs: at((index - 168) * hour).wallMs });
  switch (input.do) {
    case 'pour': {
      const { tap, name, ml: given, ticks, hoursAgo } = input;
      const agoMs = hoursAgo * hour;
      const username = name === null ? {} : { username: name };
      const volume = given === undefined ? {} : { volumeMl: given };
      engine.drinks.pours.report({ tap, ticks, agoMs, source: 'post', ...volume, ...username }, now);
      return;
    }
    case 'cancel':
      engine.drinks.cancel(input.row, { spilled: false }, now);
      return;
    case 'reassign':
      engine.drinks.reassign(input.row, { username: input.name }, now);
      return;
    case 'volume':
      engine.drinks.edit(input.row, { volumeMl: input.ml }, now);
      return;
    case 'move':
      engine.drinks.move(input.row, { kegId: input.kegId }, now);
      return;
    case 'keep':
      engine.drinks.keep(input.row, { tapId: 1 }, now);
      return;
    case 'split':
      engine.drinks.split(input.row, { volumeMl: input.ml, username: input.name }, now);
      return;
    case 'join':
      engine.drinks.join(input.row, { otherId: input.other }, now);
      return;
    case 'undo':
      engine.drinks.undo(input.row, {}, now);
      return;
    case 'setClock':
      engine.drinks.clockCorrection.correct(at(index * hour));
      return;
    case 'calibrate':
      engine.drinks.calibrate(1, { ticksPerMl: input.ticksPerMl, kegId: input.kegId }, now);
      return;
    case 'undoCorrection':
      engine.corrections.undo(input.row, {}, now);
      return;
    case 'removeTap':
      engine.taps.remove(input.row, { actor: systemActor, now });
      return;
    case 'read':
      // A value read before a later change must not be returned after it.
      engine.reports.statistics.get({ kind: 'site' });
  }
}

/** A bar in Sydney with two kegs, on which the steps were done; the clock is set before the step `setAfter`. */
export function runSteps(steps: readonly Step[], setAfter: number): Bar {
  const bar = openBar();
  const { engine } = bar;
  engine.users.changeSite({ timeZone: 'Australia/Sydney' });
  for (const username of names) if (username !== null) engine.users.addUser({ username }, at(0));
  const ale = {
    beverage: { name: 'Ale', producerName: 'Brewery', styleName: 'Ale' },
    sizeKey: 'corny',
  };
  engine.kegs.start(bar.right.id, ale, at(0));
  steps.forEach((input, index) => {
    try {
      runStep(bar, input, index, index >= setAfter);
    } catch (refusal) {
      if (!(refusal instanceof AppError)) throw refusal;
    }
  });
  return bar;
}
