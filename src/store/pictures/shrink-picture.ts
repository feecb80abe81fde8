import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../core/app-error.ts';
import { childProcessQueue } from '../child-processes.ts';

/** A Pi 2 needs some seconds for the largest picture; only a malicious one takes longer, milliseconds. */
const timeoutMs = 20_000;

/** How long a picture waits for other pictures and backups, milliseconds: longer than 8 pictures on a Pi 2. */
const maxWaitMs = 60_000;

/** Paths of the two sizes. */
interface ShrunkPicture {
  readonly fit: string;
  readonly square: string;
}

/** Exit codes of the child process. */
export const pictureExitCodes = { noImage: 65, tooManyPixels: 66, notWritten: 74 } as const;

/**
 * Creates both sizes of a picture without the camera's metadata. Runs in a child process, because uploaded
 * pictures may crash a decoder, and this process counts ticks. Throws `wrong_media`, whose message is the end
 * of a sentence about the picture, and `unavailable` when a backup or other pictures take too long.
 */
export function shrinkPicture(source: string, shrunk: ShrunkPicture): Promise<void> {
  const waiting = AbortSignal.timeout(maxWaitMs);
  return childProcessQueue
    .run(() => runChild(source, shrunk), waiting)
    .catch((fault: unknown) => {
      if (fault !== waiting.reason) throw fault;
      const sentence = 'A backup or other pictures are being processed: try again in some minutes.';
      throw new AppError('unavailable', sentence);
    });
}

function runChild(source: string, { fit, square }: ShrunkPicture): Promise<void> {
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
        const sentence = 'The picture cannot be stored: check that the disk is not full.';
        return fail(new AppError('unavailable', sentence, { cause: fault }));
      }
      // Killed by the time limit, by the memory limit, or crashed on its input.
      if (fault.signal) return fail(new AppError('wrong_media', 'cannot be read in reasonable time'));
      fail(new Error(`Resizing a picture failed: ${stderr.slice(0, 2_000)}`, { cause: fault }));
    });
  });
}

function childPath(): string {
  const beside = fileURLToPath(new URL('./shrink-picture-child.js', import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL('../../../dist/store/pictures/shrink-picture-child.js', import.meta.url));
}
