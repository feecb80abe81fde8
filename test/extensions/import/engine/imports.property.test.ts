import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUsernameKey, usernameFault } from '../../../../src/core/users/username-rules.ts';
import { chooseUsername } from '../../../../src/extensions/import/engine/import-users.ts';
import type { ImportedDrink } from '../../../../src/extensions/import/engine/imports.ts';
import type { StagedRecord } from '../../../../src/extensions/import/store/import-staging.ts';
import { at, hour, minute, openingMs } from '../../../engine/bar.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { importsOf, openImportBar } from './import-bar.ts';

const source = { source: 'http://old-pi', isFile: false, isDryRun: false } as const;
const caller = { actor: { userId: null, via: 'console' }, calledBy: 'pi' } as const;

const drinkRecords = fc.uniqueArray(
  fc.record({
    key: fc.integer({ min: 1, max: 10_000 }).map(String),
    minutes: fc.integer({ min: 0, max: 5 * 24 * 60 }),
    volumeMl: fc.integer({ min: 0, max: 1_000_000 }).map((n) => n / 1_000),
    username: fc.constantFrom(null, 'guest', 'anna', 'Bernd'),
  }),
  { selector: ({ key }) => key, maxLength: 40 },
);

type DrinkRecord = { key: string; minutes: number; volumeMl: number; username: string | null };

function toStaged({ key, minutes, volumeMl, username }: DrinkRecord): StagedRecord {
  const pourTimeMs = openingMs - 10 * 24 * hour + minutes * minute;
  const data: ImportedDrink = {
    pourId: null,
    pourTimeMs,
    timeCertain: true,
    durationMs: 0,
    ticks: 0,
    volumeMl,
    username,
    kegKey: null,
    tapName: null,
    shout: null,
  };
  return { kind: 'drink', key, order: pourTimeMs, line: 0, data };
}

const inOrder = (records: readonly DrinkRecord[]) =>
  records.map(toStaged).sort((one, other) => one.order - other.order);

test('imported drinks give the sessions of their times and totals equal to their sums', () => {
  fc.assert(
    fc.property(drinkRecords, (records) => {
      const bar = openImportBar();
      const { engine } = bar;
      const imports = importsOf(bar);
      const staged = inOrder(records);
      const run = imports.start({ ...source, ...caller }, at(0));
      run.add(staged);
      for (const _step of run.finish({}));
      expect(engine.site.checkDatabase()).toEqual([]);
      const times = staged.map(({ order }) => order);
      const starts = times.filter((ms, n) => n === 0 || ms - times[n - 1]! >= 3 * hour);
      const sessions = engine.lists.sessions({ limit: 100 }).items;
      expect(sessions.map(({ startTimeMs }) => startTimeMs).sort((one, other) => one - other)).toEqual(
        starts,
      );
    }),
    { numRuns: propertyRuns(100) },
  );
});

test('whatever parts are imported again, each drink is there once', () => {
  fc.assert(
    fc.property(drinkRecords, fc.array(fc.nat({ max: 40 }), { maxLength: 4 }), (records, cuts) => {
      const bar = openImportBar();
      const { engine } = bar;
      const imports = importsOf(bar);
      const staged = inOrder(records);
      // Each run writes everything up to a cut, as one that was killed there, and the last one writes all.
      for (const cut of [...cuts, staged.length]) {
        const run = imports.start({ ...source, ...caller }, at(0));
        run.add(staged.slice(0, cut));
      }
      expect(engine.lists.drinks({ limit: 1_000, isValid: true }).total).toBe(records.length);
      expect(engine.site.checkDatabase()).toEqual([]);
      const again = imports.start({ ...source, ...caller }, at(0)).add(staged);
      expect(again.every((outcome) => 'result' in outcome && outcome.result === 'known')).toBe(true);
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('an undone import leaves the totals, sessions and drinks of before', () => {
  fc.assert(
    fc.property(drinkRecords, fc.array(fc.nat({ max: 5 * 24 * 60 }), { maxLength: 6 }), (records, pours) => {
      const bar = openImportBar();
      const { engine, left } = bar;
      const imports = importsOf(bar);
      const report = (minutes: number) =>
        engine.drinks.pours.report(
          {
            tap: left.id,
            ticks: 1,
            volumeMl: minutes,
            agoMs: 10 * 24 * hour - minutes * minute,
            source: 'manual',
          },
          at(0),
        );
      for (const minutes of [...pours].sort((one, other) => one - other)) report(minutes);
      // Sessions that the import joined and its undo split are the same ones, but for their ids.
      const read = () => ({
        drinks: engine.lists.drinks({ limit: 100, isValid: true }).items.map(({ sessionId, ...drink }) => ({
          ...drink,
          session: engine.drinks.events.session(sessionId!)!.startTimeMs,
        })),
        sessions: engine.lists
          .sessions({ limit: 100 })
          .items.map(({ id: _id, ...session }) => session)
          .sort((one, other) => one.startTimeMs - other.startTimeMs),
        kegs: engine.kegs.list({ limit: 10 }).items.map(({ servedVolumeMl }) => servedVolumeMl),
      });
      const before = read();
      const run = imports.start({ ...source, ...caller }, at(0));
      run.add(inOrder(records));
      for (const _step of run.finish({}));
      if (records.length === 0) return;
      const undo = imports.undo({ source: source.source, ...caller }, at(0));
      while (undo.removeDrinks(7) > 0);
      undo.finish();
      expect(engine.site.checkDatabase()).toEqual([]);
      expect(read()).toEqual(before);
      const again = imports.start({ ...source, ...caller }, at(0)).add(inOrder(records));
      expect(again.every((outcome) => 'result' in outcome && outcome.result === 'new')).toBe(true);
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('a dry run says what the import does, and writes nothing', () => {
  fc.assert(
    fc.property(drinkRecords, (records) => {
      const bar = openImportBar();
      const { engine } = bar;
      const imports = importsOf(bar);
      const staged = inOrder(records);
      const before = engine.audit.list({ limit: 1 }).total;
      const planned = imports.start({ ...source, ...caller, isDryRun: true }, at(0)).add(staged);
      expect(engine.lists.drinks({ limit: 1, isValid: true }).total).toBe(0);
      expect(engine.audit.list({ limit: 1 }).total).toBe(before);
      expect(imports.start({ ...source, ...caller }, at(0)).add(staged)).toEqual(planned);
    }),
    { numRuns: propertyRuns(30) },
  );
});

test('every name of another server becomes one that is allowed and free here', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom('a', 'A', 'ß', 'а', '_', '.', '-', '9', '٣', ' ', 'א'),
      maxLength: 40,
    }),
  );
  fc.assert(
    fc.property(fc.array(names, { maxLength: 12 }), (wanted) => {
      const taken = new Set<string>();
      for (const name of wanted) {
        const chosen = chooseUsername(name, (candidate) => !taken.has(toUsernameKey(candidate)));
        expect(usernameFault(chosen)).toBeNull();
        expect([...chosen].length).toBeLessThanOrEqual(30);
        expect(taken.has(toUsernameKey(chosen))).toBe(false);
        taken.add(toUsernameKey(chosen));
      }
    }),
    { numRuns: propertyRuns(400) },
  );
});
