import type { Engine, PreparedPicture, Upload } from '../../engine/engine.ts';

/**
 * Does `work` with a picture made of an upload, if there is one. What is no picture is refused before anything is
 * recorded; once something is, nothing here can fail it any more.
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
    // Files that stay behind are swept up later.
    await pictures.release(picture).catch(() => {});
  }
}
