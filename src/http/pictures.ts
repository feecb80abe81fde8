import { AppError } from '../core/app-error.ts';
import type { Picture } from '../core/records.ts';
import type { Engine, PictureSize, PreparedPicture, Upload } from '../engine/engine.ts';

/** Returns the URL of one size of a picture. It never changes while the picture exists. */
export const pictureAddress = ({ name }: Pick<Picture, 'name'>, size: PictureSize): string =>
  `/api/pictures/${name}-${size}.jpg`;

/** An uploaded picture of a request. */
interface UploadedPicture {
  readonly upload: Upload | undefined;
  /** The field's name, for errors. */
  readonly field: string;
  /** True to do the work without the picture while pictures cannot be resized or stored. */
  readonly isOptional?: boolean;
}

/**
 * Calls `work` with the picture made from an upload, if any. An invalid picture is rejected before `work` records
 * anything; after that, nothing here can fail.
 */
export function withPicture<T>(
  engine: Engine,
  picture: UploadedPicture,
  work: (picture: PreparedPicture | undefined) => T,
): T | Promise<T> {
  const { upload } = picture;
  return upload === undefined ? work(undefined) : preparePictureAndWork(engine, { ...picture, upload }, work);
}

async function preparePictureAndWork<T>(
  { pictures }: Engine,
  { upload, field, isOptional = false }: UploadedPicture & { readonly upload: Upload },
  work: (picture: PreparedPicture | undefined) => T,
): Promise<T> {
  const picture = await pictures.prepare(upload, field).catch((fault: unknown) => {
    if (isOptional && fault instanceof AppError && fault.code === 'unavailable') return undefined;
    throw fault;
  });
  try {
    return work(picture);
  } finally {
    // Remaining files are deleted by the periodic clean-up.
    if (picture !== undefined) await pictures.release(picture).catch(() => {});
  }
}
