import { scryptSync } from 'node:crypto';
import type { HashedPassword } from '../../src/engine/users/secrets.ts';
import { type BarFolder, makeBar } from '../kit/daemon.ts';
import { withDatabase } from '../kit/token-bar.ts';

/** Idle time that ends a pour. */
export const idleMs = 300;

/** Four simulated taps with 5 ticks per millilitre and kegs, without rate limits. */
export const fourTaps = {
  gpio: { driver: 'simulated' },
  http: { host: '127.0.0.1', port: 0, rate_limits: false },
  meters: [0, 1, 2, 3].map((n) => ({ port: `flow${n}`, pin: 17 + n, ticks_per_ml: 5 })),
  taps: [0, 1, 2, 3].map((n) => ({ name: `Tap ${n}`, meter: `flow${n}` })),
  pour: { min_ml: 0, idle_ms: idleMs },
  demo: { kegs: true },
};

/** The full meter names of `fourTaps`. */
export const fourMeters = fourTaps.meters.map(({ port }) => `pi.${port}`);

/** A bar's folder and a staff API key. */
export interface FaultBar extends BarFolder {
  readonly key: string;
  /** Of its staff. */
  readonly password: string;
}

const password = 'a good long password';

/** As `hashPassword` of the engine makes it, at once. */
const hashed = [
  'scrypt',
  15,
  8,
  1,
  Buffer.alloc(16).toString('base64'),
  scryptSync(password, Buffer.alloc(16), 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }).toString(
    'base64',
  ),
].join('$') as HashedPassword;

/** Creates the folder and a database with the staff user carl. */
export function makeFaultBar(config: object = fourTaps): FaultBar {
  const bar = makeBar(config);
  const key = withDatabase(bar.database, (engine) => {
    const now = { monoMs: 0, wallMs: Date.now(), synced: true, bootId: 'before' };
    engine.users.addUser({ username: 'carl', isStaff: true, password: hashed }, now);
    return engine.users.createKey('carl', 'faults', now).secret;
  });
  return { ...bar, key, password };
}

/** Sends a request with the staff key; rejects when the daemon does not reply. */
export async function request(
  url: string,
  { key }: FaultBar,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Record<string, never> }> {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, never> };
}

/** Generates pulses on a simulated meter; rejects when the daemon does not accept them. */
export async function pulse(url: string, meter: string, ticks: number, hz: number): Promise<void> {
  const { status } = await request(url, { key: '' } as FaultBar, '/api/simulator/pulses', {
    meter,
    ticks,
    hz,
  });
  if (status !== 202) throw new Error(`The simulator replied ${status}.`);
}
