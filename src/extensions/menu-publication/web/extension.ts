import type { WebExtension } from '../../../web/app/extension.ts';

export const menuPublicationPages: WebExtension = {
  name: 'menu-publication',
  labelKey: 'menuPublication.title',
  aboutKey: 'menuPublication.intro',
  pages: [{ path: '/menu-publication', load: async () => (await import('./page.tsx')).MenuPublicationPage }],
  slots: { healthPage: (part) => (part === 'menu' ? '/menu-publication' : null) },
  menu: [
    {
      path: '/menu-publication',
      labelKey: 'menuPublication.title',
      audience: 'staff',
      group: 'administration',
      after: '/webhooks',
      icon: 'book',
    },
  ],
};
