import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { loadAllTexts } from '../../../src/web/locales/locale.ts';

beforeAll(() => loadAllTexts());

const baseUrl = 'http://pi.local/';
vi.stubGlobal('document', { baseURI: baseUrl, documentElement: {} });
vi.stubGlobal('location', new URL(baseUrl));
const { request } = await import('../../../src/web/api/client.ts');
const { cancelPin, endPinUnlock, isPinRequested, startPinUnlock } = await import(
  '../../../src/web/app/pin-unlock.ts'
);

/** PIN unlock token of each request. */
let sentTokens: (string | undefined)[] = [];
/** Lets the first response, a 401, arrive. */
let releaseFirstReply = () => {};

beforeEach(() => {
  endPinUnlock();
  sentTokens = [];
  const firstReplyReleased = new Promise<void>((resolve) => {
    releaseFirstReply = resolve;
  });
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Record<string, string> }) => {
    sentTokens.push(headers['X-Tapster-Pin-Unlock']);
    if (sentTokens.length > 1) return Response.json({ result: {} });
    await firstReplyReleased;
    return Response.json(
      { error: { message: 'Type your PIN.', fields: { pin: 'is needed' } } },
      { status: 401 },
    );
  });
});

const unlockAs = (displayName: string, token: string) =>
  startPinUnlock({ token, displayName, wrongBefore: 0 }, 60);

test('repeats a request with the new PIN unlock of the same person', async () => {
  unlockAs('Anna', 'old');
  const spilled = request('DELETE /drinks/{id}', { path: { id: 1 } });
  unlockAs('Anna', 'new');
  releaseFirstReply();
  expect(await spilled).toEqual({ ok: true, result: {} });
  expect(sentTokens).toEqual(['old', 'new']);
});

test('does not repeat a request with the PIN unlock of another person', async () => {
  unlockAs('Anna', 'old');
  const spilled = request('DELETE /drinks/{id}', { path: { id: 1 } });
  unlockAs('Bert', 'his');
  releaseFirstReply();
  expect(await spilled).toMatchObject({ ok: false, status: 401 });
  expect(sentTokens).toEqual(['old']);
});

test('does not ask for a PIN with the option never', async () => {
  const read = request('GET /taps', {}, { login: 'never' });
  releaseFirstReply();
  expect(await read).toMatchObject({ ok: false, status: 401 });
  expect(isPinRequested.value).toBe(false);
});

test('asks for a PIN and sends the request again when it was accepted', async () => {
  const read = request('GET /taps');
  releaseFirstReply();
  await vi.waitUntil(() => isPinRequested.value);
  unlockAs('Anna', 'new');
  expect(await read).toEqual({ ok: true, result: {} });
  expect(sentTokens).toEqual([undefined, 'new']);
});

test('returns the error when the PIN dialog is cancelled', async () => {
  const read = request('GET /taps');
  releaseFirstReply();
  await vi.waitUntil(() => isPinRequested.value);
  cancelPin();
  expect(await read).toMatchObject({ ok: false, status: 401 });
  expect(sentTokens).toEqual([undefined]);
});
