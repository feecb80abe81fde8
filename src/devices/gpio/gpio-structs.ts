// The byte layouts of the kernel's GPIO interface, version 2. Source of every number: linux/gpio.h; they hold for
// all little-endian machines, since the structures keep their 64-bit fields aligned on 32-bit ones too.

export const chipInfoRequest = 0x8044b401; // GPIO_GET_CHIPINFO_IOCTL
export const lineInfoRequest = 0xc100b405; // GPIO_V2_GET_LINEINFO_IOCTL
export const lineRequest = 0xc250b407; // GPIO_V2_GET_LINE_IOCTL
export const getValuesRequest = 0xc010b40e; // GPIO_V2_LINE_GET_VALUES_IOCTL
export const setValuesRequest = 0xc010b40f; // GPIO_V2_LINE_SET_VALUES_IOCTL

/** GPIO_V2_LINE_FLAG_*: how a line is asked for, or how it is held. */
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

export const maxLines = 64; // GPIO_V2_LINES_MAX
const maxAttributes = 10; // GPIO_V2_LINE_NUM_ATTRS_MAX
const nameBytes = 32; // GPIO_MAX_NAME_SIZE
const flagsAttribute = 1; // GPIO_V2_LINE_ATTR_ID_FLAGS

export const chipInfoBytes = 68;
export const lineInfoBytes = 256;
export const lineRequestBytes = 592;
export const lineValuesBytes = 16;
/** Size of one event, and where its fields lie. */
export const eventBytes = 48;
export const eventField = { stampNs: 0, offset: 12, seqno: 16, lineSeqno: 20 } as const;

/** What the kernel tells of a chip. */
export interface ChipInfo {
  readonly name: string;
  readonly label: string;
  readonly lines: number;
}

/** What the kernel tells of one line. */
export interface LineInfo {
  readonly name: string;
  /** Who holds it, empty when free (or held by a driver that gave no name). */
  readonly consumer: string;
  readonly isUsed: boolean;
}

/** Lines to ask for in one go. */
export interface LineRequest {
  /** Offsets with their own flags each; 1 to 64. */
  readonly lines: readonly { readonly offset: number; readonly flags: bigint }[];
  /** At most 31 bytes; shown as the line's owner. */
  readonly consumer: string;
  /** Events the kernel keeps for us; it cuts at 1024. */
  readonly eventBufferSize?: number;
}

/** Writes `struct gpio_v2_line_request`: the commonest flags as the rule, every other set as an attribute with a mask. */
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

/** Reads `struct gpiochip_info`. */
export function decodeChipInfo(bytes: Buffer): ChipInfo {
  return {
    name: readText(bytes, 0),
    label: readText(bytes, 32),
    lines: bytes.readUInt32LE(64),
  };
}

/** Writes the question of `struct gpio_v2_line_info`: the offset is the only thing in it. */
export function encodeLineInfo(offset: number): Buffer {
  const bytes = Buffer.alloc(lineInfoBytes);
  bytes.writeUInt32LE(offset, 64);
  return bytes;
}

/** Reads the answer of `struct gpio_v2_line_info`. */
export function decodeLineInfo(bytes: Buffer): LineInfo {
  return {
    name: readText(bytes, 0),
    consumer: readText(bytes, 32),
    isUsed: (bytes.readBigUInt64LE(72) & lineFlag.used) !== 0n,
  };
}

/** Writes `struct gpio_v2_line_values`; bit n is the n-th line of the request, not the offset. */
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
