import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import sharp from 'sharp';
import { pictureExitCodes } from './shrink-picture.ts';

// Runs as a separate process: `shrink-picture-child SOURCE FIT SQUARE`.

/** More than any phone camera has; a decompression bomb unpacks to a thousand times that. */
const maxPixels = 50_000_000;

/** Formats of cameras and screenshots. Others, such as SVG, may contain code. */
const loaders = ['JpegFile', 'PngFile', 'WebpFile', 'HeifFile', 'TiffFile', 'NsgifFile'];

function openSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });
  // One thread, to leave the other cores to the GPIO reader.
  sharp.concurrency(1);
  sharp.cache(false);
}

/** Creates both sizes, rotated as the camera's orientation says, without the camera's other metadata. */
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
  // Counting ticks has priority.
  setPriority(10);
} catch {
  // A sandbox may forbid it; the picture is then processed at normal priority.
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
