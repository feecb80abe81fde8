import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../src/core/app-error.ts';
import type { Moment } from '../../src/core/clock/moment.ts';
import { createEventBus } from '../../src/core/event-bus.ts';
import type { PartHealth } from '../../src/core/health/own-health.ts';
import { omitUndefined } from '../../src/core/omit-undefined.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import { toActor } from '../../src/engine/engine.ts';
import { makeDummyHash } from '../../src/engine/users/secrets.ts';
import { type AppOptions, createApp } from '../../src/http/app.ts';
import type { LatestTemperature, MeterStatus, RunningPour } from '../../src/http/ports.ts';
import type { HttpServices } from '../../src/http/services.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { allExtensions, type SwitchedOn } from '../kit/extensions.ts';
import { manualScheduler } from './live/streams.ts';
import { createTestServices } from './test-services.ts';

/** Saturday 2 May 2026, 17:00:00 UTC. */
export const openingMs = Date.UTC(2026, 4, 2, 17);

const minute = 60_000;

/** Changes of the app's options and services. */
export interface TestServerOptions extends Partial<Omit<AppOptions, 'services'>> {
  /** File of the database; in memory unless given. */
  readonly database?: string;
  /** An open store in place of a new one. */
  readonly store?: Store;
  /** Free bytes of the database's disk. */
  readonly readFreeBytes?: () => number;
  readonly services?: Partial<HttpServices>;
  /** The extensions that are on; all unless given. */
  readonly switchedOn?: SwitchedOn;
}

/**
 * Creates the HTTP app with an in-memory database. `pi.flow0` has 2 ticks per mL and a full 30 L keg of Helles;
 * `pi.flow1` has 5 ticks per mL and no keg; `pi.flow2` has no tap; the third tap has no meter. Anna is staff, Bert is
 * not.
 */
export function createTestServer({
  services,
  database = ':memory:',
  readFreeBytes,
  store: openedStore,
  switchedOn = allExtensions,
  ...options
}: TestServerOptions = {}) {
  const store =
    openedStore ??
    openStore({ file: database, extensions: switchedOn.all, ...omitUndefined({ readFreeBytes }) });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  let count = 0;
  const engine = createEngine(
    {
      store,
      bus,
      ids: { next: () => `id-${++count}` },
      settings: { maxFlowMlPerS: 200, hasAllFeatures: true, passwordLogN: 4 },
    },
    switchedOn.engine,
  );
  let now: Moment = { monoMs: 60 * minute, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  const clock = {
    now: () => now,
    setManually(wallMs: number) {
      if (wallMs < Date.UTC(2026, 0, 1)) throw new AppError('invalid_request', 'The time cannot be.');
      now = { ...now, wallMs, synced: true };
    },
  };
  engine.taps.hardware.provision({
    controller: { name: 'pi', modelName: 'Raspberry Pi' },
    meters: [
      { portName: 'flow0', ticksPerMl: 2 },
      { portName: 'flow1', ticksPerMl: 5 },
      { portName: 'flow2', ticksPerMl: null },
    ],
    toggles: [{ portName: 'relay0' }],
    taps: [
      { name: 'Left', meterPort: 'flow0', togglePort: 'relay0', thermoSensor: '28-0000000000a1' },
      { name: 'Right', meterPort: 'flow1' },
      { name: 'Attic' },
    ],
  });
  const [left, right, attic] = engine.taps.list().map(({ tap }) => tap);
  const keg = engine.kegs.start(
    left!.id,
    {
      beverage: { name: 'Haus Helles', producerName: 'Hausbrauerei', styleName: 'Helles', abvPercent: 4.9 },
      sizeKey: 'euro-30-liter',
    },
    now,
  );
  // It was entered now, but has been on the tap for a month: tests report pours of the last days.
  for (const span of store.taps.kegSpans.ofKeg(keg.id)) {
    const started = { wallMs: now.wallMs - 30 * 86_400_000, bootId: '', monoMs: 0 };
    store.taps.kegSpans.set({ ...span, started });
  }
  const createKey = (username: string, isStaff: boolean) => {
    engine.users.addUser({ username, isStaff }, now);
    return engine.users.createKey(username, 'test', now).secret;
  };

  const enrol = (name: string) =>
    engine.users.tablets.enrol(name, toActor(engine.users.user('anna')!, 'page'), now);

  const faults: object[] = [];
  const pulses: object[] = [];
  const runningPours = new Map<string, RunningPour>();
  const meterStatuses: MeterStatus[] = [];
  const latestTemperatures = new Map<string, LatestTemperature>();
  const parts: PartHealth[] = [{ name: 'counting', problems: [], vital: true }];
  const scheduler = manualScheduler();
  const webDirectory = mkdtempSync(join(tmpdir(), 'tapster-page-'));
  const app = createApp({
    engine,
    services: createTestServices({
      bus,
      clock,
      scheduler,
      log: { info() {}, warn() {}, error: (details) => faults.push(details) },
      health: { report: () => ({ parts }) },
      counting: { runningPours: () => runningPours, meterStatuses: () => meterStatuses, endPour() {} },
      thermo: { latestTemperatures: () => latestTemperatures },
      ...services,
    }),
    webDirectory,
    extensions: switchedOn.http,
    settings: { trustProxy: false, rateLimits: false, holdsRefusedBodies: false, hosts: [] },
    checkReplies: true,
    ...options,
  });
  return {
    app,
    engine,
    store,
    bus,
    scheduler,
    webDirectory,
    runningPours,
    meterStatuses,
    latestTemperatures,
    parts,
    keg,
    left: left!,
    right: right!,
    attic: attic!,
    staffKey: createKey('anna', true),
    guestKey: createKey('bert', false),
    /** Creates a login and returns its cookie. */
    createLoginCookie(username: string, isSecure = false) {
      const { token } = engine.users.logins.open(username, 'password', now, '', isSecure);
      return `${isSecure ? '__Host-' : ''}sessionid=${token}`;
    },
    /** Creates a login whose password was confirmed and returns its cookie. */
    createConfirmedCookie(username: string, isSecure = false) {
      const { loginId, token } = engine.users.logins.open(username, 'password', now, '', isSecure);
      engine.users.logins.confirmPassword(loginId, now);
      return `${isSecure ? '__Host-' : ''}sessionid=${token}`;
    },
    /** Creates a shared tablet and returns its cookie. */
    createTabletCookie: (name: string) => `tabletid=${enrol(name).token}`,
    /** Creates a shared tablet with a PIN unlock and returns its headers. */
    createUnlockedTablet(name: string, username: string) {
      const { token, tablet } = enrol(name);
      const user = engine.users.user(username)!;
      store.users.pins.set(user.id, makeDummyHash(4));
      return {
        Cookie: `tabletid=${token}`,
        'X-Tapster-Pin-Unlock': engine.users.tablets.startPinUnlock(tablet.id, user, now).token,
      };
    },
    /** Errors written to the log. */
    faults,
    pulses,
    now: () => now,
    /** Changes the time or the state of the clock. */
    setClock(changes: Partial<Moment>) {
      now = { ...now, ...changes };
    },
  };
}

export type TestServer = ReturnType<typeof createTestServer>;
