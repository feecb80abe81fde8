import { AppError } from '../../core/app-error.ts';
import { overloadLimits } from './overload-limits.ts';
import { createSlots, type SlotLimits } from './slots.ts';

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

export function createUploadSlots(
  limits: SlotLimits = overloadLimits.unidentifiedUploads,
  message = allInUseMessage,
): UploadSlots {
  const slots = createSlots<object>(limits);
  return {
    acquire(request) {
      if (!slots.acquire(request, '')) throw new AppError('unavailable', message);
    },
    release: slots.release,
  };
}
