import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { test as anyTest, expect } from 'vitest';
import { minute } from '../../../engine/bar.ts';
import { createTestServer, openingMs } from '../../../http/test-server.ts';
import { servesDeviceEvents } from '../../../kit/device-events.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { createWire, openReporter, pair, type WireFault } from './reporter-rig.ts';

const test = anyTest.runIf(servesDeviceEvents);

type Action =
  | { readonly do: 'pour'; readonly ticks: number }
  | { readonly do: 'temperature' }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'network'; readonly fault: WireFault }
  | { readonly do: 'reboot' }
  | { readonly do: 'a proxy repeats'; readonly which: number };

const actions: fc.Arbitrary<readonly Action[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('pour' as const), ticks: fc.integer({ min: 40, max: 900 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('temperature' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        ms: fc.constantFrom(250, 1_000, minute, 6 * minute, 200 * minute),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('network' as const),
        fault: fc.constantFrom<WireFault>('arrives', 'request lost', 'answer lost', 'twice'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('reboot' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('a proxy repeats' as const), which: fc.nat() }) },
  ),
  { minLength: 5, maxLength: 30 },
);

test('with any loss of requests, answers and power the server has every pour of the reporter once, at its time', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (plan) => {
      const folder = mkdtempSync(join(tmpdir(), 'tapster-reporter-'));
      const server = createTestServer();
      const wire = createWire(server);
      const reporter = openReporter(wire.post, { file: join(folder, 'tapster.db') });
      const startMs = reporter.now().wallMs;
      /** Advances the clocks of server and reporter together. */
      const nowMs = () => openingMs + reporter.now().wallMs - startMs;
      let fault: WireFault = 'arrives';
      let boots = 1;
      wire.setFault(() => {
        server.setClock({ monoMs: 60 * minute + nowMs() - openingMs, wallMs: nowMs() });
        return fault;
      });
      try {
        await pair(server, reporter);
        const poured = new Map<string, { readonly volumeMl: number; readonly timeMs: number }>();
        for (const action of plan) {
          if (action.do === 'pour') {
            const { pourId, volumeMl } = reporter.pour({
              ticks: action.ticks,
              bootId: reporter.now().bootId,
            });
            poured.set(pourId!, { volumeMl, timeMs: nowMs() });
          } else if (action.do === 'temperature') reporter.temperature('28-0000000000b2', 5);
          else if (action.do === 'wait') await reporter.pass(action.ms);
          else if (action.do === 'network') fault = action.fault;
          else if (action.do === 'reboot') {
            boots += 1;
            reporter.setClock({ bootId: `boot-${boots}` });
            await reporter.reboot();
          } else await wire.repeat(action.which);
        }
        fault = 'arrives';
        reporter.sender.retryNow();
        await reporter.drain(400);
        const { length } = wire.delivered;
        for (let i = 0; i < length; i += 3) await wire.repeat(i);

        const recorded = server.engine.drinks.newest(1_000).filter(({ source }) => source === 'device');
        expect(recorded).toHaveLength(poured.size);
        for (const [pourId, drink] of poured) {
          const reports = server.store.drinks.reportedPours.byAnyId(pourId);
          expect(reports).toHaveLength(1);
          const { volumeMl, pourTimeMs, sessionId } = recorded.find(({ id }) => id === reports[0]!.drinkId)!;
          expect(volumeMl).toBe(drink.volumeMl);
          expect(Math.abs(pourTimeMs - drink.timeMs)).toBeLessThanOrEqual(1);
          const session = server.engine.drinks.events.session(sessionId!)!;
          expect(session.startTimeMs).toBeLessThanOrEqual(pourTimeMs);
          expect(session.endTimeMs).toBeGreaterThanOrEqual(pourTimeMs);
        }
        expect(server.engine.drinks.held()).toEqual([]);
        expect(reporter.upstream.counts()).toMatchObject({ waiting: 0, setAside: 0 });
        expect(server.engine.site.checkDatabase()).toEqual([]);
      } finally {
        await reporter.close();
        server.store.close();
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: propertyRuns(12) },
  );
});
