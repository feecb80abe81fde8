import { join } from 'node:path';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { toActor } from '../../../src/engine/engine.ts';
import { createApp } from '../../../src/http/app.ts';
import { openStore } from '../../../src/store/store.ts';
import { listen, manualScheduler } from '../../http/live/streams.ts';
import { createTestServices } from '../../http/test-services.ts';
import { allExtensions } from '../../kit/extensions.ts';
import { browserCases } from '../kit/browser-cases.ts';
import { longNames } from '../kit/fit.ts';
import { addPastDays, addPeople, addStock, type Language } from './sample-data.ts';
import { sampleHealth, sampleMachine, sampleMeters, sampleWiring } from './sample-hardware.ts';

/** Saturday 2 May 2026, 17:00 UTC: the clock of the bar and of its pages. */
export const openingMs = Date.UTC(2026, 4, 2, 17);

const minute = 60_000;

/** What the bar shall contain. */
export interface SampleBarOptions {
  readonly taps: number;
  /** Whether everything has the longest names. */
  readonly isLong?: boolean;
  /** Language of names and descriptions; German by default. */
  readonly language?: Language;
  /** Units of its volumes; metric by default. */
  readonly units?: 'metric' | 'us' | 'uk';
  /** Whether there are beers, kegs, people and drinks; by default when there are taps. */
  readonly hasHistory?: boolean;
}

/** A bar whose data and clock are always the same, served in this process. */
export interface SampleBar {
  readonly url: string;
  /** A login's cookie for `context.addCookies`. */
  login(username: string): { readonly name: string; readonly value: string; readonly url: string };
  close(): Promise<void>;
}

/** Starts the bar. Anna may do everything, Bert and Carla are members. */
export async function startSampleBar({
  taps,
  isLong = false,
  language = 'de',
  units = 'metric',
  hasHistory = taps > 0,
}: SampleBarOptions): Promise<SampleBar> {
  const store = openStore({ file: ':memory:', extensions: allExtensions.all });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  let count = 0;
  const settings = { maxFlowMlPerS: 200, hasAllFeatures: true };
  const engine = createEngine(
    { store, bus, ids: { next: () => `id-${++count}` }, settings },
    allExtensions.engine,
  );
  const at = (agoMs: number): Moment => ({
    monoMs: 1_000 * 60 * minute - agoMs,
    wallMs: openingMs - agoMs,
    synced: true,
    bootId: 'boot-1',
  });
  const numbers = Array.from({ length: taps }, (_, index) => index);
  engine.taps.hardware.provision({
    controller: { name: 'pi', modelName: 'Raspberry Pi' },
    meters: numbers.map((index) => ({ portName: `flow${index}`, ticksPerMl: index % 4 === 3 ? null : 5 })),
    toggles: taps > 0 ? [{ portName: 'relay0' }] : [],
    taps: numbers.map((index) => ({
      name: isLong
        ? `${longNames.tap} ${index + 1}`
        : `${language === 'de' ? 'Zapfhahn' : 'Tap'} ${index + 1}`,
      meterPort: `flow${index}`,
      ...(index === 0 && { togglePort: 'relay0', thermoSensor: '28-0000000000a1' }),
    })),
  });
  addPeople(engine, at);
  const anna = toActor(engine.users.user('anna')!, 'page');
  engine.site.change(
    {
      title: isLong ? longNames.bar : language === 'de' ? 'Zum Goldenen Hirschen' : 'The Golden Stag',
      timeZone: 'Europe/Berlin',
      volumeUnits: units,
      temperatureUnits: 'c',
    },
    anna,
    at(30 * 24 * 60 * minute),
  );
  engine.users.changeSite({ isSetUp: true });
  if (hasHistory) {
    addStock(engine, { at, isLong, anna, language });
    addPastDays(engine, at);
    for (const { addSamples } of browserCases) addSamples?.({ engine, store, now: at(0) });
  }

  const clock = { now: () => at(0), setManually() {} };
  const machine = sampleMachine(taps);
  const app = createApp({
    engine,
    services: createTestServices({
      bus,
      clock,
      scheduler: manualScheduler(),
      health: { report: () => sampleHealth },
      counting: { runningPours: () => new Map(), meterStatuses: () => sampleMeters(taps), endPour() {} },
      wiring: sampleWiring(taps, openingMs),
      machineHardware: { ...createTestServices({ clock }).machineHardware, snapshot: () => machine },
    }),
    extensions: allExtensions.http,
    webDirectory: join(import.meta.dirname, '../../../dist/web'),
    settings: { trustProxy: false, rateLimits: false, hosts: [] },
    phoneAddress: () => 'http://192.168.1.20:8080/',
  });
  const http = await listen(app);
  return {
    url: http.url,
    login: (username) => ({
      name: 'sessionid',
      value: engine.users.logins.open(username, 'password', at(0)).token,
      url: http.url,
    }),
    async close() {
      const closed = new Promise((done) => http.server.close(done));
      http.server.closeAllConnections();
      await closed;
      store.close();
    },
  };
}
