import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Moment } from '../../../../src/core/clock/moment.ts';
import type { ReportedPour } from '../../../../src/engine/drinks/reported/reported-pour.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { openBar, openingMs } from '../../bar.ts';

/**
 * How a client tells the time. Each notes the end of a pour when it ends, except `restated`, which computes it anew for each
 * post by a clock that is stepped by hours, and `age`, which sends how long ago it was.
 */
type ClientClock = 'right' | 'wrong' | 'frozen' | 'uptime' | 'jumping' | 'restated' | 'age';

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pour' as const),
      client: fc.nat({ max: 1 }),
      ticks: fc.constantFrom(330, 660),
      durationS: fc.constantFrom(5, 9),
      /** Seconds from the end of the pour to its posts; all answers but the last are lost. */
      delays: fc.array(fc.constantFrom(0, 1, 7, 40, 300, 1_320, 90_000), { minLength: 1, maxLength: 4 }),
    }),
  },
  fc.record({ do: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 200_000 }) }),
  fc.record({ do: fc.constant('rebootClient' as const), client: fc.nat({ max: 1 }) }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('jump' as const),
      client: fc.nat({ max: 1 }),
      seconds: fc.constantFrom(-315_360_000, -7_200, -33, 5, 3_600, 315_360_000),
    }),
  },
  fc.record({ do: fc.constant('rebootServer' as const), isSynced: fc.boolean() }),
  fc.record({ do: fc.constant('setServerClock' as const) }),
);

const client = fc.record({
  clock: fc.constantFrom<ClientClock>('right', 'wrong', 'frozen', 'uptime', 'jumping', 'restated', 'age'),
  hasIds: fc.boolean(),
});

/** A post on its way. */
interface Post {
  readonly atS: number;
  readonly name: string;
  readonly client: number;
  readonly report: ReportedPour;
  /** By true time, seconds. */
  readonly endS: number;
  readonly stampS: number;
}

/** What a post said of the pour that it was about. */
interface Stated {
  readonly name: string;
  readonly client: number;
  readonly report: ReportedPour;
  /** By the client's clock, as this post said; null without a clock. */
  readonly statedEndS: number | null;
  /** By true time, seconds. */
  readonly endS: number;
}

/**
 * Whether nobody can tell the pours of two posts apart, since they differ in nothing: one client says, with the same id or without
 * any, that equally much ended in the same second by its clock, which was set between the pours or the posts. Without an id, pours
 * that are further apart than a report may be delayed are told by our clock.
 */
const isConfusable = (a: Stated, b: Stated): boolean =>
  a.name !== b.name &&
  a.client === b.client &&
  a.report.pourId === b.report.pourId &&
  a.report.ticks === b.report.ticks &&
  a.report.durationMs === b.report.durationMs &&
  a.statedEndS !== null &&
  a.statedEndS === b.statedEndS &&
  (a.report.pourId !== undefined || Math.abs(a.endS - b.endS) <= 60);

/**
 * What a client says that restarts its counter at boot and whose clock shows the same after each boot cannot be told apart, so
 * that its pours have different ticks here.
 */
const isBlind = ({ clock, hasIds }: { clock: ClientClock; hasIds: boolean }) =>
  hasIds && (clock === 'frozen' || clock === 'uptime' || clock === 'jumping');

