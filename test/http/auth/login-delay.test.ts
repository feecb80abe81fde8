import { expect, test } from 'vitest';
import { LoginDelay } from '../../../src/http/auth/login-delay.ts';

/** A pace whose delays are written down and pass at once. */
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

test('five wrong passwords cost nothing, the next ones cost ever more, and nobody waits for ever', async () => {
  const { delays, attempt } = createTestDelay();
  await attempt(5);
  expect(delays).toEqual([]);
  await attempt(7);
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
});

test('the right password, or a quarter of an hour, makes up for them; another name was never slowed', async () => {
  const { loginDelay, delays, attempt, advance } = createTestDelay();
  await attempt(5);
  await attempt(5, 'bert');
  loginDelay.reset(' ANNA ');
  await attempt(5);
  advance(900_001);
  await attempt(5, 'bert');
  expect(delays).toEqual([]);
});
