import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { createEventBus } from '../../src/core/event-bus.ts';
import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { extensions } from '../../src/extensions/all.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { at } from '../engine/bar.ts';

/** Anna's iButton: its 1-Wire name in the kernel, and its token value. */
export const annasButton = { name: '01-000000123456', token: '0500000012345601' };

/** One simulated tap with a valve and an iButton reader, 5 ticks/mL. */
export const tokenBar = {
  gpio: { driver: 'simulated' },
  http: { host: '127.0.0.1', port: 0 },
  meters: [{ port: 'flow0', pin: 17, ticks_per_ml: 5 }],
  toggles: [{ port: 'relay0', pin: 24 }],
  taps: [{ name: 'Left', meter: 'flow0', toggle: 'relay0' }],
  readers: [{ type: 'onewire', tap: 'Left' }] as object[],
  pour: { min_ml: 0, idle_ms: 1_000 },
  demo: { kegs: true },
};

/** Creates a folder for such a bar: Anna may pour, Carl has the staff key. */
export function makeTokenBar(overrides: object = {}) {
  const path = mkdtempSync(join(tmpdir(), 'tapster-token-'));
  const database = join(path, 'tapster.db');
  const w1 = join(path, 'w1');
  mkdirSync(w1);
  const configFile = join(path, 'tapster.json');
  writeFileSync(
    configFile,
    JSON.stringify({ database, onewire: { directory: w1 }, ...tokenBar, ...overrides }),
  );
  return {
    path,
    database,
    configFile,
    staffKey: addUsers(database),
    /** Attaches an iButton to the reader. */
    present: (name = annasButton.name) => mkdirSync(join(w1, name)),
    take: (name = annasButton.name) => rmSync(join(w1, name), { recursive: true }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function addUsers(database: string): string {
  return withDatabase(database, (engine) => {
    for (const username of ['anna', 'bert']) engine.users.addUser({ username }, at(0));
    engine.users.addUser({ username: 'carl', isStaff: true }, at(0));
    engine.access.tokens.create(
      { device: 'core.onewire', value: annasButton.token, username: 'anna' },
      at(0),
    );
    return engine.users.createKey('carl', 'test', at(0)).secret;
  });
}

/** Opens the database of a bar as another program would. */
export function withDatabase<T>(database: string, work: (engine: Engine, store: Store) => T): T {
  const store = openStore({ file: database, extensions });
  const engine = createEngine({
    store,
    bus: createEventBus((fault) => {
      throw fault;
    }),
    ids: { next: randomUUID },
    settings: { maxFlowMlPerS: 200 },
  });
  try {
    return work(engine, store);
  } finally {
    store.close();
  }
}

interface Responses {
  readonly valves: { flow_toggle: { id: number; name: string }; manual: boolean; grant_id: string | null }[];
  readonly grants: {
    user: string | null;
    open: boolean;
    ended_reason: string | null;
    volume_ml: number | null;
    taps: string[];
  }[];
  readonly drinks: { user_id: string | null; volume_ml: number; ticks: number; recovered?: boolean }[];
}

/** Creates a client of a running daemon with the staff key. */
export function createStaffClient(url: string, key: string) {
  const request = async (path: string, body?: object) => {
    const response = await fetch(`${url}/api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { result: never; error?: object } };
  };
  const get = async <K extends keyof Responses>(path: string, name: K): Promise<Responses[K]> =>
    ((await request(path)).body.result as Responses)[name];
  return {
    request,
    valves: () => get('admin/valves', 'valves'),
    grants: () => get('admin/grants', 'grants'),
    drinks: () => get('drinks', 'drinks'),
    async health() {
      const body = (await (await fetch(`${url}/healthz`)).json()) as { parts: Record<string, string> };
      return body.parts;
    },
    pulse: (ticks: number, hz = 500, meter = 'pi.flow0') => request('simulator/pulses', { meter, ticks, hz }),
  };
}

/** Polls until the value matches. */
export const eventually = <T>(poll: () => Promise<T>, matches: (seen: T) => boolean): Promise<T> =>
  vi.waitFor(
    async () => {
      const seen = await poll();
      expect(matches(seen), JSON.stringify(seen)).toBe(true);
      return seen;
    },
    { timeout: 20_000, interval: 50 },
  );
