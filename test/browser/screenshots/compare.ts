import sharp from 'sharp';

/** Pictures are kept at this width and with this many colours, so that they stay small. */
const keptWidth = { narrow: 390, wide: 720 };
const keptColors = 32;

/** A pixel differs when one of its channels differs by more than this, of 255. */
const channelTolerance = 48;

/** The picture as it is kept in the repository. */
export async function reduce(picture: Buffer): Promise<Buffer> {
  const { width } = await sharp(picture).metadata();
  const to = width <= keptWidth.narrow ? keptWidth.narrow : keptWidth.wide;
  return await sharp(picture)
    .resize({ width: to, kernel: 'linear' })
    .png({ palette: true, colours: keptColors, dither: 0, compressionLevel: 9, effort: 7 })
    .toBuffer();
}

/** How two reduced pictures differ. */
export interface Difference {
  /** Share of the pixels that differ, 0 to 1; 1 when the sizes differ. */
  readonly share: number;
  /** The actual picture, pale, with the pixels that differ in red. */
  readonly picture: Buffer;
}

/** Compares two reduced pictures. */
export async function compare(expected: Buffer, actual: Buffer): Promise<Difference> {
  const [before, after] = await Promise.all([expected, actual].map(readPixels));
  const { width, height } = after!.info;
  const isSameSize = before!.info.width === width && before!.info.height === height;
  const marked = Buffer.alloc(after!.data.length);
  let differing = 0;
  for (let at = 0; at < after!.data.length; at += 3) {
    const differs =
      !isSameSize ||
      [0, 1, 2].some(
        (channel) => Math.abs(after!.data[at + channel]! - before!.data[at + channel]!) > channelTolerance,
      );
    if (differs) differing += 1;
    for (const channel of [0, 1, 2])
      marked[at + channel] = differs ? (channel === 0 ? 255 : 0) : 170 + after!.data[at + channel]! / 3;
  }
  return {
    share: differing / (width * height),
    picture: await sharp(marked, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer(),
  };
}

const readPixels = (picture: Buffer) =>
  sharp(picture).flatten().toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true });

/** How often a page is looked at until it no longer changes, or until it looks as expected. */
const mostLooks = 8;

/** The picture of a page that looks the same twice. */
export async function takeStable(take: () => Promise<Buffer>): Promise<Buffer> {
  let last = await take();
  for (let look = 1; look < mostLooks; look += 1) {
    const next = await take();
    if (next.equals(last)) return next;
    last = next;
  }
  return last;
}

/** Looks at a page until it differs from the expected picture by no more than `tolerance`; returns the last look. */
export async function takeExpected(
  take: () => Promise<Buffer>,
  { expected, tolerance }: { readonly expected: Buffer; readonly tolerance: number },
): Promise<Difference & { readonly actual: Buffer }> {
  for (let look = 1; ; look += 1) {
    const actual = await reduce(await take());
    const difference = await compare(expected, actual);
    if (difference.share <= tolerance || look === mostLooks) return { ...difference, actual };
  }
}
