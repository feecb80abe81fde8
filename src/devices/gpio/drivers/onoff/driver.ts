import type { PinDriver } from '../pin-driver.ts';

/** The kernel's old interface, sysfs, watched by the main loop. */
export const onoff: PinDriver<'onoff'> = {
  name: 'onoff',
  description: 'sysfs, for a kernel without the character device; it loses ticks under load',
  autoReason: 'nothing better works here; it loses ticks under load',
  hasExactStamps: false,
  isOnlyOnce: false,
  // sysfs shows the same owner for every line.
  holder: { pattern: /^sysfs$/, isShared: true },
  library: {
    name: 'onoff',
    packages: 'build-essential python3',
    autoNeed: 'only a kernel without GPIO character device needs it',
  },
  open: async (request) => (await import('./onoff.ts')).openOnoff(request),
};
