import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const baseUrl = 'http://pi.local/';
vi.stubGlobal('document', { baseURI: baseUrl, documentElement: {} });
vi.stubGlobal('location', new URL(baseUrl));
const { request } = await import('../../../src/web/api/client.ts');
const { setConnectionLost } = await import('../../../src/web/app/connection.ts');
const { loadAllTexts } = await import('../../../src/web/locales/locale.ts');
await loadAllTexts();

beforeEach(() => {
  vi.useFakeTimers();
  // The network swallows every request.
  vi.stubGlobal(
    'fetch',
    (_address: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
});
afterEach(() => {
  setConnectionLost(false);
  vi.useRealTimers();
});

const endKeg = () => request('POST /taps/{ref}/end-keg', { path: { ref: '1' } });
const noAnswer = { ok: false, status: 0, fields: {}, sentence: expect.stringMatching(/^No connection/) };

test('a change without a connection is answered after 1.5 s', async () => {
  setConnectionLost(true);
  const ended = endKeg();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await ended).toEqual(noAnswer);
});

test('a change that is under way when the connection is lost is answered 1.5 s later', async () => {
  const ended = endKeg();
  await vi.advanceTimersByTimeAsync(3_000);
  setConnectionLost(true);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await ended).toEqual(noAnswer);
});

test('a change with a connection waits for 10 s', async () => {
  let isAnswered = false;
  const ended = endKeg().finally(() => {
    isAnswered = true;
  });
  await vi.advanceTimersByTimeAsync(9_999);
  expect(isAnswered).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await ended).toEqual(noAnswer);
});
