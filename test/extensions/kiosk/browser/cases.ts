import type { BrowserCases } from '../../../browser/kit/browser-cases.ts';
import { shoot } from '../../../browser/screenshots/shot.ts';

const guest = { user: null, isFullScreen: true } as const;

export const browserCases: BrowserCases = {
  pages: [{ name: 'kiosk', path: '/kiosk?menu=http://bar.local/', isFullScreen: true, ready: '.kiosk-tile' }],
  guestPages: ['/kiosk'],
  shots: [
    ...shoot('/kiosk', ['1920 light'], guest),
    ...shoot('/kiosk', ['1920 dark'], { ...guest, taps: 24, isLong: true }),
    ...shoot('/kiosk-options', ['1440 light']),
  ],
};
