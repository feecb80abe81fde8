import type { PinDriver } from '../pin-driver.ts';

/** DMA sampling of the whole chip, for noisy wiring on a Pi 1 to 4. */
export const pigpio: PinDriver<'pigpio'> = {
  name: 'pigpio',
  description: 'samples by DMA, as root, on a Pi 1 to 4; it cannot show losses',
  autoReason: null,
  hasExactStamps: true,
  isOnlyOnce: true,
  holder: null,
  library: { name: 'pigpio', packages: 'libpigpio-dev build-essential python3' },
  open: async (request) => (await import('./pigpio.ts')).openPigpio(request),
};
