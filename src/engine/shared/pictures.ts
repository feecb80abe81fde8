import { randomBytes } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import type { Picture } from '../../core/records.ts';
import { type PictureSize, pictureSizes, type Upload } from '../../store/pictures/picture-files.ts';
import type { DrinkPicture } from '../../store/pictures/pictures-table.ts';
import { requireFound, validationError } from './bounds.ts';
import type { EngineParts } from './parts.ts';
import { countUpload, requireQuota, type Uploader } from './picture-quota.ts';

export type { PictureSize, Upload } from '../../store/pictures/picture-files.ts';

/** A picture whose files are ready but not yet referenced by the database. */
export interface PreparedPicture {
  readonly name: string;
}

/** Up to 10 MiB each, on an SD card that may be small; phones at a party upload one after the other. */
const maxUploads = 8;

export function createPictures({ store }: EngineParts) {
  const files = store.pictures.files;
  const prepared = new Set<string>();

  const isReferenced = (name: string): boolean =>
    prepared.has(name) || store.pictures.byName(name) !== null || store.pictures.isCancelled(name);

  return {
    /**
     * Creates a file for at most so many incoming bytes; the caller discards it. Throws `unavailable` while too many
     * uploads are running, and when the disk has no space for them.
     */
    receive(bytes: number): Upload {
      store.diskSpace.require('file', bytes);
      if (files.activeUploads() >= maxUploads) {
        throw new AppError('unavailable', 'Too many uploads are running: try again in a moment.', {
          reason: { name: 'uploads_running' },
        });
      }
      return files.receive();
    },

    /** Bytes of files that the disk has space for now; infinite for a database in memory. */
    writableBytes: (): number => store.diskSpace.writable('file'),

    /** Throws `too_many` if an upload of so many bytes would exceed the user's quota; counts nothing. */
    requireQuota: (by: Uploader, bytes: number): void => requireQuota(store, by, bytes),

    /**
     * Creates copies of an upload, 1024 and 128 pixels, without camera metadata. The upload counts towards the quota of
     * `by`, whatever it contains. Throws `too_many` beyond the quota, `invalid_request` naming `field` when it is not a
     * picture, `unavailable` when it cannot be resized or stored now. The caller must call `release` afterwards in every
     * case.
     */
    async prepare(upload: Upload, field: string, by: Uploader): Promise<PreparedPicture> {
      countUpload(store, by, upload.bytes());
      const name = randomBytes(16).toString('hex');
      prepared.add(name);
      return files.create(upload, name).then(
        () => ({ name }),
        (fault: unknown) => {
          prepared.delete(name);
          const isNoPicture = fault instanceof AppError && fault.code === 'wrong_media';
          throw isNoPicture ? validationError(field, fault.message, { name: 'picture' }) : fault;
        },
      );
    },

    /** Deletes the copies when nothing in the database refers to them. */
    async release({ name }: PreparedPicture): Promise<void> {
      prepared.delete(name);
      if (!isReferenced(name)) await files.remove(name);
    },

    /** Pictures of the drinks of a session, oldest pour first; `not_found` for an unknown session. */
    ofSession(sessionId: number): readonly DrinkPicture[] {
      const id = store.drinks.sessions.survivorId(sessionId);
      requireFound(store.drinks.sessions.byId(id), `session ${sessionId}`);
      return store.pictures.bySession(id);
    },

    ofDrink: (drinkId: number): Picture | null => store.pictures.byDrink(drinkId),

    /** Path of a picture's file; null when the database does not refer to it. */
    file: (name: string, size: PictureSize): string | null =>
      pictureSizes.includes(size) && store.pictures.byName(name) !== null ? files.path(name, size) : null,

    /** Deletes files that belong to no picture. */
    sweep: (): Promise<void> => files.removeUnused(isReferenced),
  };
}
