import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc16 } from '../../../../../src/extensions/serial-boards/devices/kbsp/crc16.ts';
import {
  encodeFrame,
  FrameParser,
  type KbspFrame,
  maxFrameBytes,
} from '../../../../../src/extensions/serial-boards/devices/kbsp/kbsp-frame.ts';
import { readMessage } from '../../../../../src/extensions/serial-boards/devices/kbsp/kbsp-messages.ts';
import { type Damage, damagedBytes, frameNames, frameOf, join } from '../frames.ts';

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** The frames in some bytes, parsed at once by a new parser. */
const framesIn = (bytes: Uint8Array) => new FrameParser().push(bytes);

/** The meter totals in some bytes. */
function totalsIn(bytes: Uint8Array): number[] {
  return framesIn(bytes).flatMap((frame) => {
    const reading = readMessage(frame);
    return reading.kind === 'message' && reading.message.kind === 'meter' ? [reading.message.total] : [];
  });
}

test('the checksum is CRC-16/KERMIT', () => {
  expect(crc16(ascii('123456789'))).toBe(0x2189);
  expect(crc16(ascii('KBSP v1:'))).toBe(0xe3af);
  const good = frameOf('flow0At1234');
  expect(crc16(good.subarray(0, -2))).toBe(0);
});

describe.each(frameNames)('the frame %s', (name) => {
  const frame = frameOf(name);

  test('is parsed and encoded to the same bytes', () => {
    const [read, ...more] = framesIn(frame);
    expect(more).toEqual([]);
    expect(encodeFrame(read!)).toEqual(frame);
  });

  test('is parsed when split at any byte', () => {
    for (let cut = 0; cut <= frame.length; cut++) {
      const parser = new FrameParser();
      const read = [...parser.push(frame.subarray(0, cut)), ...parser.push(frame.subarray(cut))];
      expect(read.map(encodeFrame)).toEqual([frame]);
      expect(parser.heldBytes).toBe(0);
    }
  });

  test('is parsed one byte at a time', () => {
    const parser = new FrameParser();
    const read = [...frame].flatMap((byte) => parser.push(Uint8Array.of(byte)));
    expect(read.map(encodeFrame)).toEqual([frame]);
  });

  test('is parsed twice when it occurs twice in one piece', () => {
    expect(framesIn(join(frame, frame)).map(encodeFrame)).toEqual([frame, frame]);
  });

  test('is parsed after noise and after an incomplete copy', () => {
    expect(framesIn(join(ascii('KBSP v1\r\nready\r\n'), frame)).map(encodeFrame)).toEqual([frame]);
    for (let cut = 1; cut < frame.length; cut++) {
      const [read] = framesIn(join(frame.subarray(0, cut), frame, frame)).map(encodeFrame);
      expect(read).toEqual(frame);
    }
  });

  test('is rejected with any one bit flipped, and the valid one after it is parsed', () => {
    // A flipped length may announce more bytes; eight valid frames fill it.
    const good = join(...Array<Uint8Array>(8).fill(frame));
    for (let bit = 0; bit < frame.length * 8; bit++) {
      const flipped = frame.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      const read = framesIn(join(flipped, good)).map(encodeFrame);
      expect(Buffer.concat(read).equals(good), `bit ${bit}`).toBe(true);
    }
  });
});

describe('damaged input', () => {
  const expected: Record<Damage, readonly number[]> = {
    'a checksum with one bit flipped': [],
    'a reading with one bit flipped': [],
    'a length of 65535': [],
    'an incomplete frame before a valid one': [1250],
    'a reversed line end': [],
    'a length that extends into the next frame': [1250],
    'incomplete prefixes before a valid frame': [1234],
    'a field that runs past the end': [],
    'a hello with an arbitrary checksum': [],
  };

  test.each(Object.entries(expected) as [Damage, number[]][])('%s gives %j', (damage, totals) => {
    expect(totalsIn(damagedBytes(damage))).toEqual(totals);
    // The next valid frame is parsed in every case.
    expect(totalsIn(join(damagedBytes(damage), frameOf('flow0At1234')))).toEqual([...totals, 1234]);
  });

  test('every kind of damage is counted by kind', () => {
    const faultsOf = (damage: Damage) => {
      const parser = new FrameParser();
      parser.push(damagedBytes(damage));
      return parser.faults;
    };
    expect(faultsOf('a checksum with one bit flipped')).toMatchObject({ crcErrors: 1, noiseBytes: 29 });
    expect(faultsOf('a reading with one bit flipped')).toMatchObject({ crcErrors: 1 });
    expect(faultsOf('a length of 65535')).toMatchObject({ lengthErrors: 1, crcErrors: 0 });
    expect(faultsOf('a reversed line end')).toMatchObject({ trailerErrors: 1, crcErrors: 0 });
  });

  test('an impossible length is rejected as soon as it is received', () => {
    const parser = new FrameParser();
    parser.push(damagedBytes('a length of 65535').subarray(0, 12));
    expect(parser.heldBytes).toBe(0);
    expect(parser.faults.lengthErrors).toBe(1);
  });

  test('an incomplete frame is discarded, and a frame in the rest is parsed', () => {
    const parser = new FrameParser();
    const cutShort = damagedBytes('a length that extends into the next frame');
    // Its length announces 45 bytes; 12 of them are missing, so the parser waits.
    expect(parser.push(join(cutShort.subarray(0, 12), frameOf('flow0At1234')))).toEqual([]);
    expect(parser.dropIncompleteFrame().map(encodeFrame)).toEqual([frameOf('flow0At1234')]);
    expect(parser.faults.incompleteFrames).toBe(1);
    expect(parser.dropIncompleteFrame()).toEqual([]);
  });
});

test('arbitrary bytes in arbitrary pieces never throw, use bounded memory and never hide a valid frame for long', () => {
  const good = frameOf('cellar');
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.constant(good),
    fc.constant(ascii('KBSP v1:')),
    fc.nat(good.length).map((cut) => good.subarray(0, cut)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const parser = new FrameParser();
      for (const one of pieces) {
        for (const frame of parser.push(one)) readMessage(frame);
        expect(parser.heldBytes).toBeLessThan(maxFrameBytes);
      }
      parser.dropIncompleteFrame();
      while (parser.heldBytes > 0) parser.dropIncompleteFrame();
      expect(parser.push(good).map(encodeFrame)).toEqual([good]);
    }),
  );
});

test('the frames do not depend on how a stream is split into pieces', () => {
  const stream = join(
    ...frameNames.map(frameOf),
    damagedBytes('an incomplete frame before a valid one'),
    ascii('noise'),
    frameOf('cardIn'),
  );
  const expectedFrames = framesIn(stream).map(encodeFrame);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (sizes) => {
      const parser = new FrameParser();
      const read: KbspFrame[] = [];
      for (let at = 0, i = 0; at < stream.length; i++) {
        const end = at + sizes[i % sizes.length]!;
        read.push(...parser.push(stream.subarray(at, end)));
        at = end;
      }
      expect(read.map(encodeFrame)).toEqual(expectedFrames);
    }),
  );
});
