import { defineExtension } from '../extension.ts';

/** A screen on the wall that shows the taps to guests, and its options. */
export const kiosk = defineExtension({
  name: 'kiosk',
  isOnByDefault: true,
  pages: ['/kiosk', '/kiosk-options'],
  texts: ['kiosk.'],
});
