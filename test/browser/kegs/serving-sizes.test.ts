import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FlowBar, startFlowBar } from '../kit/flow-bar.ts';
import { text } from '../kit/texts.ts';

let flow: FlowBar;

beforeAll(async () => {
  flow = await startFlowBar();
});
afterAll(() => flow.close());

const dialog = () => flow.page.getByRole('dialog');
const servings = () => dialog().getByRole('group', { name: text('drinks.howMuch') });

test('“Add drink” offers the serving sizes chosen for the tap by name, and records one', async () => {
  const { serving_sizes: sizes } = await flow.callApi<{ serving_sizes: { id: number }[] }>(
    'PUT',
    'serving-sizes',
    {
      serving_sizes: [
        { volume_ml: 150, name: 'Taster' },
        { volume_ml: 350, name: '' },
        { volume_ml: 500, name: 'Half litre' },
      ],
    },
  );
  await flow.callApi('PATCH', 'taps/2', { serving_size_ids: [sizes[0]!.id, sizes[2]!.id] });
  await flow.openTap('Right');
  await servings().getByRole('button', { name: 'Taster · 150 mL', exact: true }).waitFor();
  expect(await servings().getByRole('button', { name: '350 mL' }).count()).toBe(0);
  await servings().getByRole('button', { name: 'Half litre · 500 mL', exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
  const { drinks } = await flow.callApi<{ drinks: { volume_ml: number }[] }>('GET', 'drinks');
  expect(drinks[0]!.volume_ml).toBe(500);
});
