import fc from 'fast-check';
import { expect, test } from 'vitest';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import type { ThermoLog } from '../../../src/core/records.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, hour, minute, openBar, openingMs } from '../bar.ts';

const sensors = ['cellar', 'attic', 'bath'] as const;
const day = 24 * hour;

/** Readings arrive late, again in the same minute, or with an unset clock; old ones become hours; sensors are removed. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('log' as const),
      sensor: fc.constantFrom(...sensors),
      agoMinutes: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 60 * 1_440 }),
      ),
      synced: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('thin' as const) }),
  fc.record({ do: fc.constant('setClock' as const) }),
  fc.record({ do: fc.constant('remove' as const), sensor: fc.constantFrom(...sensors) }),
);

const minutes = fc.option(fc.integer({ min: -61 * 1_440, max: 60 }), { nil: undefined });
const query = fc.record({ sensor: fc.option(fc.constantFrom(...sensors)), since: minutes, until: minutes });

test('property: the pages of readings are all readings that match, last received first, and their total is exact', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 40 }),
      fc.array(query, { minLength: 10, maxLength: 20 }),
      (steps, queries) => {
        const { engine, store } = openBar();
        for (const [i, one] of steps.entries()) {
          const now = at(i * 20_000);
          if (one.do === 'log') {
            const time = at(i * 20_000 - one.agoMinutes * minute, { synced: one.synced });
            engine.temperatures.log({ sensor: one.sensor, tempC: i / 10 }, time);
          }
          if (one.do === 'thin') engine.temperatures.history.thin(now);
          if (one.do === 'setClock')
            engine.drinks.clockCorrection.correct({ ...now, wallMs: now.wallMs + day });
          const sensor = one.do === 'remove' ? engine.temperatures.find(one.sensor) : null;
          if (sensor !== null) engine.temperatures.remove(sensor.sensor.id);
        }
        const all = engine.lists.thermoLogs({ limit: 1_000 }).items;
        for (const one of queries) {
          const sensorId = one.sensor === null ? undefined : engine.temperatures.find(one.sensor)?.sensor.id;
          const sinceMs = one.since === undefined ? undefined : openingMs + one.since * minute;
          const untilMs = one.until === undefined ? undefined : openingMs + one.until * minute;
          const rows = all.filter(
            (log) =>
              (sensorId === undefined || log.sensorId === sensorId) &&
              (sinceMs === undefined || log.timeMs >= sinceMs) &&
              (untilMs === undefined || log.timeMs < untilMs),
          );
          const items: ThermoLog[] = [];
          for (let start = 0; start >= 0; ) {
            const page = engine.lists.thermoLogs({
              start,
              limit: 4,
              ...omitUndefined({ sensorId, sinceMs, untilMs }),
            });
            expect(page.total).toBe(rows.length);
            items.push(...page.items);
            const last = page.items.at(-1)?.id ?? 1;
            start = last === 1 ? -1 : last - 1;
          }
          expect(items).toEqual(rows);
        }
        expect(engine.site.checkDatabase()).toEqual([]);
        store.close();
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});
