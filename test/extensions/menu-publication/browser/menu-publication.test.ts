import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeOn } from '../../../browser/kit/axe.ts';
import { openStaffBar, type StaffBar } from '../../../browser/kit/staff-bar.ts';
import { hasNginx, startNginx, type TestNginx, webDavServer } from '../../../kit/nginx.ts';

let bar: StaffBar;
let nginx: TestNginx;

beforeAll(async () => {
  if (!hasNginx) return;
  nginx = await startNginx(webDavServer, { users: { bar: 'web space password' } });
  bar = await openStaffBar({
    role: 'superuser',
    settings: { webhooks: { allow_local: true }, features: { 'menu-publication': true } },
  });
});
afterAll(async () => {
  await bar?.close();
  await nginx?.remove();
});

const button = (name: string) => bar.page.getByRole('button', { name, exact: true });

/** The id of the beverage on the first tap. */
async function findBeverage(): Promise<string> {
  const answer = await fetch(`${bar.daemon.url}/api/taps`, { headers: { 'X-Kegbot-Api-Key': bar.key } });
  return (await answer.json()).result.taps[0].beverage.id;
}

/** Saves the form, with the password if it is asked for. */
async function save() {
  const { page } = bar;
  const stored = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok());
  await button('Save').click();
  const dialog = page.getByRole('dialog', { name: 'Enter your password' });
  await Promise.race([dialog.waitFor(), stored]);
  if (await dialog.isVisible()) {
    await dialog.getByLabel('Password').fill('a good long password');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
  }
  await stored;
  await dialog.waitFor({ state: 'detached' });
}

test.skipIf(!hasNginx)(
  'a superuser publishes the menu on a web space, where guests read it, and takes it off again',
  async () => {
    const { page, daemon, key } = bar;
    const folder = join(nginx.root, 'menu');
    const renamed = await fetch(`${daemon.url}/api/beverages/${await findBeverage()}`, {
      method: 'PATCH',
      headers: { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Märzen <strong>' }),
    });
    expect(renamed.status).toBe(200);
    await page.goto(`${daemon.url}/menu-publication`);
    await page.getByText('Not published yet.').waitFor();
    expect(await button('Publish now').isDisabled()).toBe(true);
    const form = page.getByRole('region', { name: 'Web space' });
    await form.getByLabel('Address of the folder').fill(`${nginx.url}/menu`);
    await form.getByLabel('User name').fill('bar');
    await form.getByLabel('Password').fill('a wrong password');
    await save();
    await button('Publish now').click();
    await page.getByText('refuses the login or the right to write (401)').waitFor();

    await form.getByLabel('New password').fill('web space password');
    await form.getByLabel('Publish the menu').check();
    await save();
    await page.getByText('Last written').waitFor();
    expect(readdirSync(folder).sort()).toEqual([
      'index.de.html',
      'index.es.html',
      'index.fr.html',
      'index.html',
      'index.nl.html',
      'menu.json',
    ]);
    expect(await axeOn(page)).toEqual([]);

    // A guest's phone, which knows nothing of the daemon.
    const guest = await bar.browser.newPage({ viewport: { width: 390, height: 844 } });
    await guest.goto(`${nginx.url}/menu/index.html`);
    await guest.getByRole('heading', { name: 'Märzen <strong>' }).waitFor();
    await guest.getByText('Plenty left').first().waitFor();
    expect(await axeOn(guest)).toEqual([]);
    await guest.getByRole('link', { name: 'Deutsch' }).click();
    await guest.getByRole('heading', { name: 'Märzen <strong>' }).waitFor();
    expect(await guest.locator('html').getAttribute('lang')).toBe('de');
    await guest.close();

    // The QR code of the menu leads there.
    await page.goto(`${daemon.url}/menu/qr`);
    await page.getByText(`${nginx.url.replace('http://', '')}/menu/`).waitFor();

    await page.goto(`${daemon.url}/menu-publication`);
    await form.getByLabel('Publish the menu').uncheck();
    await save();
    await button('Take it off the web').click();
    await page.getByText('Not published yet.').waitFor();
    expect(readdirSync(folder)).toEqual([]);
  },
);

test.skipIf(!hasNginx)('a picture of a beer lies beside the page, and goes with it', async () => {
  const { page, daemon, key } = bar;
  const folder = join(nginx.root, 'menu');
  const headers = { 'X-Kegbot-Api-Key': key };
  const form = new FormData();
  const label = await sharp({ create: { width: 300, height: 400, channels: 3, background: 'gold' } })
    .jpeg()
    .toBuffer();
  form.set('image', new Blob([new Uint8Array(label)], { type: 'image/jpeg' }), 'label.jpg');
  const answer = await fetch(`${daemon.url}/api/beverages/${await findBeverage()}/picture`, {
    method: 'POST',
    headers,
    body: form,
  });
  expect(answer.status).toBe(200);
  await page.goto(`${daemon.url}/menu-publication`);
  await button('Publish now').click();
  await page.getByText('The menu is published.').waitFor();
  const pictures = () => readdirSync(folder).filter((name) => name.endsWith('.jpg'));
  expect(pictures()).toHaveLength(1);
  const guest = await bar.browser.newPage();
  await guest.goto(`${nginx.url}/menu/index.html`);
  const picture = guest.getByRole('img', { name: 'Picture of Märzen <strong>' });
  await picture.waitFor();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await guest.close();
});
