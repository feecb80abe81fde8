import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { LoginDelay } from '../../../src/http/server/login-delay.ts';

/** A login delay on a clock that the test drives: `settle` fires timers in order until nothing waits any more. */
function createTestDelay() {
  let now = 0;
  const timers: { readonly dueMs: number; readonly run: () => void }[] = [];
  const after = (ms: number, run: () => void) => {
    timers.push({ dueMs: now + ms, run });
    return () => {};
  };
  const loginDelay = new LoginDelay({ after, every: () => () => {} }, () => now);
  const flush = () => new Promise((resolve) => setImmediate(resolve));
  const settle = async (untilMs = Number.POSITIVE_INFINITY) => {
    for (await flush(); timers.length > 0; await flush()) {
      timers.sort((one, other) => one.dueMs - other.dueMs);
      if (timers[0]!.dueMs > untilMs) break;
      const { dueMs, run } = timers.shift()!;
      now = dueMs;
      run();
    }
  };
  /** The time of the check of each password, in order. */
  const checked: { readonly password: string; readonly ms: number }[] = [];
  const attempt = (password: string, { name = 'anna', address = '10.0.0.1' } = {}) =>
    loginDelay.run(name, address, () => {
      checked.push({ password, ms: now });
      return Promise.resolve(password === 'right' ? password : null);
    });
  const attemptInTurn = async (times: number, options = {}) => {
    for (let i = 0; i < times; i++) {
      const answer = attempt('wrong', options);
      await settle();
      await answer;
    }
  };
  return {
    after,
    attempt,
    attemptInTurn,
    checked,
    settle,
    now: () => now,
    advance: (ms: number) => (now += ms),
  };
}

/** Differences between consecutive numbers. */
const toSteps = (times: readonly { readonly ms: number }[]) =>
  times.slice(1).map(({ ms }, i) => ms - times[i]!.ms);

const addressOf = (i: number) => `10.0.${i}.1`;

test('five wrong passwords are not delayed, further ones with doubling delays up to 8 s', async () => {
  const { checked, attemptInTurn } = createTestDelay();
  await attemptInTurn(12);
  expect(toSteps(checked)).toEqual([0, 0, 0, 0, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
});

test('a correct password or 15 minutes reset the delay, and other names are not delayed', async () => {
  const { attempt, attemptInTurn, settle, advance, now } = createTestDelay();
  await attemptInTurn(5);
  await attemptInTurn(5, { name: 'bert' });
  expect(await attempt('right', { name: 'carl' })).toBe('right');
  expect(now()).toBe(0);
  const right = attempt('right', { name: ' ANNA ' });
  await settle();
  expect(await right).toBe('right');
  expect(now()).toBe(500);
  await attemptInTurn(5);
  advance(900_001);
  const before = now();
  await attemptInTurn(5, { name: 'bert' });
  expect(now()).toBe(before);
});

test('30 guesses of 30 addresses at once take as long as 30 in turn', async () => {
  const inTurn = createTestDelay();
  await inTurn.attemptInTurn(30);
  const atOnce = createTestDelay();
  let refused = 0;
  const guess = async (i: number): Promise<void> => {
    try {
      await atOnce.attempt(`guess ${i}`, { name: i % 2 ? 'anna' : 'ＡＮＮＡ', address: addressOf(i) });
    } catch (fault) {
      const { code, retryAfterS } = fault as AppError;
      expect(code).toBe('too_many');
      refused += 1;
      await new Promise<void>((resolve) => atOnce.after(retryAfterS! * 1_000, resolve));
      await guess(i);
    }
  };
  const guesses = Promise.all(Array.from({ length: 30 }, (_, i) => guess(i)));
  await atOnce.settle();
  await guesses;
  expect(new Set(atOnce.checked.map(({ password }) => password)).size).toBe(30);
  expect(refused).toBeGreaterThanOrEqual(23);
  expect(inTurn.now()).toBe(175_500);
  expect(atOnce.now()).toBeGreaterThanOrEqual(inTurn.now());
  // Neither is there a moment at which the parallel guesses are ahead.
  const counts = (times: readonly { readonly ms: number }[], ms: number) =>
    times.filter((one) => one.ms <= ms).length;
  for (let ms = 0; ms < 200_000; ms += 500)
    expect(counts(atOnce.checked, ms)).toBeLessThanOrEqual(counts(inTurn.checked, ms));
});

test('one address has at most two passwords waiting, the queue six', async () => {
  const { attempt, settle } = createTestDelay();
  const outcomes: string[] = [];
  const start = (address: string) =>
    attempt('wrong', { address }).then(
      () => outcomes.push('checked'),
      (fault) => outcomes.push((fault as AppError).code),
    );
  for (let i = 0; i < 4; i++) start('10.0.0.1');
  for (let i = 1; i <= 6; i++) start(addressOf(i));
  await settle();
  expect(outcomes.filter((one) => one === 'too_many')).toHaveLength(3);
  expect(outcomes.filter((one) => one === 'checked')).toHaveLength(7);
});

test('during an attack the owner logs in within 16 s from an address of an earlier login', async () => {
  const { attempt, attemptInTurn, settle, now } = createTestDelay();
  await attempt('right', { address: '192.168.1.20' });
  await attemptInTurn(20);
  const attack = Array.from({ length: 40 }, (_, i) =>
    attempt('wrong', { address: addressOf(i) }).catch(() => null),
  );
  const startMs = now();
  let answeredMs: number | null = null;
  const owner = attempt('right', { address: '192.168.1.20' }).then((answer) => {
    answeredMs = now();
    return answer;
  });
  await settle();
  expect(await owner).toBe('right');
  expect(answeredMs! - startMs).toBeLessThanOrEqual(16_000);
  await Promise.all(attack);
});

test('an address without wrong passwords comes before those that guess, also into a full queue', async () => {
  const { attempt, attemptInTurn, settle, now } = createTestDelay();
  for (let i = 1; i <= 8; i++) await attemptInTurn(2, { address: addressOf(i) });
  const attack = Array.from({ length: 8 }, (_, i) =>
    attempt('wrong', { address: addressOf(i + 1) }).catch((fault: AppError) => fault.code),
  );
  const startMs = now();
  const owner = attempt('right', { address: '192.168.1.20' }).then(() => now() - startMs);
  await settle();
  expect(await owner).toBeLessThanOrEqual(16_000);
  expect((await Promise.all(attack)).filter((code) => code === 'too_many')).toHaveLength(2);
});

test('a check that fails lets the next password be checked', async () => {
  const scheduler = { after: () => () => {}, every: () => () => {} };
  const loginDelay = new LoginDelay(scheduler, () => 0);
  const failing = loginDelay.run('anna', '10.0.0.1', () =>
    Promise.reject(new AppError('unavailable', 'busy')),
  );
  const next = loginDelay.run('anna', '10.0.0.1', () => Promise.resolve('anna'));
  await expect(failing).rejects.toThrow('busy');
  expect(await next).toBe('anna');
});
