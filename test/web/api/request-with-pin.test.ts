import { beforeEach, expect, test, vi } from 'vitest';

const house = 'http://pi.local/';
vi.stubGlobal('document', { baseURI: house, documentElement: {} });
vi.stubGlobal('location', new URL(house));
const { requestWithPin } = await import('../../../src/web/api/request-with-pin.ts');
const { beginActing, stopActing } = await import('../../../src/web/acting.ts');

/** Whose leave each request that reached the house was sent with. */
let pinUnlocks: (string | undefined)[] = [];
/** Opened, the first refusal gets through. */
let letCome = () => {};

beforeEach(() => {
  stopActing();
  pinUnlocks = [];
  const isLate = new Promise<void>((resolve) => {
    letCome = resolve;
  });
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Record<string, string> }) => {
    pinUnlocks.push(headers['X-Tapster-Pin-Unlock']);
    if (pinUnlocks.length > 1) return Response.json({ result: {} });
    await isLate;
    return Response.json(
      { error: { message: 'Type your PIN.', fields: { pin: 'is needed' } } },
      { status: 401 },
    );
  });
});

const act = (displayName: string, pinUnlock: string) =>
  beginActing({ pinUnlock, displayName, wrongBefore: 0 }, 60);

test('what Anna began a moment too late goes again by the PIN she has typed meanwhile', async () => {
  act('Anna', 'old');
  const spilled = requestWithPin('DELETE', '/drinks/1');
  act('Anna', 'new');
  letCome();
  expect(await spilled).toEqual({ ok: true, result: {} });
  expect(pinUnlocks).toEqual(['old', 'new']);
});

test('what Anna began does not go out in the name of Bert, who has typed his PIN meanwhile', async () => {
  act('Anna', 'old');
  const spilled = requestWithPin('DELETE', '/drinks/1');
  act('Bert', 'his');
  letCome();
  expect(await spilled).toMatchObject({ ok: false, status: 401 });
  expect(pinUnlocks).toEqual(['old']);
});
