/** x¹⁶ + x¹² + x⁵ + 1, least significant bit first. */
const polynomial = 0x8408;

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >> 1) ^ polynomial : rest >> 1;
  return rest;
});

/** CRC-16/KERMIT: reflected, initial value 0, no final XOR. `123456789` in ASCII gives 0x2189. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = (crc >> 8) ^ table[(crc ^ byte) & 0xff]!;
  return crc;
}
