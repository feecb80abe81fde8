import { crc16 } from './crc16.ts';

/** Start of every frame: ASCII `KBSP v1:`. */
const prefix = Uint8Array.from('KBSP v1:', (letter) => letter.charCodeAt(0));
const headerBytes = 12;
const crcBytes = 2;
const trailerBytes = 2;

/** Longest payload that a board sends or accepts. */
const maxPayloadBytes = 112;

/** Longest frame. */
export const maxFrameBytes = headerBytes + maxPayloadBytes + crcBytes + trailerBytes;

/** A complete frame with a valid checksum; its payload is not interpreted here. */
export interface KbspFrame {
  readonly id: number;
  readonly payload: Uint8Array;
}

/** Counts of discarded input. A broken frame's bytes count as noise as well. */
interface FrameFaults {
  /** Bytes that belong to no valid frame. */
  readonly noiseBytes: number;
  readonly crcErrors: number;
  /** Frames whose length exceeds what a board can send. */
  readonly lengthErrors: number;
  /** Frames with a valid checksum that do not end in CR LF. */
  readonly trailerErrors: number;
  /** Frames that were started but not completed. */
  readonly incompleteFrames: number;
}

type ScanResult =
  | { readonly kind: 'frame'; readonly frame: KbspFrame; readonly length: number }
  /** May be the start of a frame. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'noise'; readonly fault?: keyof FrameFaults };

/**
 * Finds frames in a byte stream received in pieces of any size. Relies on the length field, since CR LF may
 * occur inside a payload, and drops exactly one byte on any error, so that a valid frame after a wrong length
 * is still found. Buffers less than one frame between two calls.
 */
export class FrameParser {
  #held: Uint8Array = new Uint8Array(0);
  readonly #faults = { noiseBytes: 0, crcErrors: 0, lengthErrors: 0, trailerErrors: 0, incompleteFrames: 0 };

  get faults(): FrameFaults {
    return this.#faults;
  }

  /** Bytes of an incomplete frame, at most 127. */
  get heldBytes(): number {
    return this.#held.length;
  }

  /** Takes bytes and returns the frames they complete, in order. Never throws. */
  push(bytes: Uint8Array): KbspFrame[] {
    const all = new Uint8Array(this.#held.length + bytes.length);
    all.set(this.#held);
    all.set(bytes, this.#held.length);
    return this.#scan(all, 0);
  }

  /** Discards the start of a frame that was not completed in time; returns the frames found in the rest. */
  dropIncompleteFrame(): KbspFrame[] {
    if (this.#held.length === 0) return [];
    this.#faults.incompleteFrames++;
    this.#faults.noiseBytes++;
    return this.#scan(this.#held, 1);
  }

  #scan(all: Uint8Array, from: number): KbspFrame[] {
    const frames: KbspFrame[] = [];
    let at = from;
    while (at < all.length) {
      const result = scanFrame(all.subarray(at, at + maxFrameBytes));
      if (result.kind === 'unfinished') break;
      if (result.kind === 'frame') {
        frames.push(result.frame);
        at += result.length;
        continue;
      }
      if (result.fault !== undefined) this.#faults[result.fault]++;
      this.#faults.noiseBytes++;
      at++;
    }
    this.#held = all.slice(at);
    return frames;
  }
}

/** Encodes a message or command as a frame. */
export function encodeFrame({ id, payload }: KbspFrame): Uint8Array {
  if (payload.length > maxPayloadBytes)
    throw new RangeError(`A payload has at most ${maxPayloadBytes} bytes.`);
  const body = Uint8Array.of(...prefix, ...low16(id), ...low16(payload.length), ...payload);
  return Uint8Array.of(...body, ...low16(crc16(body)), 0x0d, 0x0a);
}

function scanFrame(window: Uint8Array): ScanResult {
  const prefixBytes = Math.min(window.length, prefix.length);
  for (let i = 0; i < prefixBytes; i++) if (window[i] !== prefix[i]) return { kind: 'noise' };
  if (window.length < headerBytes) return { kind: 'unfinished' };

  const size = read16(window, 10);
  if (size > maxPayloadBytes) return { kind: 'noise', fault: 'lengthErrors' };
  const length = headerBytes + size + crcBytes + trailerBytes;
  if (window.length < length) return { kind: 'unfinished' };

  const crcAt = headerBytes + size;
  if (crc16(window.subarray(0, crcAt)) !== read16(window, crcAt))
    return { kind: 'noise', fault: 'crcErrors' };
  if (window[length - 2] !== 0x0d || window[length - 1] !== 0x0a)
    return { kind: 'noise', fault: 'trailerErrors' };
  return {
    kind: 'frame',
    frame: { id: read16(window, 8), payload: window.slice(headerBytes, crcAt) },
    length,
  };
}

function read16(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

function low16(value: number): [number, number] {
  return [value & 0xff, (value >> 8) & 0xff];
}
