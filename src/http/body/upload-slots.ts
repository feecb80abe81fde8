import { AppError } from '../../core/app-error.ts';

/** Strangers whose pictures may be on their way at once, at each face of the house. */
const maxUnidentified = 2;

/**
 * Where senders of files wait whose key, if they have one, is a field of the body that has yet to arrive. They are few,
 * so that strangers who send slowly take no room from those who showed their key at the door.
 */
export interface UploadSlots {
  /** Throws `unavailable` while it is full; one request is there once. */
  acquire(request: object): void;
  release(request: object): void;
}

const allTakenMessage =
  'Other pictures are coming in: send it again in a moment, or send the key in a header.';

export function createUploadSlots(maxSlots = maxUnidentified, message = allTakenMessage): UploadSlots {
  const holders = new Set<object>();
  return {
    acquire(request) {
      if (holders.size >= maxSlots && !holders.has(request)) {
        throw new AppError('unavailable', message);
      }
      holders.add(request);
    },
    release: (request) => void holders.delete(request),
  };
}