test('property: every pour is recorded or held, none is counted twice, and each answer is about the pour that was sent', () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 25 });
  const property = fc.property(
    fc.array(client, { minLength: 2, maxLength: 2 }),
    steps,
    (clients, actions) => {
      const { engine, store } = openBar();
      let timeS = 0;
      let server = {
        bootId: 'server-0',
        bootS: -3_600,
        isSynced: true,
        wasUnset: false,
        offsetS: 0,
        boots: 0,
      };
      const state = clients.map(() => ({ bootS: 0, jumpS: 0, nextId: 1 }));
      const now = (atS: number): Moment => ({
        monoMs: (atS - server.bootS) * 1_000,
        wallMs: openingMs + (atS + (server.isSynced ? 0 : server.offsetS)) * 1_000,
        synced: server.isSynced,
        bootId: server.bootId,
      });
      const clientClockS = (which: number, atS: number): number => {
        const { bootS, jumpS } = state[which]!;
        const trueS = openingMs / 1_000 + atS;
        switch (clients[which]!.clock) {
          case 'wrong':
            return trueS - 94_608_000;
          case 'frozen':
            return 41;
          case 'uptime':
            return atS - bootS + 20;
          case 'jumping':
            return Math.max(1, trueS + jumpS);
          case 'restated':
            return trueS + (jumpS % 80_000);
          default:
            return trueS;
        }
      };
      const waiting: Post[] = [];
      const arrivals: { readonly client: number; readonly ticks: number; readonly atS: number }[] = [];
      const names: string[] = [];
      const isTellable = new Map<string, boolean>();
      const stated: Stated[] = [];
      /** The pours that one cannot be told from. */
      const confusedWith = (name: string): ReadonlySet<string> => {
        const others = stated.filter((one) => one.name === name);
        return new Set(
          stated.filter((one) => others.some((other) => isConfusable(one, other))).map((one) => one.name),
        );
      };
      const deliver = (untilS: number) => {
        const due = waiting.filter(({ atS }) => atS <= untilS).sort((a, b) => a.atS - b.atS);
        for (const post of due) {
          waiting.splice(waiting.indexOf(post), 1);
          const { clock } = clients[post.client]!;
          const nowS = clientClockS(post.client, post.atS);
          const ageS = post.atS - post.endS;
          const statedEndS = clock === 'age' ? null : clock === 'restated' ? nowS - ageS : post.stampS;
          const time = statedEndS === null ? { agoMs: ageS * 1_000 } : toClientTime(statedEndS, nowS);
          stated.push({ ...post, statedEndS });
          const drink = engine.drinks.pours.report({ ...post.report, ...time }, now(post.atS));
          expect([post.name, ...confusedWith(post.name)]).toContain(drink.shout);
        }
        timeS = untilS;
      };
      for (const action of actions) {
        const { client: which = 0 } = 'client' in action ? action : {};
        const own = state[which]!;
        if (action.do === 'pass') deliver(timeS + action.seconds);
        else if (action.do === 'rebootClient') state[which] = { ...own, bootS: timeS, nextId: 1 };
        else if (action.do === 'jump') {
          own.jumpS += action.seconds;
          if (clients[which]!.clock === 'jumping') for (const name of names) isTellable.set(name, false);
        } else if (action.do === 'rebootServer') {
          const boots = server.boots + 1;
          const offsetS = server.isSynced ? -50 : server.offsetS;
          // While neither our clock nor the sender's can be compared with the first report, a time that was computed anew is unknown.
          const isSynced = action.isSynced || clients.some(({ clock }) => clock === 'restated');
          const wasUnset = server.wasUnset || !isSynced;
          server = { bootId: `server-${boots}`, bootS: timeS, boots, offsetS, isSynced, wasUnset };
          if (!isSynced) for (const name of names) isTellable.set(name, false);
        } else if (action.do === 'setServerClock') {
          server = { ...server, isSynced: true };
          engine.drinks.clockCorrection.correct(now(timeS));
        } else {
          const { clock, hasIds } = clients[which]!;
          deliver(timeS + 10);
          const name = `pour ${names.length}`;
          const startS = timeS;
          const posts = action.delays.map((_delay, i) => ({
            atS: startS + sum(action.delays.slice(0, i + 1)),
          }));
          // Within a minute, nobody can tell equal reports of a clock that stands still apart.
          const isCrowded = arrivals.some(
            (one) =>
              one.client === which &&
              one.ticks === action.ticks &&
              posts.some((post) => Math.abs(post.atS - one.atS) <= 61),
          );
          const stops = clock === 'frozen' || clock === 'uptime';
          const isAmbiguous = isBlind(clients[which]!) || (stops && isCrowded);
          const ticks = isAmbiguous ? action.ticks + 1_000 * (names.length + 1) : action.ticks;
          arrivals.push(...posts.map((post) => ({ ...post, client: which, ticks })));
          const stampS = clientClockS(which, timeS);
          names.push(name);
          const isWrong = clock === 'wrong' || (clock === 'jumping' && Math.abs(own.jumpS) > 80_000);
          isTellable.set(name, !server.wasUnset && !stops && (hasIds || !isWrong));
          const report: ReportedPour = {
            tap: 'pi.flow0',
            sender: `client ${which}`,
            ticks,
            durationMs: action.durationS * 1_000,
            shout: name,
            source: clock === 'age' ? 'device' : 'post',
            ...(hasIds || clock === 'age' ? { pourId: String(own.nextId++) } : {}),
          };
          waiting.push(
            ...posts.map((post) => ({ ...post, name, client: which, report, endS: timeS, stampS })),
          );
          deliver(timeS);
        }
      }
      deliver(timeS + 1_000_000);
      const rows = store.drinks.page('valid', Number.MAX_SAFE_INTEGER, 1_000);
      const held = store.drinks.page('held', Number.MAX_SAFE_INTEGER, 1_000);
      const count = (list: typeof rows, name: string) => list.filter(({ shout }) => shout === name).length;
      for (const name of names) {
        expect(count(rows, name), name).toBeLessThanOrEqual(1);
        const confused = confusedWith(name);
        const isThere = (one: string) => count(rows, one) + count(held, one) > 0;
        expect([name, ...confused].some(isThere), name).toBe(true);
        // Nobody has to look at what a clock that runs tells.
        if (isTellable.get(name) && confused.size === 0)
          expect([count(rows, name), count(held, name)], name).toEqual([1, 0]);
      }
      expect(held.every(({ heldReason }) => heldReason === 'possible_repeat')).toBe(true);
      expect(engine.site.checkDatabase()).toEqual([]);
      store.close();
    },
  );
  fc.assert(property, { numRuns: propertyRuns(800) });
});

const toClientTime = (endS: number, nowS: number) => ({
  agoMs: (nowS - endS) * 1_000,
  clientClock: { endS, nowS },
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
