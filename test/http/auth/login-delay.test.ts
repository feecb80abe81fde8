import { expect, test } from 'vitest';
import { LoginDelay } from '../../../src/http/auth/login-delay.ts';

/** A pace whose delays are written down and pass at once. */
function openPace() {
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
  const pace = new LoginDelay(scheduler, () => now);
  const tryTimes = async (times: number, name = 'anna') => {
    for (let i = 0; i < times; i++) await pace.next(name);
  };
  return { pace, delays, tryTimes, wait: (ms: number) => (now += ms) };
}

test('five wrong passwords cost nothing, the next ones cost ever more, and nobody waits for ever', async () => {
  const { delays, tryTimes } = openPace();
  await tryTimes(5);
  expect(delays).toEqual([]);
  await tryTimes(7);
  expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
});

test('the right password, or a quarter of an hour, makes up for them; another name was never slowed', async () => {
  const { pace, delays, tryTimes, wait } = openPace();
  await tryTimes(5);
  await tryTimes(5, 'bert');
  pace.reset(' ANNA ');
  await tryTimes(5);
  wait(900_001);
  await tryTimes(5, 'bert');
  expect(delays).toEqual([]);
});
