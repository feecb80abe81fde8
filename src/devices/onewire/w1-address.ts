/** Families of 1-Wire chips that measure temperature: DS18S20, DS1822, DS18B20, DS1825 and DS28EA00. */
const sensorFamilies: ReadonlySet<string> = new Set(['10', '22', '28', '3b', '42']);

/**
 * True when the kernel's device name (`28-00000a1b2c3d`) is that of a temperature sensor, not of an iButton
 * (`01-…`).
 */
export function isOneWireSensor(name: string): boolean {
  const family = /^([0-9a-f]{2})-[0-9a-f]{1,16}$/i.exec(name)?.[1];
  return family !== undefined && sensorFamilies.has(family.toLowerCase());
}

/** True when a name in the kernel's folder is that of a bus master. */
export function isBusMaster(name: string): boolean {
  return /^w1_bus_master\d{1,3}$/.test(name);
}
