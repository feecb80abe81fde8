import type { WebExtension } from '../../../web/app/extension.ts';

/** Boards are shown where the controllers are; it has no page of its own. */
export const kegboardPages: WebExtension = {
  name: 'kegboards',
  labelKey: 'kegboards.onNetwork',
  aboutKey: 'kegboards.why',
  alarmKinds: ['controller_silent'],
  pages: [],
  menu: [],
  slots: { controllers: async () => (await import('./kegboard-controllers.tsx')).KegboardControllers },
};
