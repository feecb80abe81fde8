import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/engine.ts';
import { type EventKind, eventKinds } from '../../../src/engine/notifications/notifications.ts';
import { at, minute, openBar } from '../bar.ts';

const wants = fc.record({
  keg_tapped: fc.boolean(),
  session_started: fc.boolean(),
  keg_volume_low: fc.boolean(),
  keg_ended: fc.boolean(),
});

const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pour' as const), ml: fc.integer({ min: 0, max: 30_000 }) }),
  },
  fc.record({ do: fc.constant('new keg' as const) }),
  fc.record({ do: fc.constant('long pause' as const) }),
  fc.record({ do: fc.constant('cancel' as const) }),
);

test('each event has exactly one message for each receiver who chose it, and none for others', async () => {
  await fc.assert(
    fc.asyncProperty(
      wants,
      wants,
      fc.nat(3),
      fc.array(action, { maxLength: 15 }),
      async (anna, bert, hooks, actions) => {
        const { engine, store, left, keg } = openBar();
        const settings = { host: 'mail.bar', fromAddress: 'bar@example.org' };
        engine.notifications.mail.change(settings, systemActor, at(0));
        for (const [username, wanted] of [
          ['anna', anna],
          ['bert', bert],
        ] as const) {
          const user = await engine.users.addUser({ username, email: `${username}@example.org` }, at(0));
          engine.notifications.add(user, { wants: wanted });
        }
        await engine.users.addUser({ username: 'carl', email: 'carl@example.org' }, at(0));
        const urls = Array.from({ length: hooks }, (_, hook) => `http://hook${hook}.example/`);
        engine.notifications.webhooks.change({ urls }, systemActor, at(0));
        const before = engine.drinks.events.list({ limit: 1 })[0]?.id ?? 0;

        const seen = new Map<number, string>();
        let kegId = keg.id;
        let now = 0;
        let drinkId: number | null = null;
        for (const one of actions) {
          now += minute;
          if (one.do === 'pour') {
            const pour = { tap: left.id, ticks: 0, volumeMl: one.ml, source: 'post' as const };
            drinkId = engine.drinks.pours.report(pour, at(now)).id;
          }
          if (one.do === 'new keg') {
            engine.kegs.end(kegId, at(now));
            const beverage = { name: 'Ale', producerName: 'Brewery', styleName: '' };
            kegId = engine.kegs.start(left.id, { beverage }, at(now)).id;
          }
          if (one.do === 'long pause') now += 1_000 * minute;
          // A message stays when its event is removed with the drink.
          if (one.do === 'cancel' && drinkId !== null) {
            engine.drinks.cancel(drinkId, { spilled: false }, at(now));
            drinkId = null;
          }
          for (const event of engine.drinks.events.list({ since: before, limit: 1_000 }))
            seen.set(event.id, event.kind);
        }

        const expected = [...seen.values()].flatMap((kind) => [
          ...urls.map((url) => `${kind} ${url}`),
          ...(isNotified(kind) && anna[kind] ? [`${kind} anna`] : []),
          ...(isNotified(kind) && bert[kind] ? [`${kind} bert`] : []),
        ]);
        const written = engine.notifications.outbox.list({ limit: 1_000 }).items;
        expect(written.map(({ topic, recipient }) => `${topic} ${recipient}`).sort()).toEqual(
          expected.sort(),
        );
        expect(new Set(written.map(({ id }) => store.notifications.outbox.byId(id)!.uid)).size).toBe(
          written.length,
        );
      },
    ),
    { numRuns: 15 },
  );
});

const isNotified = (kind: string): kind is EventKind => (eventKinds as readonly string[]).includes(kind);
