import type { Page } from 'playwright-core';
import { logInConfirmed } from '../../kit/daemon.ts';

/** Logs a user in, whatever language the page has, and opens the home page. */
export async function logIn(page: Page, url: string, username = 'anna', password = 'a good long password') {
  const reply = await page.request.post(`${url}/api/auth/login`, { data: { username, password } });
  if (!reply.ok()) throw new Error(await reply.text());
  await page.goto(url);
  await waitForLogin(page, username);
}

/** Logs a user in as people do, on an English page. */
export async function logInByForm(page: Page, url: string, name = 'anna', password = 'a good long password') {
  await page.goto(`${url}/log-in`);
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await waitForLogin(page, name);
}

/** Enters the password of the logged-in user again, so that no dialog asks for it for five minutes. */
export async function confirmPassword(page: Page, password = 'a good long password') {
  await page.evaluate(async (typed) => {
    const reply = await fetch('/api/auth/confirm-password', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ current_password: typed }),
    });
    if (!reply.ok) throw new Error(await reply.text());
  }, password);
}

/** Enters the password in the dialog that asks for it again. */
export async function answerPasswordDialog(page: Page, password = 'a good long password') {
  const again = page.getByRole('dialog', { name: 'Enter your password' });
  await again.getByLabel('Password').fill(password);
  await again.getByRole('button', { name: 'Confirm' }).click();
  await again.waitFor({ state: 'detached' });
}

/** Waits until the page knows its user. On a phone the name in the header is hidden. */
export async function waitForLogin(page: Page, name: string) {
  await page.locator('.header-user').getByText(name, { exact: true }).waitFor({ state: 'attached' });
}

/** Opens the notices for staff when the button has that name, such as `2 notices`. */
export async function openNotices(page: Page, name: string) {
  await page.getByRole('button', { name, exact: true }).click();
}

/** Chooses as Anna who sees the bar. */
export async function setPrivacy(url: string, privacy: string) {
  const headers = { ...(await logInConfirmed(url, 'anna')), 'Content-Type': 'application/json' };
  const reply = await fetch(`${url}/api/site`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ privacy }),
  });
  if (!reply.ok) throw new Error(await reply.text());
}

/** The button of the menu of all pages. */
export const menuButton = (page: Page) => page.locator('.site-menu').getByRole('button').first();

/** Opens the menu of all pages. */
export const openMenu = (page: Page) => menuButton(page).click();

/** Opens the list of pours that the user may claim. */
export const openClaims = (page: Page) => page.locator('.claims > summary').click();

/** Opens a page from the menu. */
export async function openFromMenu(page: Page, name: string) {
  await openMenu(page);
  await page.locator('.site-menu').getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
}

/** Logs out through the menu. */
export async function logOut(page: Page, name: string) {
  await waitForLogin(page, name);
  // Leaving the login page would close the menu.
  await page.locator('form').getByLabel('Password').waitFor({ state: 'detached' });
  await openMenu(page);
  await page.getByRole('button', { name: `Sign out ${name}` }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
}

/** Records drinks of 20 mL manually as the logged-in user, every third at tap 2. */
export async function recordDrinks(page: Page, count: number) {
  await page.evaluate(async (wanted) => {
    for (let recorded = 0; recorded < wanted; recorded += 1) {
      const reply = await fetch(`api/taps/${recorded % 3 === 0 ? 2 : 1}/record-drink`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ volume_ml: 20 }),
      });
      if (!reply.ok) throw new Error(await reply.text());
    }
  }, count);
}
