import { setMaxListeners } from 'node:events';
import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createStaffKey, type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import { type FaultBar, fourTaps, makeFaultBar } from './fault-bar.ts';
import { recordMeasurement } from './measurements.ts';

let bar: FaultBar | undefined;
let daemon: RunningDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  daemon = undefined;
  bar?.remove();
});

/** Tries a password from a local address; resolves to the status of the answer, and is rejected once `signal` is aborted. */
const logIn = (localAddress: string, password: string, signal?: AbortSignal): Promise<number> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ username: 'boss', password });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sending = request(new URL('/api/auth/login', daemon!.url), {
      method: 'POST',
      localAddress,
      headers,
      ...(signal && { signal }),
    });
    sending.on('response', (response) => {
      response
        .resume()
        .on('error', reject)
        .on('end', () => resolve(response.statusCode!));
    });
    sending.on('error', reject);
    sending.end(body);
  });

test.for([
  [8, 32],
  [60, 120],
] as const)(
  'while %s addresses guess, the owner logs in within 15 s, and again',
  async ([addresses, guessers], context) => {
    bar = makeFaultBar({ ...fourTaps, http: { host: '127.0.0.1', port: 0 } });
    daemon = await startDaemon(bar);
    await createStaffKey(bar, 'boss', 'superuser');
    const attack = new AbortController();
    setMaxListeners(0, attack.signal);
    let guesses = 0;
    const guess = async (address: string): Promise<void> => {
      while (!attack.signal.aborted) {
        const status = await logIn(address, `wrong ${guesses}`, attack.signal);
        if (status === 400) guesses += 1;
        else await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const attackers = Array.from({ length: guessers }, (_, i) => guess(`127.0.1.${(i % addresses) + 1}`));
    // Most are rejected when the attack ends: their answers would wait for up to 45 s.
    const attackersEnd = Promise.allSettled(attackers);
    const waits: number[] = [];
    const beginMs = performance.now();
    for (const address of ['127.0.0.30', '127.0.0.31', '127.0.0.32']) {
      const start = performance.now();
      expect(await logIn(address, 'a good long password'), address).toBe(200);
      waits.push((performance.now() - start) / 1_000);
    }
    const [checked, seconds] = [guesses, (performance.now() - beginMs) / 1_000];
    // None has failed before.
    attack.abort();
    for (const end of await attackersEnd)
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ name: 'AbortError' });
    const longest = Math.max(...waits);
    recordMeasurement(context, {
      what: `Log-in of the owner while ${addresses} addresses guess (${checked} guesses in ${seconds.toFixed(0)} s)`,
      found: `${longest.toFixed(1)} s`,
      allowed: '15 s',
    });
    expect(longest).toBeLessThanOrEqual(15);
    // Nine until the longest delay, then one in 8 s.
    expect(checked).toBeLessThanOrEqual(10 + seconds / 8);
  },
);
