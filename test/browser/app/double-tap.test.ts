import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FlowBar, startFlowBar } from '../kit/flow-bar.ts';
import { openClaims } from '../kit/staff.ts';
import { text } from '../kit/texts.ts';

/** Latency of a weak Wi-Fi, milliseconds: longer than the time between the two taps of a nervous hand. */
const latencyMs = 350;

let flow: FlowBar;
/** Changes that reached the network, each as method and path. */
let sent: string[] = [];

beforeAll(async () => {
  flow = await startFlowBar();
  await flow.page.route('**/api/**', async (route) => {
    const request = route.request();
    if (request.method() === 'GET') return route.continue();
    sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    expect(request.headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    await new Promise((resolve) => setTimeout(resolve, latencyMs));
    return route.continue();
  });
});
afterAll(() => flow.close());
beforeEach(() => {
  sent = [];
});

const dialog = () => flow.page.getByRole('dialog');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });

/** Two taps as a finger makes them: both events are dispatched before the page can render. */
async function doubleTap(target: Locator) {
  await target.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}

/** Number of entries in the audit log with that action. */
const countActions = async (action: string) =>
  (await flow.callApi<{ paging: { total: number } }>('GET', `audit?action=${action}`)).paging.total;

test('a double tap on a serving records one drink', async () => {
  await flow.openTap('Right');
  await doubleTap(button('300 mL'));
  await dialog().waitFor({ state: 'detached' });
  expect(sent).toEqual(['POST /api/taps/2/record-drink']);
  expect(await countActions('drink.recorded')).toBe(1);
});

test('the controls are disabled while the request is under way', async () => {
  await flow.openTap('Right');
  await button('300 mL').click();
  expect(await button('500 mL').getAttribute('aria-disabled')).toBe('true');
  await dialog().waitFor({ state: 'detached' });
  expect(await countActions('drink.recorded')).toBe(2);
});

test('a double tap records one spill', async () => {
  await flow.openTap('Right');
  await button(text('drinks.spilled')).click();
  await doubleTap(button('200 mL'));
  await dialog().waitFor({ state: 'detached' });
  expect(sent).toEqual(['POST /api/taps/2/record-drink']);
  expect(await countActions('spill.recorded')).toBe(1);
});

test('a double tap on “Keg empty” ends one keg, and one on a keg in stock taps it once', async () => {
  const { keg } = await flow.callApi<{ keg: { id: number } }>('POST', 'kegs', {
    beverage_name: 'Kellerbier',
    producer_name: 'Brauerei Amsel',
    style_name: 'Kellerbier',
    keg_type: 'euro-30-liter',
  });
  await flow.openTap('Left');
  await doubleTap(button(text('kegs.endKeg')));
  const inStock = dialog()
    .getByRole('button', { name: /Kellerbier/ })
    .first();
  await button(text('kegs.newKeg')).waitFor();
  await inStock.waitFor();
  await doubleTap(inStock);
  await dialog().waitFor({ state: 'detached' });
  expect(sent).toEqual(['POST /api/taps/1/end-keg', 'POST /api/taps/1/attach-keg']);
  const { tap } = await flow.callApi<{ tap: { current_keg_id: number } }>('GET', 'taps/1');
  expect(tap.current_keg_id).toBe(keg.id);
});

test('a double tap on a claim claims the drink once', async () => {
  await flow.callApi('PATCH', 'site', { allow_claims: true });
  await flow.callApi('POST', 'taps/2/record-drink', { volume_ml: 250 });
  await flow.page.goto(flow.daemon.url);
  await openClaims(flow.page);
  await doubleTap(flow.page.getByRole('button', { name: /250\smL/ }).and(flow.page.locator('.claim button')));
  await flow.page.getByText(text('claims.claimed', { glass: '250 mL' })).waitFor();
  expect(sent).toHaveLength(1);
  expect(await countActions('drink.claimed')).toBe(1);
});

test('a double tap on “Undo” undoes once', async () => {
  await flow.openTap('Right');
  await button('400 mL').click();
  const undo = flow.page.getByRole('button', { name: text('common.undo'), exact: true });
  await undo.waitFor();
  sent = [];
  await doubleTap(undo);
  await flow.page.getByText(text('drinks.undone')).waitFor();
  expect(sent).toHaveLength(1);
});
