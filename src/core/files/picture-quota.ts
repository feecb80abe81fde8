const MiB = 1_048_576;

/** How much a user may upload within 24 hours. */
export interface PictureQuota {
  readonly pictures: number;
  readonly bytes: number;
}

/** The time over which uploads are counted, milliseconds. */
export const quotaPeriodMs = 86_400_000;

/**
 * Members: more than a guest photographs in a night, and 10 of the largest pictures. Staff: a tablet at the bar that
 * photographs every drink of a busy day with one key.
 */
export const pictureQuotas: { readonly member: PictureQuota; readonly staff: PictureQuota } = {
  member: { pictures: 50, bytes: 100 * MiB },
  staff: { pictures: 1_000, bytes: 2_048 * MiB },
};

/** An upload that counts towards the quota. */
export interface CountedUpload {
  readonly timeMs: number;
  readonly bytes: number;
}

/**
 * Milliseconds until an upload of so many bytes is possible; 0 if it is now. `uploads` are those of the last
 * `quotaPeriodMs`, oldest first. An upload larger than the quota waits for all of them.
 */
export function quotaWaitMs(
  uploads: readonly CountedUpload[],
  quota: PictureQuota,
  { bytes, nowMs }: { readonly bytes: number; readonly nowMs: number },
): number {
  let pictures = uploads.length;
  let usedBytes = uploads.reduce((sum, upload) => sum + upload.bytes, 0);
  let waitMs = 0;
  for (const upload of uploads) {
    if (pictures < quota.pictures && usedBytes + bytes <= quota.bytes) break;
    pictures -= 1;
    usedBytes -= upload.bytes;
    waitMs = upload.timeMs + quotaPeriodMs - nowMs;
  }
  return Math.max(0, waitMs);
}
