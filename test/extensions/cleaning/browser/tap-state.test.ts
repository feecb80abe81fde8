import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { type FlowBar, startFlowBar } from '../../../browser/kit/flow-bar.ts';

let bar: FlowBar;
let guest: Page;
let beer: string;

const doNotDrink = 'do not drink';
const price = '€4.32';

beforeAll(async () => {
  bar = await startFlowBar();
  const { beverage } = await bar.callApi<{ beverage: { id: string; name: string } }>('GET', 'taps/1');
  beer = beverage.name;
  const { serving_sizes: sizes } = await bar.callApi<{ serving_sizes: { id: number }[] }>(
    'PUT',
    'serving-sizes',
    {
      serving_sizes: [{ volume_ml: 300 }],
    },
  );
  await bar.callApi('PUT', `beverages/${beverage.id}/prices`, {
    prices: [{ serving_size_id: sizes[0]!.id, price_minor: 432 }],
  });
  guest = await (await bar.browser.newContext({ locale: 'en-GB' })).newPage();
  guest.setDefaultTimeout(15_000);
});
afterAll(() => bar.close());

/** The text of the left tap in each view, as a guest reads it when it contains `sign`. */
async function readViews(sign: { readonly [view: string]: string }): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [view, path, selector] of [
    ['home', '/', '.tap'],
    ['kiosk', '/kiosk', '.kiosk-tile'],
    ['menu', '/menu', '.menu-card'],
    ['tap page', '/taps/1', '.tap-state'],
  ] as const) {
    await guest.goto(bar.daemon.url + path);
    const first = guest.locator(selector).first();
    await first.getByText(sign[view]!).first().waitFor();
    texts[view] = (await first.innerText()).replaceAll('\u00a0', ' ');
  }
  return texts;
}

const start = () => bar.callApi<{ cleaning: { id: number } }>('POST', 'taps/1/cleaning', { kind: 'caustic' });
const finish = (id: number, result: string) => bar.callApi('POST', `cleanings/${id}/finish`, { result });
const everywhere = (text: string) => ({ home: text, kiosk: text, menu: text, 'tap page': text });

const shoot = async (name: string) => {
  const folder = process.env.TAPSTER_STATE_SHOTS;
  if (!folder) return;
  for (const width of [390, 1440]) {
    await guest.setViewportSize({ width, height: 900 });
    for (const path of ['', 'kiosk', 'menu', 'taps/1']) {
      await guest.goto(`${bar.daemon.url}/${path}`);
      await guest.getByText(doNotDrink).first().waitFor();
      await guest.screenshot({ path: `${folder}/${name}-${path.replace('/', '-') || 'home'}-${width}.png` });
    }
  }
};

function expectOffered(views: Record<string, string>) {
  for (const text of Object.values(views)) expect(text).not.toContain(doNotDrink);
  for (const view of ['home', 'kiosk', 'menu']) expect(views[view]).toContain(price);
}

function expectClosed(views: Record<string, string>) {
  for (const text of Object.values(views)) {
    expect(text).toContain(doNotDrink);
    expect(text).not.toContain(price);
  }
  for (const view of ['kiosk', 'menu', 'tap page']) expect(views[view]).not.toContain(beer);
}

test('a guest reads the same state of a tap in every view, and is offered no beer from a line that is being cleaned', async () => {
  expectOffered(await readViews(everywhere(beer)));

  const { cleaning } = await start();
  expectClosed(await readViews(everywhere('Being cleaned – do not drink')));
  expect(await axeOn(guest)).toEqual([]);
  await shoot('cleaning');

  await finish(cleaning.id, 'failed');
  expectClosed(await readViews(everywhere('Not in service – do not drink')));
  await shoot('blocked');
  const { page } = bar;
  await page.goto(bar.daemon.url);
  await page
    .getByRole('link', { name: 'The last cleaning is not completed, or its check failed.' })
    .waitFor();

  const { cleaning: second } = await start();
  await finish(second.id, 'passed');
  expectOffered(await readViews(everywhere(beer)));
});

test('a guest reads of a held pour nothing, staff do; without a meter and without a keg every view says so', async () => {
  await fetch(`${bar.daemon.url}/api/v1/taps/1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: bar.key, ticks: 5_000_000 }),
  });
  const { held_pours: held } = await bar.callApi<{ held_pours: { id: number }[] }>('GET', 'held-pours');
  expectOffered(await readViews(everywhere(beer)));
  await bar.page.goto(bar.daemon.url);
  await bar.page.locator('.tap').first().getByRole('link', { name: 'Needs review' }).waitFor();
  await bar.callApi('POST', `held-pours/${held[0]!.id}/discard`, {});

  const { tap } = await bar.callApi<{ tap: { meter_id: number } }>('GET', 'taps/1');
  await bar.callApi('POST', 'taps/1/connect-meter', { meter_id: null });
  expectOffered(await readViews(everywhere(beer)));
  await guest.goto(`${bar.daemon.url}/taps/1`);
  await guest.getByText('No meter. Pours are not counted.').waitFor();
  await bar.callApi('POST', 'taps/1/connect-meter', { meter_id: tap.meter_id });

  await bar.callApi('POST', 'taps/1/end-keg', {});
  const views = await readViews({ home: 'No keg', kiosk: 'Nothing on tap', menu: '', 'tap page': 'No keg' });
  for (const view of ['home', 'kiosk', 'tap page']) {
    expect(views[view]).not.toContain(price);
    expect(views[view]).not.toContain(beer);
  }
});

test('a running pour is shown by home, kiosk and tap page', async () => {
  await bar.callApi('POST', 'simulator/pulses', { meter: 'pi.flow1', ticks: 20_000, hz: 1_000 });
  for (const [path, selector] of [
    ['/', '.tap[data-state="pouring"]'],
    ['/kiosk', '.kiosk-tile[data-pouring="true"]'],
    ['/taps/2', '.tap-state[data-state="pouring"]'],
  ]) {
    await guest.goto(bar.daemon.url + path);
    await guest.locator(selector!).waitFor();
  }
});
