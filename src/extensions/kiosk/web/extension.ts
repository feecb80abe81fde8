import type { WebExtension } from '../../../web/app/extension.ts';

export const kioskPages: WebExtension = {
  name: 'kiosk',
  labelKey: 'kiosk.feature',
  aboutKey: 'kiosk.why',
  pages: [
    { path: '/kiosk', load: async () => (await import('./kiosk.tsx')).Kiosk, isFullScreen: true },
    { path: '/kiosk-options', load: async () => (await import('./kiosk-options-page.tsx')).KioskOptionsPage },
  ],
  menu: [
    {
      path: '/kiosk-options',
      labelKey: 'kiosk.menu',
      audience: 'staff',
      group: 'bar',
      after: '/export',
      icon: 'screen',
    },
  ],
};
