import { expect, test } from 'vitest';
import { LoginDelay } from '../../../src/http/server/login-delay.ts';

/** A delay whose timers fire at once and are recorded. */
function createTestDelay() {
  const delays: number[] = [];
  let now = 0;
  const scheduler = {
    after(ms: number, run: () => void) {
      delays.push(ms);
      run();
      return () => {};
    },
    every: () => () => {},
  };
  const loginDelay = new LoginDelay(scheduler, () => now);
  const attempt = async (times: number, name = 'anna') => {
    for (let i = 0; i < times; i++) await loginDelay.next(name);
  };
  return { loginDelay, delays, attempt, advance: (ms: number) => (now += ms) };
}

test('five wrong passwords are not delayed, further ones with doubling delays up to 8 s', async () => {
  const { delays, attempt } = createTestDelay();
  await attempt(5);
  expect(delays).toEqual([]);
  await attempt(7);
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
});

test('a correct password or 15 minutes reset the delay, and other names are not delayed', async () => {
  const { loginDelay, delays, attempt, advance } = createTestDelay();
  await attempt(5);
  await attempt(5, 'bert');
  loginDelay.reset(' ANNA ');
  await attempt(5);
  advance(900_001);
  await attempt(5, 'bert');
  expect(delays).toEqual([]);
});
