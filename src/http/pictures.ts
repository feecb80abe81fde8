import { AppError } from '../core/app-error.ts';
import type { Picture } from '../core/records.ts';
import type { PictureSize, PreparedPicture, Upload } from '../engine/engine.ts';
import type { RouteContext } from './routes/route-context.ts';

/** Returns the URL of one size of a picture. It never changes while the picture exists. */
export const pictureAddress = ({ name }: Pick<Picture, 'name'>, size: PictureSize): string =>
  `/api/pictures/${name}-${size}.jpg`;

/** True for faults of storing pictures, which leave the rest of a request valid: no space, no free slot, the quota. */
export const isPictureOnlyFault = (fault: unknown): boolean =>
  fault instanceof AppError && (fault.code === 'unavailable' || fault.code === 'too_many');

/** An uploaded picture of a request. */
interface UploadedPicture {
  readonly upload: Upload | undefined;
  /** The field's name, for errors. */
  readonly field: string;
}

type PictureContext = Pick<RouteContext, 'engine' | 'user' | 'now' | 'requireUnchanged'>;

/**
 * Calls `work` with the picture made from an upload, if any. An invalid picture is rejected before `work` records
 * anything; after that, nothing here can fail.
 */
export function withPicture<T>(
  context: PictureContext,
  picture: UploadedPicture,
  work: (picture: PreparedPicture | undefined) => T,
): T | Promise<T> {
  const { upload } = picture;
  return upload === undefined
    ? work(undefined)
    : preparePictureAndWork(context, { ...picture, upload }, work);
}

async function preparePictureAndWork<T>(
  { engine: { pictures }, user, now, requireUnchanged }: PictureContext,
  { upload, field }: UploadedPicture & { readonly upload: Upload },
  work: (picture: PreparedPicture | undefined) => T,
): Promise<T> {
  if (user === null) throw new Error('The route must require an authenticated user.');
  const picture = await pictures.prepare(upload, field, { user, now });
  try {
    requireUnchanged();
    return work(picture);
  } finally {
    // Remaining files are deleted by the periodic clean-up.
    await pictures.release(picture).catch(() => {});
  }
}
