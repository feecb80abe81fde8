import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WireBatch } from '../../../kit/simulated-board.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { createKegboardRig, type PowerCutPoint } from './kegboard-rig.ts';

const outage: fc.Arbitrary<PowerCutPoint> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  fc.constant('before the answer' as const),
  fc.record({ beforeCommit: fc.nat({ max: 4 }) }),
);

/** Steps between a board and the daemon, in any order. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('pour' as const), ml: fc.integer({ min: 1, max: 500 }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('deliver' as const), outage }) },
  fc.record({ do: fc.constant('overtake' as const), outage }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('replay' as const), which: fc.nat({ max: 50 }), outage }),
  },
  fc.record({ do: fc.constant('attach' as const) }),
  fc.record({ do: fc.constant('detach' as const) }),
  fc.record({ do: fc.constant('reboot' as const) }),
  fc.record({ do: fc.constant('restart' as const) }),
  fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 40 }) }),
);

test('with lost, repeated, reordered or interrupted batches every pour is one drink and every presentment at most one grant', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
      const rig = createKegboardRig();
      try {
        await rig.open();
        const { board } = rig;
        const poured: { pourId: string; ml: number; username: string | null }[] = [];
        const sent: WireBatch[] = [];
        let presentments = 0;
        const deliver = async () => {
          if (board.queued === 0) return;
          const { status } = await board.deliver();
          expect([0, 200]).toContain(status);
          sent.push(board.lastBatch!);
        };
        for (const what of steps) {
          switch (what.do) {
            case 'pour':
              poured.push({
                username: board.open.includes(0) ? 'anna' : null,
                pourId: board.pour(0, what.ml),
                ml: what.ml,
              });
              break;
            case 'deliver':
              await rig.withPowerCut(what.outage, deliver);
              break;
            case 'overtake': {
              // The later half of the queue arrives first, and its answer is lost.
              const batch = board.batch();
              const events = batch.events.slice(Math.floor(batch.events.length / 2));
              if (events.length === 0) break;
              await rig.withPowerCut(what.outage, () => rig.wire({ ...batch, events }, board.token));
              break;
            }
            case 'replay': {
              const batch = sent[what.which % Math.max(1, sent.length)];
              if (batch) await rig.withPowerCut(what.outage, () => rig.wire(batch, board.token));
              break;
            }
            case 'attach':
              presentments++;
              board.attach('fob');
              break;
            case 'detach':
              board.detach('fob');
              break;
            case 'reboot':
              // Events that are not delivered before a reboot are lost.
              while (board.queued > 0) await deliver();
              board.reboot();
              break;
            case 'restart':
              rig.restart();
              break;
            case 'pass':
              rig.pass(what.seconds * 1_000);
          }
        }
        while (board.queued > 0) await deliver();
        const drinks = rig.engine.drinks.list({ limit: 1_000 }).items;
        expect(drinks).toHaveLength(poured.length);
        for (const { pourId, ml, username } of poured) {
          const recorded = rig.store.drinks.reportedPours.byAnyId(pourId).map(({ drinkId }) => drinkId);
          expect(recorded).toHaveLength(1);
          expect(drinks.find(({ id }) => id === recorded[0])).toMatchObject({ volumeMl: ml, username });
        }
        const anna = rig.store.users.byName('anna')!;
        expect(rig.store.access.grants.liveByUser(anna.id).length).toBeLessThanOrEqual(presentments);
        expect(rig.engine.site.checkDatabase()).toEqual([]);
      } finally {
        rig.remove();
      }
    }),
    { numRuns: propertyRuns(40) },
  );
}, 120_000);
