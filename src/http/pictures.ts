import type { Picture } from '../core/records.ts';
import type { Engine, PictureSize, PreparedPicture, Upload } from '../engine/engine.ts';

/** Returns the URL of one size of a picture. It never changes while the picture exists. */
export const pictureAddress = ({ name }: Pick<Picture, 'name'>, size: PictureSize): string =>
  `/api/pictures/${name}-${size}.jpg`;

/**
 * Calls `work` with the picture made from an upload, if any. An invalid picture is rejected before `work` records
 * anything; after that, nothing here can fail.
 */
export function withPicture<T>(
  engine: Engine,
  { upload, field }: { readonly upload: Upload | undefined; readonly field: string },
  work: (picture: PreparedPicture | undefined) => T,
): T | Promise<T> {
  return upload === undefined ? work(undefined) : preparePictureAndWork(engine, { upload, field }, work);
}

async function preparePictureAndWork<T>(
  { pictures }: Engine,
  { upload, field }: { readonly upload: Upload; readonly field: string },
  work: (picture: PreparedPicture) => T,
): Promise<T> {
  const picture = await pictures.prepare(upload, field);
  try {
    return work(picture);
  } finally {
    // Remaining files are deleted by the periodic clean-up.
    await pictures.release(picture).catch(() => {});
  }
}
