import request from 'supertest';
import { expect, test } from 'vitest';
import type { TapState } from '../../../../src/core/taps/tap-state.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { cleaning } from '../../../../src/extensions/cleaning/extension.ts';
import { cleaningStore } from '../../../../src/extensions/cleaning/store/cleaning-store.ts';
import { snapshotForGuests, snapshotMessage } from '../../../../src/http/live/snapshot.ts';
import { createTestServer, openingMs, type TestServer } from '../../../http/test-server.ts';
import { createTestServices } from '../../../http/test-services.ts';
import { extensionCases } from '../../../kit/extension-cases.ts';

const now = { monoMs: 3_600_000, wallMs: openingMs, synced: true, bootId: 'boot-1' };
const context = { actor: systemActor, now };
const beer = 'Haus Helles';

/** Starts a cleaning at the left tap and returns its id. */
const clean = ({ engine, left }: TestServer, from = context): number =>
  engine.serviceOf(cleaning).cleanings.start({ tapId: left.id, kind: 'caustic' }, from).id;

const forget = (server: TestServer): void => {
  const id = clean(server);
  server.engine.serviceOf(cleaning).cleanings.expire(id, { ...now, monoMs: now.monoMs + 3 * 3_600_000 });
};

const fail = (server: TestServer): void =>
  void server.engine.serviceOf(cleaning).cleanings.finish(clean(server), { result: 'failed' }, context);

const hold = ({ engine }: TestServer): void =>
  void engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 500_000, source: 'post' }, now);

const pour = ({ runningPours }: TestServer): void =>
  void runningPours.set('pi.flow0', { pourId: 'p1', ticks: 50 });

interface Row {
  readonly what: string;
  readonly arrange: readonly ((server: TestServer) => void)[];
  readonly state: TapState;
  /** What guests are told, where it differs; a flow is told apart from the state at rest. */
  readonly resting?: TapState;
  readonly guests?: TapState;
}

const disconnectMeter = ({ engine, left }: TestServer) => void engine.taps.connectMeter(left.id, null);
const endKeg = ({ engine, keg }: TestServer) => void engine.kegs.end(keg.id, now);

const rows: readonly Row[] = [
  { what: 'a keg and a meter', arrange: [], state: 'serving' },
  { what: 'a running pour', arrange: [pour], state: 'pouring', resting: 'serving' },
  { what: 'no keg', arrange: [endKeg], state: 'empty' },
  { what: 'no keg and no meter', arrange: [endKeg, disconnectMeter], state: 'empty' },
  { what: 'no meter', arrange: [disconnectMeter], state: 'no_meter' },
  { what: 'a held pour', arrange: [hold], state: 'held', guests: 'serving' },
  {
    what: 'a held pour and a running one',
    arrange: [hold, pour],
    state: 'pouring',
    resting: 'held',
    guests: 'serving',
  },
  { what: 'a cleaning', arrange: [clean], state: 'cleaning' },
  { what: 'a cleaning in which something flows', arrange: [clean, pour], state: 'cleaning' },
  { what: 'a cleaning without a keg', arrange: [endKeg, clean], state: 'cleaning' },
  { what: 'a cleaning that ended by itself', arrange: [forget], state: 'blocked' },
  { what: 'a cleaning that ended by itself, and a flow', arrange: [forget, pour], state: 'blocked' },
  { what: 'a cleaning whose check failed', arrange: [fail], state: 'blocked' },
  { what: 'a cleaning after one that failed', arrange: [fail, clean], state: 'cleaning' },
];

function openServer(arrange: Row['arrange']): TestServer {
  const server = createTestServer();
  const { engine, keg } = server;
  const [size] = engine.kegs.prices.servingSizes();
  engine.kegs.prices.setOfBeverage(keg.beverageId, [{ sizeId: size!.id, priceMinor: 432 }], context);
  for (const step of arrange) step(server);
  return server;
}

function live({ engine, bus, scheduler, runningPours }: TestServer) {
  const services = createTestServices({
    bus,
    scheduler,
    clock: { now: () => now, setManually() {} },
    counting: { runningPours: () => runningPours, meterStatuses: () => [], endPour() {} },
  });
  return snapshotMessage({ engine, services });
}

test.each(rows)(
  'with $what every view tells the same state',
  async ({ arrange, state, resting = state, guests = resting }) => {
    const server = openServer(arrange);
    const { app, engine, staffKey } = server;
    const isClosed = state === 'cleaning' || state === 'blocked';
    const hasKeg = engine.taps.find(1)!.keg !== null;
    const offers = hasKeg && !isClosed;

    const snapshot = live(server);
    expect(snapshot.taps[0]).toMatchObject({ state: resting, pouring: arrange.includes(pour) ? {} : null });
    expect(snapshotForGuests(snapshot).taps[0]!.state).toBe(guests);
    expect(snapshot.taps[0]!.prices.length > 0).toBe(offers);
    expect(snapshot.taps[0]!.price !== null).toBe(offers);

    for (const [key, expected] of [
      [staffKey, resting],
      [null, guests],
    ] as const) {
      for (const path of ['/api/taps/1', '/api/taps']) {
        const reply = await request(app)
          .get(path)
          .set(key === null ? {} : { 'X-Kegbot-Api-Key': key })
          .expect(200);
        const item = reply.body.result.taps?.[0] ?? reply.body.result;
        expect(item.state).toBe(expected);
        expect(item.prices.length > 0).toBe(offers);
        expect(item.price !== null).toBe(offers);
      }
    }

    for (const { checkTapState } of extensionCases)
      checkTapState?.(server, { state, beer, price: '4.32', hasKeg });

    // Its forms have no field for the state: the keg's description says it.
    for (const path of [
      '/status',
      '/taps',
      '/taps/1',
      '/status?format=kegbot',
      '/taps?format=kegbot',
      '/taps/1?format=kegbot',
    ]) {
      const { text } = await request(app).get(`/api/v1${path}`).set('X-Kegbot-Api-Key', staffKey).expect(200);
      expect([path, text.includes('do not drink')]).toEqual([path, isClosed && hasKeg]);
    }
  },
);

test('a failed check closes the tap until a later cleaning or a correction of its entry', () => {
  const corrected = openServer([fail]);
  const { cleanings } = corrected.engine.serviceOf(cleaning);
  const [entry] = corrected.store.tablesOf(cleaningStore).cleaningEntries.of(1);
  cleanings.correctEntry(1, { entryId: entry!.id, result: 'passed' }, context);
  expect(corrected.engine.taps.find(1)).toMatchObject({ state: 'serving' });

  const repeated = openServer([fail]);
  const later = { ...context, now: { ...now, monoMs: now.monoMs + 60_000, wallMs: now.wallMs + 60_000 } };
  repeated.engine.serviceOf(cleaning).cleanings.finish(clean(repeated, later), { result: 'passed' }, later);
  expect(repeated.engine.taps.find(1)).toMatchObject({ state: 'serving' });
});

test('a cleaning that ended by itself opens the tap when staff dismiss it', () => {
  const server = openServer([forget]);
  server.engine.serviceOf(cleaning).cleanings.cancel(1, context);
  expect(server.engine.taps.find(1)).toMatchObject({ state: 'serving' });
});
