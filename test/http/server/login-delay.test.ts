import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { LoginDelay } from '../../../src/http/server/login-delay.ts';

/** A login delay on a clock that the test drives: `settle` fires timers in order until nothing waits any more. */
function createTestDelay() {
  let now = 0;
  const timers: { readonly dueMs: number; readonly run: () => void }[] = [];
  const after = (ms: number, run: () => void) => {
    const timer = { dueMs: now + ms, run };
    timers.push(timer);
    return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1));
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
  expect(refused).toBeGreaterThanOrEqual(12);
  expect(inTurn.now()).toBe(175_500);
  expect(atOnce.now()).toBeGreaterThanOrEqual(inTurn.now());
  // Neither is there a moment at which the parallel guesses are ahead.
  const counts = (times: readonly { readonly ms: number }[], ms: number) =>
    times.filter((one) => one.ms <= ms).length;
  for (let ms = 0; ms < 200_000; ms += 500)
    expect(counts(atOnce.checked, ms)).toBeLessThanOrEqual(counts(inTurn.checked, ms));
});

test('one address has at most three passwords waiting, an IPv6 subscriber too, the queue sixteen', async () => {
  const { attempt, settle } = createTestDelay();
  const outcomes: string[] = [];
  const start = (address: string) =>
    attempt('wrong', { address }).then(
      () => outcomes.push('checked'),
      (fault) => outcomes.push((fault as AppError).code),
    );
  for (let i = 0; i < 5; i++) start('10.0.0.1');
  for (let i = 0; i < 5; i++) start(`2001:db8:0:1::${i}`);
  await settle(0);
  expect(outcomes.filter((one) => one === 'too_many')).toHaveLength(3);
  for (let i = 1; i <= 40; i++) start(addressOf(i));
  await settle();
  expect(outcomes.filter((one) => one === 'too_many').length).toBeGreaterThanOrEqual(3 + 40 - 16);
  expect(outcomes).toHaveLength(50);
});

test('a password that has waited for 45 s is refused, before a proxy gives up', async () => {
  const { attempt, attemptInTurn, settle, now } = createTestDelay();
  await attemptInTurn(20);
  const startMs = now();
  const waits = Array.from({ length: 16 }, (_, i) =>
    attempt('wrong', { address: addressOf(i) }).then(
      () => ({ code: 'checked', ms: now() - startMs }),
      (fault: AppError) => ({ code: fault.code, ms: now() - startMs }),
    ),
  );
  await settle();
  const answers = await Promise.all(waits);
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThanOrEqual(45_000);
  expect(answers.filter(({ code }) => code === 'checked')).toHaveLength(5);
});

test('during an attack the owner logs in within 9 s from an address of an earlier login', async () => {
  const { attempt, attemptInTurn, settle, now } = createTestDelay();
  await attempt('right', { address: '192.168.1.20' });
  await attemptInTurn(20);
  const attack = Array.from({ length: 40 }, (_, i) =>
    attempt('wrong', { address: addressOf(i) }).catch(() => null),
  );
  const startMs = now();
  const owner = attempt('right', { address: '192.168.1.20' }).then(() => now() - startMs);
  await settle();
  expect(await owner).toBeLessThanOrEqual(9_000);
  await Promise.all(attack);
});

test.each([
  [8, 4, 600_000],
  [60, 2, 20_000],
])(
  '%s addresses that guess without pause never keep the owner at a new address waiting for 15 s',
  async (addresses, most, latestMs) => {
    const moment = fc.oneof(fc.integer({ min: 0, max: 8_000 }), fc.integer({ min: 0, max: latestMs }));
    await fc.assert(
      fc.asyncProperty(
        moment,
        fc.integer({ min: 1, max: most }),
        fc.boolean(),
        async (ownerMs, each, isIpv6) => {
          const { after, attempt, settle, now } = createTestDelay();
          let isOver = false;
          const toAddress = (i: number) => (isIpv6 ? `2001:db8:0:${i}::${i}` : addressOf(i));
          const guess = async (address: string): Promise<void> => {
            while (!isOver) {
              const answer = await attempt('wrong', { address }).catch((fault: AppError) => fault);
              if (answer instanceof AppError) await new Promise<void>((resolve) => after(100, resolve));
            }
          };
          const attack = Array.from({ length: addresses * each }, (_, i) => guess(toAddress(i % addresses)));
          let waitedMs: number | null = null;
          after(ownerMs, () => {
            const startMs = now();
            attempt('right', { address: '192.168.1.20' }).then(
              () => (waitedMs = now() - startMs),
              () => (waitedMs = Number.POSITIVE_INFINITY),
            );
          });
          await settle(ownerMs + 16_000);
          expect(waitedMs).toBeLessThanOrEqual(15_000);
          isOver = true;
          await settle();
          await Promise.all(attack);
        },
      ),
      { numRuns: 10, endOnFailure: true },
    );
  },
);

test('458 guesses are checked in the first hour of an attack, 450 in each further one, whoever logs in meanwhile', async () => {
  const { after, attempt, checked, settle } = createTestDelay();
  const hourMs = 3_600_000;
  let isOver = false;
  const guess = async (i: number): Promise<void> => {
    for (let next = i; !isOver; next += 8) {
      const answer = await attempt(`guess ${next}`, { address: addressOf(i) }).catch(
        (fault: AppError) => fault,
      );
      if (answer instanceof AppError) await new Promise<void>((resolve) => after(1_000, resolve));
    }
  };
  const attack = Array.from({ length: 8 }, (_, i) => guess(i));
  // The owner logs in four times an hour at an address of her own.
  for (let ms = 0; ms < 2 * hourMs; ms += 900_000)
    after(ms + 60_000, () => void attempt('right', { address: '192.168.1.20' }).catch(() => {}));
  await settle(2 * hourMs);
  const guesses = checked.filter(({ password }) => password !== 'right').map(({ ms }) => ms);
  expect(guesses.filter((ms) => ms < hourMs).length).toBeLessThanOrEqual(458);
  expect(guesses.filter((ms) => ms >= hourMs && ms < 2 * hourMs).length).toBeLessThanOrEqual(450);
  isOver = true;
  await settle();
  await Promise.all(attack);
});

test('an address that has guessed yesterday comes after one that has not', async () => {
  const { attempt, attemptInTurn, settle, advance, checked } = createTestDelay();
  await attemptInTurn(1, { address: '10.0.0.1' });
  advance(23 * 3_600_000);
  await attemptInTurn(5, { address: '10.0.0.9' });
  const answers = [attempt('again', { address: '10.0.0.1' }), attempt('first', { address: '10.0.0.2' })];
  answers.push(attempt('latest', { address: '10.0.0.1' }));
  await settle();
  await Promise.all(answers);
  expect(checked.slice(6).map(({ password }) => password)).toEqual(['first', 'latest', 'again']);
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
