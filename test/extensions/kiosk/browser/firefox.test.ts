import { expect, test } from 'vitest';
import { hasFirefox, openFirefox } from '../../../browser/kit/firefox.ts';
import { makeBar, startDaemon } from '../../../kit/daemon.ts';

test.skipIf(!hasFirefox)('the kiosk fits the screen of Firefox and has no header', async () => {
  const bar = makeBar();
  const daemon = await startDaemon(bar);
  const page = await openFirefox({ width: 1280, height: 900 });
  try {
    await page.goto(`${daemon.url}/kiosk`);
    await page.find('//*[contains(., "Harbour Light")]');
    expect(
      await page.run<number>('return document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
    expect(
      await page.run<number>('return document.documentElement.scrollHeight - innerHeight'),
    ).toBeLessThanOrEqual(0);
    expect(await page.run<boolean>(`return document.querySelector('.header') === null`)).toBe(true);
  } finally {
    await page.close();
    await daemon.kill();
    bar.remove();
  }
});
