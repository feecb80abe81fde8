import { AppError } from '../../core/app-error.ts';

/** Strangers whose pictures may be on their way at once, at each face of the house. */
const mostStrangers = 2;

/**
 * Where senders of files wait whose key, if they have one, is a field of the body that has yet to arrive. They are few,
 * so that strangers who send slowly take no room from those who showed their key at the door.
 */
export interface Porch {
  /** Throws `unavailable` while it is full; one request is there once. */
  enter(request: object): void;
  leave(request: object): void;
}

const othersPictures =
  'Other pictures are coming in: send it again in a moment, or send the key in a header.';

export function createPorch(most = mostStrangers, full = othersPictures): Porch {
  const waiting = new Set<object>();
  return {
    enter(request) {
      if (waiting.size >= most && !waiting.has(request)) {
        throw new AppError('unavailable', full);
      }
      waiting.add(request);
    },
    leave: (request) => void waiting.delete(request),
  };
}
