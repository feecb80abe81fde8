import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FlowBar, startFlowBar } from '../kit/flow-bar.ts';
import { text } from '../kit/texts.ts';

let flow: FlowBar;
let network: CDPSession;

beforeAll(async () => {
  flow = await startFlowBar();
  network = await flow.page.context().newCDPSession(flow.page);
  await network.send('Network.enable');
});
afterAll(() => flow.close());

const dialog = () => flow.page.getByRole('dialog');
const serving = () => dialog().getByRole('button', { name: /^300\smL|^0\.3\sL/ });
const noAnswer = () => dialog().getByText(text('app.changeUnanswered'));
const countDrinks = async () =>
  (await flow.callApi<{ paging: { total: number } }>('GET', 'drinks')).paging.total;

const setOffline = (offline: boolean) =>
  network.send('Network.emulateNetworkConditions', {
    offline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });

test('an action without a connection says so at once, in a dialog that was open before, and works after it', async () => {
  await flow.openTap('Right');
  const before = await countDrinks();
  await setOffline(true);
  const pressed = performance.now();
  await serving().click();
  await noAnswer().waitFor();
  expect(performance.now() - pressed).toBeLessThan(2_000);
  await setOffline(false);
  await serving().click();
  await dialog().waitFor({ state: 'detached' });
  expect(await countDrinks()).toBe(before + 1);
});

test('a drink whose answer was lost is recorded once when the serving is pressed again', async () => {
  const before = await countDrinks();
  await flow.openTap('Right');
  const keys: (string | undefined)[] = [];
  await flow.page.route('**/record-drink', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    // The daemon gets the request; its answer is lost on the way back.
    await route.fetch();
    await route.abort();
  });
  await serving().click();
  await noAnswer().waitFor();
  expect(await countDrinks()).toBe(before + 1);
  await flow.page.unroute('**/record-drink');
  const repeated = flow.page.waitForRequest('**/record-drink');
  await serving().click();
  expect((await repeated).headers()['idempotency-key']).toBe(keys[0]);
  await dialog().waitFor({ state: 'detached' });
  expect(await countDrinks()).toBe(before + 1);
});

test('an open dialog says that the daemon is gone', async () => {
  await flow.openTap('Right');
  await serving().waitFor();
  await flow.daemon.kill();
  await dialog().getByText(text('app.noConnection')).waitFor({ timeout: 15_000 });
  await serving().click();
  await noAnswer().waitFor();
});
