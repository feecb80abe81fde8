import { randomBytes } from 'node:crypto';
import { AppError } from '../core/app-error.ts';
import type { Picture } from '../core/records.ts';
import { type PictureSize, pictureSizes, type Upload } from '../store/pictures/picture-files.ts';
import { validationError } from './bounds.ts';
import type { EngineParts } from './parts.ts';

export { type PictureSize, pictureSizes, type Upload } from '../store/pictures/picture-files.ts';

/** A picture whose files are ready and that nothing in the ledger names yet. */
export interface PreparedPicture {
  readonly name: string;
}

export interface Pictures {
  /** A file for bytes that come in; whoever asks for it discards it. Throws `unavailable` while too many come in. */
  receive(): Upload;
  /** Bytes that are free where uploads go. */
  freeBytes(): Promise<number>;
  /**
   * Makes the house's own copies of an upload: 1024 and 128 pixels, without what the camera wrote beside the picture.
   * Throws `invalid_request` naming `field` when it is no picture. Whatever follows, `settle` ends it.
   */
  prepare(upload: Upload, field: string): Promise<PreparedPicture>;
  /** Removes the copies again when nothing was recorded with them. */
  release(picture: PreparedPicture): Promise<void>;
  ofDrink(drinkId: number): Picture | null;
  /** The file of a picture that the ledger names, else null. */
  file(name: string, size: PictureSize): string | null;
  /** Removes files that belong to no picture. */
  sweep(): Promise<void>;
}

/** Ten mebibytes each, on a card that may be small; a party's telephones send one after the other. */
const maxUploads = 8;

export function createPictures({ store }: EngineParts): Pictures {
  const files = store.pictureFiles;
  const prepared = new Set<string>();
  /** One at a time: each takes a processor and up to 200 MB. */
  let work: Promise<unknown> = Promise.resolve();

  const isReferenced = (name: string): boolean =>
    prepared.has(name) || store.pictures.byName(name) !== null || store.pictures.isSetAside(name);

  return {
    receive() {
      if (files.activeUploads() >= maxUploads) {
        throw new AppError('unavailable', 'Many pictures are coming in already: send it again in a moment.');
      }
      return files.receive();
    },

    freeBytes: () => files.freeBytes(),

    prepare(upload, field) {
      const name = randomBytes(16).toString('hex');
      prepared.add(name);
      const task = work.then(() => files.create(upload, name));
      work = task.catch(() => prepared.delete(name));
      return task.then(
        () => ({ name }),
        (fault: unknown) => {
          const isNoPicture = fault instanceof AppError && fault.code === 'wrong_media';
          throw isNoPicture ? validationError(field, fault.message, { name: 'picture' }) : fault;
        },
      );
    },

    async release({ name }) {
      prepared.delete(name);
      if (!isReferenced(name)) await files.remove(name);
    },

    ofDrink: (drinkId) => store.pictures.ofDrink(drinkId),
    file: (name, size) =>
      pictureSizes.includes(size) && store.pictures.byName(name) !== null ? files.path(name, size) : null,
    sweep: () => files.removeUnused(isReferenced),
  };
}
