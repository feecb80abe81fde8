import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { openLate, recordShifts } from '../../../browser/kit/late-answers.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';

interface ScaleJson {
  readonly id: number;
  readonly findings: readonly { readonly kind: string }[];
}

let bar: StaffBar;
const browserErrors: string[] = [];

beforeAll(async () => {
  bar = await openStaffBar({
    members: ['bert'],
    device: { viewport: { width: 1024, height: 768 }, hasTouch: true },
    settings: { features: { scales: true } },
  });
  bar.page.on('pageerror', (error) => browserErrors.push(error.message));
});
afterAll(() => bar.close());

const page = () => bar.page;
const button = (name: string) => page().getByRole('button', { name, exact: true });
const toast = (message: string) => page().locator('.toast').filter({ hasText: message });
const section = () => page().getByRole('region', { name: 'Scale', exact: true });
const weigh = (weight_g: number) =>
  bar.callApi<{ scale: ScaleJson }>('POST', 'taps/1/keg-weight', { weight_g, temp_c: 4.5 });
const axe = async () => expect(await axeOn(page())).toEqual([]);

test('the scale of a tap is added with topic and empty weight, changed, deleted and restored', async () => {
  await page().goto(`${bar.daemon.url}/taps/1/edit`);
  const hint = page().getByText('No scale. Enter its MQTT topic, or let it post weights.');
  await section().waitFor();
  expect(await hint.isVisible()).toBe(false);
  await section().locator('summary', { hasText: 'Add scale' }).click();
  await hint.waitFor();
  await axe();
  await section().getByLabel('MQTT topic').fill('bar/+/weight');
  await section().getByRole('button', { name: 'Save', exact: true }).click();
  await section().getByRole('alert').filter({ hasText: /topic/i }).first().waitFor();
  await section().getByLabel('MQTT topic').fill('keg-scale/sensor/weight/state');
  await section().getByLabel('Name of the weight in JSON').fill('weight');
  await section().getByLabel('Unit of the messages').selectOption('kg');
  await section().getByLabel('Weight with an empty keg').fill('9.4');
  await section().getByRole('button', { name: 'Save', exact: true }).click();
  await toast('Saved').first().waitFor();
  const shown = await bar.callApi<{ scales: readonly object[] }>('GET', 'scales');
  expect(shown.scales).toMatchObject([
    {
      tap_id: '1',
      topic: 'keg-scale/sensor/weight/state',
      payload_field: 'weight',
      unit: 'kg',
      empty_weight_g: 9_400,
    },
  ]);
  await axe();
  await button('Delete scale').click();
  await toast('deleted.').getByRole('button', { name: 'Undo' }).click();
  await toast('Undone.').waitFor();
  await button('Delete scale').waitFor();
  expect((await bar.callApi<{ scales: readonly object[] }>('GET', 'scales')).scales).toHaveLength(1);
});

test('staff see weight, what is left by scale and by meter, and a finding in plain words that they close', async () => {
  const { tap } = await bar.callApi<{ tap: { current_keg_id: number } }>('GET', 'taps/1');
  await bar.callApi('PATCH', `kegs/${tap.current_keg_id}`, { started_time: '2026-01-01T12:00:00Z' });
  await expect
    .poll(async () => (await weigh(12_400)).scale.findings.map(({ kind }) => kind), {
      timeout: 15_000,
      interval: 1_100,
    })
    .toEqual(['wrong_keg_size']);
  await page().goto(`${bar.daemon.url}/taps/1`);
  await section()
    .getByText(/^12\.4(0)? kg, /)
    .waitFor();
  await section().getByText('Left by the scale').waitFor();
  await section().getByText('Left by the meter').waitFor();
  expect(await section().getByText(/\s±\s/).count()).toBe(2);
  await section()
    .getByText(/^By weight the keg holds .*, by its record .*\. Check its size\.$/)
    .waitFor();
  await section()
    .getByText(/No drink was changed\./)
    .waitFor();
  await section().getByRole('img').or(section().locator('canvas')).first().waitFor();
  await axe();
  await section()
    .getByRole('button', { name: /^Close/ })
    .click();
  await toast('Closed.').waitFor();
  await section()
    .getByText(/Check its size/)
    .waitFor({ state: 'detached' });
  await toast('Closed.').getByRole('button', { name: 'Undo' }).click();
  await section()
    .getByText(/Check its size/)
    .waitFor();
});

test.each(['/taps/1', '/taps/1/edit'])('on %s it moves nothing when its answers come late', async (path) => {
  const late = await page().context().newPage();
  await late.addInitScript(recordShifts);
  const shifts = await openLate(late, bar.daemon.url + path);
  expect(shifts.filter(({ value }) => value > 0.001)).toEqual([]);
  await late.close();
});

test('guests do not see it', async () => {
  const guest = await (await page().context().browser()!.newContext({ locale: 'en-GB' })).newPage();
  await guest.goto(`${bar.daemon.url}/taps/1`);
  await guest.getByRole('heading', { level: 2 }).first().waitFor();
  expect(await guest.getByText('Left by the scale').count()).toBe(0);
  await guest.context().close();
});

test('a scale whose tap was deleted is offered by another tap, which takes it', async () => {
  const { scales } = await bar.callApi<{ scales: readonly ScaleJson[] }>('GET', 'scales');
  await bar.callApi('POST', 'taps/1/end-keg');
  await bar.callApi('DELETE', 'taps/1');
  await page().goto(`${bar.daemon.url}/taps/2/edit`);
  await section()
    .getByRole('button', { name: /^Use scale / })
    .click();
  await toast('Saved').first().waitFor();
  await button('Delete scale').waitFor();
  const after = await bar.callApi<{ scales: readonly object[] }>('GET', 'scales');
  expect(after.scales).toMatchObject([{ id: scales[0]!.id, tap_id: '2' }]);
});

test('no error in the browser', () => {
  expect(browserErrors).toEqual([]);
});
