import { AppError } from '../../core/app-error.ts';

/** Concurrent uploads of unidentified clients, per API. */
const maxUnidentified = 2;

/**
 * Slots for uploads whose key, if any, is a field of the body and has not arrived yet. There are few, so that slow
 * unidentified clients cannot block clients that sent their key in a header.
 */
export interface UploadSlots {
  /** Throws `unavailable` when no slot is free. A request uses one slot, however often it calls this. */
  acquire(request: object): void;
  release(request: object): void;
}

const allInUseMessage = 'Other uploads are running: try again in a moment, or send the key in a header.';

export function createUploadSlots(maxSlots = maxUnidentified, message = allInUseMessage): UploadSlots {
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
