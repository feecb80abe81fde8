import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../core/app-error.ts';

/** A Pi 2 needs some seconds for the largest picture; whatever takes longer is meant to. */
const timeoutMs = 20_000;

/** Where the two sizes are written. */
export interface ShrunkPicture {
  readonly fit: string;
  readonly square: string;
}

/** Exit codes of the child. */
export const pictureExitCodes = { noImage: 65, tooManyPixels: 66, notWritten: 74 } as const;

/**
 * Makes both sizes of a picture, without anything its camera wrote beside it. A child process does it: strangers'
 * pictures are the likeliest thing to break a decoder, and beer is counted in this one. Throws `wrong_media` with the
 * end of a sentence about what is wrong with the picture.
 */
export function shrinkPicture(source: string, { fit, square }: ShrunkPicture): Promise<void> {
  return new Promise((done, fail) => {
    const options = { timeout: timeoutMs, killSignal: 'SIGKILL', env: {}, encoding: 'utf8' } as const;
    const heap = '--max-old-space-size=64';
    execFile(process.execPath, [heap, childPath(), source, fit, square], options, (fault, _out, stderr) => {
      if (fault === null) return done();
      if (fault.code === pictureExitCodes.noImage) {
        return fail(new AppError('wrong_media', 'must be a picture: JPEG, PNG, WebP, AVIF, TIFF or GIF'));
      }
      if (fault.code === pictureExitCodes.tooManyPixels) {
        return fail(new AppError('wrong_media', 'must have at most 50 megapixels'));
      }
      if (fault.code === pictureExitCodes.notWritten) {
        const sentence = 'The picture cannot be kept: check that the disk is not full.';
        return fail(new AppError('unavailable', sentence, { cause: fault }));
      }
      // Killed for its time, by its memory, or by what it read.
      if (fault.signal) return fail(new AppError('wrong_media', 'cannot be read in reasonable time'));
      fail(new Error(`A picture could not be made smaller: ${stderr.slice(0, 2_000)}`, { cause: fault }));
    });
  });
}

function childPath(): string {
  const beside = fileURLToPath(new URL('../shrink-picture-child.js', import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL('../../../dist/store/pictures/shrink-picture-child.js', import.meta.url));
}
