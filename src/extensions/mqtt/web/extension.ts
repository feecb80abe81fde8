import type { WebExtension } from '../../../web/app/extension.ts';

export const mqttPages: WebExtension = {
  name: 'mqtt',
  labelKey: 'mqtt.title',
  aboutKey: 'mqtt.intro',
  pages: [{ path: '/mqtt', load: async () => (await import('./page.tsx')).MqttPage }],
  slots: { healthPage: (part) => (part === 'mqtt' ? '/mqtt' : null) },
  menu: [
    {
      path: '/mqtt',
      labelKey: 'mqtt.title',
      audience: 'staff',
      group: 'administration',
      after: '/webhooks',
      icon: 'link',
    },
  ],
};
