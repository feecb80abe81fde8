import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import { extensions } from '../../../src/extensions/all.ts';
import { openStore } from '../../../src/store/store.ts';
import { pour } from '../../engine/bar.ts';
import { axeOn } from '../kit/axe.ts';
import { type FlowBar, startFlowBar } from '../kit/flow-bar.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const evenings = 10;

let bar: FlowBar;
beforeAll(async () => {
  bar = await startFlowBar();
});
afterAll(() => bar.close());

/** Records six pours on each of the last ten days, the last two of them at two thirds of the flow. */
function pourEvenings(): void {
  const store = openStore({ file: bar.bar.database, extensions });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const engine = createEngine({
    store,
    bus,
    ids: { next: () => crypto.randomUUID() },
    settings: { maxFlowMlPerS: 200 },
  });
  const [tap] = engine.taps.list();
  for (let ago = evenings; ago >= 1; ago--) {
    const perBin = ago > 2 ? 30 : 20;
    const series = Array.from({ length: 40 }, (_, bin) => `${bin * 100}:${perBin}`).join(' ');
    for (let i = 0; i < 6; i++) {
      const now = {
        monoMs: day,
        wallMs: Date.now() - ago * day - i * minute,
        synced: true,
        bootId: `boot-${ago}`,
      };
      const flow = { meter: tap!.tap.meter!.name, ticks: 40 * perBin, durationMs: 3_990, series };
      engine.drinks.pours.record(pour(now, { ...flow, pourId: `${ago}-${i}` }), 'pin', now);
    }
  }
  store.close();
}

const section = () =>
  bar.page.locator('section').filter({ has: bar.page.getByRole('heading', { name: 'Flow', exact: true }) });

test('a tap without pours says how many evenings it needs', async () => {
  await bar.page.goto(`${bar.daemon.url}/taps/1`);
  await section().getByText('Needs seven evenings with five pours each.').waitFor();
  await section()
    .getByText(/^Gas is judged by a default .+ until the tap has 10 clean pours.*: 0 so far\.$/)
    .waitFor();
});

test('staff see the flow of each evening as chart and table, and what changed in plain words', async () => {
  pourEvenings();
  await bar.page.goto(`${bar.daemon.url}/taps/1`);
  await section()
    .getByText(/Less flow than usual since .+\. Check line, tap and keg pressure\./)
    .waitFor();
  await section()
    .getByText(/Usual: 60\smL\/s/)
    .waitFor();
  await section().getByRole('img', { name: 'Flow of Left by evening' }).waitFor();
  expect(
    await section()
      .getByText(/Gas is judged by a default/)
      .count(),
  ).toBe(0);
  await section().getByText('As a table').click();
  const rows = section().getByRole('row');
  await expect.poll(() => rows.count()).toBe(evenings + 1);
  expect(await rows.last().textContent()).toMatch(/40\smL\/s · keg \d+\s?% full/);
  expect(await rows.nth(1).textContent()).toMatch(/60\smL\/s · keg \d+\s?% full/);
  expect(await axeOn(bar.page)).toEqual([]);
});

test('one of the first pours says that gas was judged by a default, a later one does not', async () => {
  const said = bar.page.getByText(/^Gas was judged by a default .+: the tap had too few pours\.$/);
  await bar.page.goto(`${bar.daemon.url}/drinks/1`);
  await said.waitFor();
  await bar.page.goto(`${bar.daemon.url}/drinks/30`);
  await bar.page.getByText('Counted by the meter').waitFor();
  expect(await said.count()).toBe(0);
});

test('a guest sees no flow of the line', async () => {
  const page = await (await bar.browser.newContext({ locale: 'en-GB' })).newPage();
  await page.goto(`${bar.daemon.url}/taps/1`);
  await page.getByRole('heading', { name: 'Drinks at Left' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Flow', exact: true }).count()).toBe(0);
  await page.close();
});
