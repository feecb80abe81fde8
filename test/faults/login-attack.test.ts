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

/** Tries a password from a local address; resolves to the status of the answer. */
const logIn = (localAddress: string, password: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const body = JSON.stringify({ username: 'boss', password });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sending = request(new URL('/api/auth/login', daemon!.url), {
      method: 'POST',
      localAddress,
      headers,
    });
    sending.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode!));
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
    let isOver = false;
    let guesses = 0;
    const guess = async (address: string): Promise<void> => {
      while (!isOver) {
        const status = await logIn(address, `wrong ${guesses}`);
        if (status === 400) guesses += 1;
        else await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    const attack = Array.from({ length: guessers }, (_, i) => guess(`127.0.1.${(i % addresses) + 1}`));
    const waits: number[] = [];
    const beginMs = performance.now();
    for (const address of ['127.0.0.30', '127.0.0.31', '127.0.0.32']) {
      const start = performance.now();
      expect(await logIn(address, 'a good long password'), address).toBe(200);
      waits.push((performance.now() - start) / 1_000);
    }
    const [checked, seconds] = [guesses, (performance.now() - beginMs) / 1_000];
    isOver = true;
    await Promise.all(attack);
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
