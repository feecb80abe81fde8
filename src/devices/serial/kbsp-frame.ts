import { crc16 } from './crc16.ts';

/** How every frame begins: ASCII `KBSP v1:`. */
const prefix = Uint8Array.from('KBSP v1:', (letter) => letter.charCodeAt(0));
const headerBytes = 12;
const crcBytes = 2;
const trailerBytes = 2;

/** The longest payload a board sends or takes. */
export const maxPayloadBytes = 112;

/** The longest frame there is. */
export const maxFrameBytes = headerBytes + maxPayloadBytes + crcBytes + trailerBytes;

/** A whole frame with the right checksum; what its payload means is not looked at here. */
export interface KbspFrame {
  readonly id: number;
  readonly payload: Uint8Array;
}

/** What was thrown away so far. A broken frame's own bytes count as noise as well. */
export interface FrameFaults {
  /** Bytes that belong to no good frame. */
  readonly noiseBytes: number;
  readonly crcErrors: number;
  /** Frames that announced more than a board can send. */
  readonly lengthErrors: number;
  /** Frames with the right checksum that did not end in CR LF. */
  readonly trailerErrors: number;
  /** Frames that began and fell silent. */
  readonly cutFrames: number;
}

type ScanResult =
  | { readonly kind: 'frame'; readonly frame: KbspFrame; readonly length: number }
  /** So far it may be one. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'noise'; readonly fault?: keyof FrameFaults };

/**
 * Finds frames in whatever comes down the wire, in pieces of any size. It goes by the announced length, since CR LF may
 * stand inside a payload, and drops exactly one byte when anything is wrong: a good frame that a bad length had swallowed
 * is still found. Holds less than one frame between two calls.
 */
export class FrameParser {
  #held: Uint8Array = new Uint8Array(0);
  readonly #faults = { noiseBytes: 0, crcErrors: 0, lengthErrors: 0, trailerErrors: 0, cutFrames: 0 };

  get faults(): FrameFaults {
    return this.#faults;
  }

  /** Bytes of a frame that has begun and not ended, at most 127. */
  get heldBytes(): number {
    return this.#held.length;
  }

  /** Takes the next bytes; gives the frames they complete, in order. Never throws. */
  push(bytes: Uint8Array): KbspFrame[] {
    const all = new Uint8Array(this.#held.length + bytes.length);
    all.set(this.#held);
    all.set(bytes, this.#held.length);
    return this.#scan(all, 0);
  }

  /** The wire has been silent too long for the frame that was begun: it was cut. Gives what was hidden behind its start. */
  flushCutFrame(): KbspFrame[] {
    if (this.#held.length === 0) return [];
    this.#faults.cutFrames++;
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

/** Packs a message or command for the wire. */
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
