import type { PinDriver } from '../pin-driver.ts';

/** The kernel's GPIO character device, read by a thread of its own. */
export const cdev: PinDriver<'cdev'> = {
  name: 'cdev',
  description: 'the kernel’s GPIO character device, which stamps each edge and shows losses',
  autoReason: 'it counts outside the main loop and detects losses',
  hasExactStamps: true,
  isOnlyOnce: false,
  holder: { pattern: /^tapster-\d+$/, isShared: false },
  library: null,
  open: async (request) => (await import('./cdev.ts')).openCdev(request),
};
