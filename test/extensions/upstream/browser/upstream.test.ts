import { test as anyTest } from 'vitest';
import { answerPasswordDialog } from '../../../browser/kit/staff.ts';
import { openStaffBar } from '../../../browser/kit/staff-bar.ts';
import { servesDeviceEvents } from '../../../kit/device-events.ts';

const test = anyTest.runIf(servesDeviceEvents);

test('a branch waits until its upstream allows it, and then shows that it is connected', async () => {
  const main = await openStaffBar();
  const upstream = {
    url: `${main.daemon.url}/api/device-event`,
    device: 'branch',
    heartbeat_s: 10,
    allow_plain_http: true,
  };
  const branch = await openStaffBar({ settings: { upstream } });
  await branch.page.goto(`${branch.daemon.url}/upstream`);
  await branch.page.getByRole('heading', { level: 2, name: 'Other server' }).waitFor();
  await branch.page
    .getByRole('region', { name: `Reports to ${new URL(main.daemon.url).host}` })
    .getByText('Pending.')
    .waitFor();

  // The main bar reports to nobody.
  await main.page.goto(`${main.daemon.url}/upstream`);
  await main.page.getByText('This feature is switched off.').waitFor();
  await main.page.goto(`${main.daemon.url}/meters`);
  await main.page.getByRole('button', { name: 'Approve: branch' }).click();
  await answerPasswordDialog(main.page);
  await branch.page.getByText('Connected. No reports waiting.').waitFor({ timeout: 45_000 });
  await branch.close();
  await main.close();
});
