// Byte layouts of the kernel's GPIO interface, version 2. Source of every number: linux/gpio.h. They hold for
// all little-endian machines, since the structures align their 64-bit fields on 32-bit systems as well.

export const chipInfoRequest = 0x8044b401; // GPIO_GET_CHIPINFO_IOCTL
export const lineInfoRequest = 0xc100b405; // GPIO_V2_GET_LINEINFO_IOCTL
export const lineRequest = 0xc250b407; // GPIO_V2_GET_LINE_IOCTL
export const getValuesRequest = 0xc010b40e; // GPIO_V2_LINE_GET_VALUES_IOCTL
export const setValuesRequest = 0xc010b40f; // GPIO_V2_LINE_SET_VALUES_IOCTL

/** GPIO_V2_LINE_FLAG_*: properties of a requested or owned line. */
export const lineFlag = {
  used: 1n << 0n,
  activeLow: 1n << 1n,
  input: 1n << 2n,
  output: 1n << 3n,
  edgeRising: 1n << 4n,
  edgeFalling: 1n << 5n,
  biasPullUp: 1n << 8n,
  biasPullDown: 1n << 9n,
  biasDisabled: 1n << 10n,
} as const;

const maxLines = 64; // GPIO_V2_LINES_MAX
const maxAttributes = 10; // GPIO_V2_LINE_NUM_ATTRS_MAX
const nameBytes = 32; // GPIO_MAX_NAME_SIZE
const flagsAttribute = 1; // GPIO_V2_LINE_ATTR_ID_FLAGS

export const chipInfoBytes = 68;
const lineInfoBytes = 256;
const lineRequestBytes = 592;
const lineValuesBytes = 16;
/** Size of one event, and the offsets of its fields. */
export const eventBytes = 48;
export const eventField = { stampNs: 0, offset: 12, seqno: 16, lineSeqno: 20 } as const;

/** The kernel's information about a chip. */
export interface ChipInfo {
  readonly name: string;
  readonly label: string;
  readonly lines: number;
}

/** The kernel's information about one line. */
export interface LineInfo {
  readonly name: string;
  /** Its owner; empty when free, or when the owning driver gave no name. */
  readonly consumer: string;
  readonly isUsed: boolean;
}

/** Lines to request together. */
export interface LineRequest {
  /** Offsets with their own flags each; 1 to 64. */
  readonly lines: readonly { readonly offset: number; readonly flags: bigint }[];
  /** At most 31 bytes; shown as the line's owner. */
  readonly consumer: string;
  /** Events the kernel queues; it limits the value to 1024. */
  readonly eventBufferSize?: number;
}

/**
 * Encodes `struct gpio_v2_line_request`: the most frequent flags as default, every other set as a masked
 * attribute.
 */
export function encodeLineRequest(request: LineRequest): Buffer {
  if (request.lines.length === 0 || request.lines.length > maxLines) {
    throw new RangeError(`A request takes 1 to ${maxLines} lines, not ${request.lines.length}.`);
  }
  const masks = new Map<bigint, bigint>();
  request.lines.forEach(({ flags }, index) => {
    masks.set(flags, (masks.get(flags) ?? 0n) | (1n << BigInt(index)));
  });
  const [[commonFlags] = [0n], ...others] = [...masks].sort(([, a], [, b]) => bitCount(b) - bitCount(a));
  if (others.length > maxAttributes)
    throw new RangeError('Too many different kinds of lines in one request.');

  const bytes = Buffer.alloc(lineRequestBytes);
  request.lines.forEach(({ offset }, index) => {
    bytes.writeUInt32LE(offset, index * 4);
  });
  bytes.write(request.consumer.slice(0, nameBytes - 1), 256, nameBytes - 1, 'latin1');
  bytes.writeBigUInt64LE(commonFlags ?? 0n, 288);
  bytes.writeUInt32LE(others.length, 296);
  others.forEach(([flags, mask], index) => {
    const at = 320 + index * 24;
    bytes.writeUInt32LE(flagsAttribute, at);
    bytes.writeBigUInt64LE(flags, at + 8);
    bytes.writeBigUInt64LE(mask, at + 16);
  });
  bytes.writeUInt32LE(request.lines.length, 560);
  bytes.writeUInt32LE(request.eventBufferSize ?? 0, 564);
  return bytes;
}

/** Reads the descriptor the kernel wrote into a granted request. */
export function grantedFd(request: Buffer): number {
  return request.readInt32LE(588);
}

/** Decodes `struct gpiochip_info`. */
export function decodeChipInfo(bytes: Buffer): ChipInfo {
  return {
    name: readText(bytes, 0),
    label: readText(bytes, 32),
    lines: bytes.readUInt32LE(64),
  };
}

/** Encodes a `struct gpio_v2_line_info` request, which holds only the offset. */
export function encodeLineInfo(offset: number): Buffer {
  const bytes = Buffer.alloc(lineInfoBytes);
  bytes.writeUInt32LE(offset, 64);
  return bytes;
}

/** Decodes the kernel's `struct gpio_v2_line_info`. */
export function decodeLineInfo(bytes: Buffer): LineInfo {
  return {
    name: readText(bytes, 0),
    consumer: readText(bytes, 32),
    isUsed: (bytes.readBigUInt64LE(72) & lineFlag.used) !== 0n,
  };
}

/** Encodes `struct gpio_v2_line_values`; bit n is the n-th line of the request, not the offset. */
export function encodeLineValues(values: { readonly bits: bigint; readonly mask: bigint }): Buffer {
  const bytes = Buffer.alloc(lineValuesBytes);
  bytes.writeBigUInt64LE(values.bits, 0);
  bytes.writeBigUInt64LE(values.mask, 8);
  return bytes;
}

function readText(bytes: Buffer, start: number): string {
  const field = bytes.subarray(start, start + nameBytes);
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end === -1 ? nameBytes : end);
}

function bitCount(mask: bigint): number {
  let count = 0;
  for (let rest = mask; rest !== 0n; rest &= rest - 1n) count++;
  return count;
}
