import { beforeEach, expect, test, vi } from 'vitest';

const baseUrl = 'http://pi.local/';
vi.stubGlobal('document', { baseURI: baseUrl, documentElement: {} });
vi.stubGlobal('location', new URL(baseUrl));
const { request } = await import('../../../src/web/api/client.ts');
const { createChangeKeys, withChangeKeys } = await import('../../../src/web/api/change-keys.ts');
const { loadAllTexts } = await import('../../../src/web/locales/locale.ts');
await loadAllTexts();

/** Keys of the requests that were sent. */
let sentKeys: (string | undefined)[] = [];
/** Responses to them, in order; an error for a lost answer. */
let replies: (Response | Error)[] = [];

beforeEach(() => {
  sentKeys = [];
  replies = [];
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Record<string, string> }) => {
    sentKeys.push(headers['Idempotency-Key']);
    const reply = replies.shift() ?? Response.json({ result: {} });
    if (reply instanceof Error) throw reply;
    return reply;
  });
});

const lost = () => new TypeError('Failed to fetch');
const recordDrink = (volumeMl: number) =>
  request('POST /taps/{ref}/record-drink', { path: { ref: '1' }, body: { volume_ml: volumeMl } });

test('every change has its own key of 128 random bits, and a read has none', async () => {
  await recordDrink(300);
  await recordDrink(300);
  await request('GET /taps');
  const [first, second, read] = sentKeys;
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).not.toBe(first);
  expect(read).toBeUndefined();
});

test('a change whose answer was lost is repeated with its key, with other values it gets a new one', async () => {
  const keys = createChangeKeys();
  replies = [lost(), lost()];
  expect(await withChangeKeys(keys, () => recordDrink(300))).toMatchObject({ ok: false, status: 0 });
  await withChangeKeys(keys, () => recordDrink(500));
  await withChangeKeys(keys, () => recordDrink(300));
  const [lost300, lost500, repeated300] = sentKeys;
  expect(repeated300).toBe(lost300);
  expect(lost500).not.toBe(lost300);
});

test('an answered change and a new dialog get new keys', async () => {
  const keys = createChangeKeys();
  await withChangeKeys(keys, () => recordDrink(300));
  replies = [lost()];
  await withChangeKeys(keys, () => recordDrink(300));
  await withChangeKeys(createChangeKeys(), () => recordDrink(300));
  expect(new Set(sentKeys).size).toBe(3);
});

test('a change that is still being made keeps its key', async () => {
  const keys = createChangeKeys();
  const error = { message: 'Still running.', reason: { name: 'request_running' } };
  replies = [Response.json({ error }, { status: 409 })];
  await withChangeKeys(keys, () => recordDrink(300));
  await withChangeKeys(keys, () => recordDrink(300));
  expect(sentKeys[1]).toBe(sentKeys[0]);
});

test('the same file sent again has the same key', async () => {
  const keys = createChangeKeys();
  const upload = (text: string) => {
    const body = new FormData();
    body.set('file', new File([text], 'beer.jpg', { lastModified: 1_000 }));
    return withChangeKeys(keys, () => request('POST /drinks/{id}/picture', { path: { id: 1 }, body }));
  };
  replies = [lost()];
  await upload('picture');
  await upload('picture');
  await upload('another');
  expect(sentKeys[1]).toBe(sentKeys[0]);
  expect(sentKeys[2]).not.toBe(sentKeys[0]);
});
