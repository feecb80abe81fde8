import type { WebExtension } from '../../../web/app/extension.ts';

export const upstreamPages: WebExtension = {
  name: 'upstream',
  labelKey: 'upstream.title',
  aboutKey: 'upstream.intro',
  alarmKinds: ['upstream_behind'],
  pages: [{ path: '/upstream', load: async () => (await import('./page.tsx')).UpstreamPage }],
  slots: { healthPage: (part) => (part === 'upstream' ? '/upstream' : null) },
  menu: [
    {
      path: '/upstream',
      labelKey: 'upstream.title',
      audience: 'staff',
      group: 'administration',
      after: '/webhooks',
      icon: 'plug',
    },
  ],
};
