import type { Request, Response } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Fields, Route } from '../routes/route.ts';
import type { Limits } from './limits.ts';
import { overloadLimits } from './overload-limits.ts';
import { createUploadSlots } from './upload-slots.ts';
import { extendTimeout } from './upload-timeout.ts';

/** A large file about to be uploaded. */
interface IncomingFile {
  readonly route: Route;
  /** The fields that came before it in the body. */
  readonly earlierFields: Fields;
  readonly request: Request;
  readonly response: Response;
}

/** The slot for large uploads: one at a time, and only after the fields before the file have been checked. */
export interface LargeFileSlot {
  /**
   * Resolves to the number of bytes that fit. Rejects with the route's error for the fields before the file, with
   * `too_many` after too many such errors, with `too_large`, and with `unavailable` while another upload runs.
   */
  acquire(file: IncomingFile): Promise<number>;
  /** True when the attempt of this request has already been counted and was right. */
  hasCountedAttempt(request: object): boolean;
  release(request: object): void;
}

/** Returns how many bytes a large file may have now: `maxBytes`, or less when the disk is nearly full. */
export const availableBytes = (engine: Engine, maxBytes: number): number =>
  Math.min(maxBytes, engine.pictures.writableBytes());

export function createLargeFileSlot({
  engine,
  limits,
}: {
  readonly engine: Engine;
  readonly limits: Limits;
}): LargeFileSlot {
  const slots = createUploadSlots(
    overloadLimits.largeUploads,
    'Another large file is being uploaded: wait until that is done.',
  );
  const counted = new WeakSet<object>();
  return {
    async acquire({ route, earlierFields, request, response }) {
      const { attempt, largeFile } = route;
      const removeAttempt = attempt && (await limits.countAttempt(attempt, request, response));
      largeFile!.checkFields(earlierFields);
      removeAttempt?.();
      counted.add(request);
      slots.acquire(request);
      const maxBytes = availableBytes(engine, largeFile!.maxBytes);
      // Rejected now rather than after the disk is full.
      if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
        throw tooLarge(maxBytes, maxBytes < largeFile!.maxBytes);
      }
      extendTimeout(request);
      return maxBytes;
    },
    hasCountedAttempt: (request) => counted.has(request),
    release: slots.release,
  };
}

function tooLarge(maxBytes: number, isFull: boolean): AppError {
  const megabytes = Math.floor(maxBytes / 1e6);
  const sentence = isFull
    ? `Only ${megabytes} MB are free on the disk: free some space, or use a larger disk.`
    : `The file is larger than ${megabytes} MB.`;
  return new AppError('too_large', sentence, {
    reason: isFull
      ? { name: 'no_disk_space', megabytes }
      : { name: 'too_large', kilobytes: Math.floor(maxBytes / 1024) },
  });
}
