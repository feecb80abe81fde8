import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import sharp from 'sharp';
import { pictureExitCodes } from './shrink-picture.ts';

// Runs as a process of its own: `shrink-picture-child SOURCE FIT SQUARE`.

/** More than any telephone's camera; a bomb unpacks to a thousand times that. */
const maxPixels = 50_000_000;

/** Formats of cameras and screens. Others, such as SVG, are programs in disguise. */
const loaders = ['JpegFile', 'PngFile', 'WebpFile', 'HeifFile', 'TiffFile', 'NsgifFile'];

function openSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });
  // One thread: the pins' reader wants the others.
  sharp.concurrency(1);
  sharp.cache(false);
}

/** Both sizes, turned as the camera was held, and nothing else of what the camera wrote. */
async function shrink(source: string): Promise<{ fit: Buffer; square: Buffer }> {
  const fit = await sharp(source, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error' })
    .autoOrient()
    .resize(1024, 1024, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 85 })
    .toBuffer();
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer'] });
  const square = await sharp(fit).resize(128, 128, { fit: 'cover' }).jpeg({ quality: 90 }).toBuffer();
  return { fit, square };
}

const [source, fitPath, squarePath] = process.argv.slice(2);
if (source === undefined || fitPath === undefined || squarePath === undefined) process.exit(64);
try {
  // Counting goes first.
  setPriority(10);
} catch {
  // A sandbox may forbid it; the picture then takes its turn like everybody.
}
openSharp();
try {
  const { fit, square } = await shrink(source);
  await writeFile(fitPath, fit, { mode: 0o600 });
  await writeFile(squarePath, square, { mode: 0o600 });
} catch (fault) {
  if ((fault as NodeJS.ErrnoException).code !== undefined) process.exit(pictureExitCodes.notWritten);
  process.exit(
    String(fault).includes('pixel limit') ? pictureExitCodes.tooManyPixels : pictureExitCodes.noImage,
  );
}
