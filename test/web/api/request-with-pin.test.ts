import { beforeEach, expect, test, vi } from 'vitest';

const baseUrl = 'http://pi.local/';
vi.stubGlobal('document', { baseURI: baseUrl, documentElement: {} });
vi.stubGlobal('location', new URL(baseUrl));
const { requestWithPin } = await import('../../../src/web/api/request-with-pin.ts');
const { startPinUnlock, endPinUnlock } = await import('../../../src/web/pin-unlock.ts');

/** Whose leave each request that reached the house was sent with. */
let sentTokens: (string | undefined)[] = [];
/** Opened, the first refusal gets through. */
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

test('what Anna began a moment too late goes again by the PIN she has typed meanwhile', async () => {
  unlockAs('Anna', 'old');
  const spilled = requestWithPin('DELETE', '/drinks/1');
  unlockAs('Anna', 'new');
  releaseFirstReply();
  expect(await spilled).toEqual({ ok: true, result: {} });
  expect(sentTokens).toEqual(['old', 'new']);
});

test('what Anna began does not go out in the name of Bert, who has typed his PIN meanwhile', async () => {
  unlockAs('Anna', 'old');
  const spilled = requestWithPin('DELETE', '/drinks/1');
  unlockAs('Bert', 'his');
  releaseFirstReply();
  expect(await spilled).toMatchObject({ ok: false, status: 401 });
  expect(sentTokens).toEqual(['old']);
});
