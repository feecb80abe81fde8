/** The kernel's name of an iButton that holds only a number: DS1990A and compatible ones. */
const iButtonName = /^01-([0-9a-f]{12})$/i;

/**
 * Converts the kernel's name of an iButton (`01-000000123456`) to its token: all 64 bits, highest byte first,
 * with the checksum, as serial boards send it. Null for other devices, and for the number of a shorted bus.
 */
export function iButtonToken(name: string): string | null {
  const serial = iButtonName.exec(name)?.[1]?.toLowerCase();
  if (serial === undefined || /^(?:0+|f+)$/.test(serial)) return null;
  // On the wire the family code comes first, then the serial number, lowest byte first; the checksum covers
  // both.
  const bytes = [0x01, ...Buffer.from(serial, 'hex').reverse()];
  return `${crc8(bytes).toString(16).padStart(2, '0')}${serial}01`;
}

/** The checksum of the 1-Wire bus: x⁸ + x⁵ + x⁴ + 1, lowest bit first. */
function crc8(bytes: readonly number[]): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8c : crc >> 1;
  }
  return crc;
}
