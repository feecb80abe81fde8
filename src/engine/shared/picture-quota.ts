import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { pictureQuotas, quotaPeriodMs, quotaWaitMs } from '../../core/files/picture-quota.ts';
import type { User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';

/** Who uploads a picture, and when. */
export interface Uploader {
  readonly user: User;
  readonly now: Moment;
}

/** Throws `too_many`, which says when the next upload is possible, if so many bytes exceed the user's quota. */
export function requireQuota(store: Store, { user, now }: Uploader, bytes: number): void {
  const quota = user.isStaff || user.isSuperuser ? pictureQuotas.staff : pictureQuotas.member;
  const nowMs = toTimeMs(now);
  const uploads = store.pictures.uploads.since(user.id, nowMs - quotaPeriodMs, nowMs);
  const waitMs = quotaWaitMs(uploads, quota, { bytes, nowMs });
  if (waitMs === 0) return;
  const megabytes = Math.floor(quota.bytes / 1_048_576);
  const minutes = Math.ceil(waitMs / 60_000);
  throw new AppError(
    'too_many',
    `You may upload ${quota.pictures} pictures and ${megabytes} MiB within 24 hours: the next one is possible in ${formatWait(minutes)}.`,
    {
      reason: { name: 'picture_quota', pictures: quota.pictures, megabytes, minutes },
      retryAfterS: Math.ceil(waitMs / 1_000),
    },
  );
}

/** Counts an upload, in one transaction with the check. Throws like `requireQuota`, and then counts nothing. */
export function countUpload(store: Store, uploader: Uploader, bytes: number): void {
  const timeMs = toTimeMs(uploader.now);
  store.transaction(() => {
    requireQuota(store, uploader, bytes);
    store.pictures.uploads.removeOutside(timeMs - quotaPeriodMs, timeMs);
    store.pictures.uploads.add(uploader.user.id, { timeMs, bytes });
  });
}

const toTimeMs = (now: Moment): number => Math.max(0, Math.round(now.wallMs));

/** From 100 minutes on in hours, rounded up. */
const formatWait = (minutes: number): string =>
  minutes < 100 ? `${minutes} minute${minutes === 1 ? '' : 's'}` : `${Math.ceil(minutes / 60)} hours`;
