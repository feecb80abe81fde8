import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import type { Moment } from '../../../../src/core/clock/moment.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { at, hour, minute, openBar } from '../../bar.ts';

/** A report with few different values, so that some are equal. */
const report = fc.record(
  {
    tap: fc.constantFrom('pi.flow0', 'pi.flow1', 'pi.flow2', 1, 2),
    ticks: fc.constantFrom(0, 1, 660),
    volumeMl: fc.constantFrom(250, 200_000),
    username: fc.constantFrom('', 'ana', 'zoe'),
    authToken: fc.constantFrom('core.rfid|01', '01'),
    durationMs: fc.constantFrom(0, 9_000),
    /** By the client's clock, which runs: seconds before the post. */
    agoS: fc.constantFrom(0, 30, 1e9),
  },
  { requiredKeys: ['tap', 'ticks', 'agoS'] },
);

/** Chooses one of the run's drinks. */
const index = fc.nat(3);

/** What staff may do between a post and its repetition. */
const correction = fc.oneof(
  fc.record({ do: fc.constant('cancel' as const), index, spilled: fc.boolean() }),
  fc.record({ do: fc.constant('reassign' as const), index, username: fc.constantFrom(null, 'ana') }),
  fc.record({ do: fc.constant('split' as const), index, volumeMl: fc.constantFrom(10, 100) }),
  fc.record({ do: fc.constant('join' as const), index, otherIndex: index }),
  fc.record({ do: fc.constant('discard' as const), index }),
);

type Engine = ReturnType<typeof openBar>['engine'];
type Correction = typeof correction extends fc.Arbitrary<infer T> ? T : never;

function applyCorrection({ drinks }: Engine, input: Correction, ids: readonly number[], now: Moment) {
  const id = ids[input.index % ids.length]!;
  if (input.do === 'cancel') drinks.cancel(id, input, now);
  else if (input.do === 'reassign') drinks.reassign(id, input, now);
  else if (input.do === 'split') drinks.split(id, input, now);
  else if (input.do === 'join') drinks.join(id, { otherId: ids[input.otherIndex % ids.length]! }, now);
  else drinks.discard(id, {}, now);
}

/** Returns the result of `work`, or nothing when it is refused. */
function unlessRefused<T>(work: () => T): T[] {
  try {
    return [work()];
  } catch (refusal) {
    if (refusal instanceof AppError) return [];
    throw refusal;
  }
}

test('property: a repetition writes no byte and returns the drink of the first report', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tapster-')), 'tapster.db');
  const readBytes = () => [file, `${file}-wal`].map((path) => readFileSync(path));
  const { engine, store } = openBar(file);
  engine.users.addUser({ username: 'ana' }, at(0));
  let runs = 0;
  const reports = fc.array(report, { minLength: 1, maxLength: 4 });
  const property = fc.property(reports, fc.array(correction, { maxLength: 3 }), (posts, corrections) => {
    // Each run has hours and pours of its own.
    const run = ++runs;
    const start = run * 5 * hour;
    const post = (pour: (typeof posts)[number], moment: Moment) => {
      const nowS = Math.floor(moment.wallMs / 1_000);
      const endS = Math.floor(at(start).wallMs / 1_000) - pour.agoS;
      const time = { agoMs: (nowS - endS) * 1_000, clientClock: { endS, nowS } };
      return engine.drinks.pours.report({ ...pour, ...time, source: 'post' }, moment).id;
    };
    const posted = posts.flatMap((pour) => unlessRefused(() => ({ pour, drinkId: post(pour, at(start)) })));
    const ids = posted.map(({ drinkId }) => drinkId);
    for (const input of ids.length === 0 ? [] : corrections) {
      unlessRefused(() => applyCorrection(engine, input, ids, at(start + 8 * minute)));
    }
    const before = readBytes();
    for (const { pour, drinkId } of posted) expect(post(pour, at(start + 4 * hour))).toBe(drinkId);
    expect(readBytes().map((bytes, index) => bytes.equals(before[index]!))).toEqual([true, true]);
  });
  fc.assert(property, { numRuns: propertyRuns(200) });
  expect(engine.site.checkDatabase()).toEqual([]);
  store.close();
});
