import type { Page } from 'playwright-core';

/** Logs a user in. */
export async function logIn(page: Page, url: string, name = 'anna', password = 'a good long password') {
  await page.goto(`${url}/log-in`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: `Log out ${name}` }).waitFor();
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
