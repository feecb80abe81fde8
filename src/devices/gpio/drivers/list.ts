import { cdev } from './cdev/driver.ts';
import { onoff } from './onoff/driver.ts';
import { pigpio } from './pigpio/driver.ts';
import type { PinDriver } from './pin-driver.ts';

/** The drivers of real pins; `auto` tries them in this order, and the first one proves most. */
const drivers = [cdev, onoff, pigpio] as const;

export type DriverName = (typeof drivers)[number]['name'];

export const pinDrivers: readonly PinDriver<DriverName>[] = drivers;
export const driverNames: readonly DriverName[] = drivers.map(({ name }) => name);
/** The driver that proves most. */
export const bestDriver: PinDriver<DriverName> = drivers[0];

/** The driver of this name; null for simulated pins and where none works. */
export const findDriver = (name: string): PinDriver<DriverName> | null =>
  pinDrivers.find((driver) => driver.name === name) ?? null;
