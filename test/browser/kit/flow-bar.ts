import { openStaffBar, type StaffBar } from './staff-bar.ts';
import { text } from './texts.ts';

/** A running bar with the staff member anna and the member bert, and a page on which anna is logged in. */
export interface FlowBar extends StaffBar {
  /** Opens the dialog of the tap with that name on the home page. */
  openTap(name: string): Promise<void>;
}

/** Starts a bar whose two taps have a keg each, shown on a tablet. */
export async function startFlowBar(): Promise<FlowBar> {
  const staffBar = await openStaffBar({
    members: ['bert'],
    device: { viewport: { width: 1024, height: 768 }, hasTouch: true },
  });
  const { daemon, page } = staffBar;
  return {
    ...staffBar,
    async openTap(name) {
      await page.goto(daemon.url);
      await page.getByRole('button', { name: text('taps.manageTap', { tap: name }) }).click();
      await page.getByRole('dialog').waitFor();
    },
  };
}
