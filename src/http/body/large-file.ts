import type { Request, Response } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Fields, Route } from '../routes/route.ts';
import type { Limits } from '../server/limits.ts';
import { createUploadSlots } from './upload-slots.ts';
import { extendTimeout } from './upload-timeout.ts';

/** What stays free on the disk whatever is sent, bytes: the bar goes on pouring. */
const reservedBytes = 200 * 1024 * 1024;

/** A large file at the gate. */
interface IncomingFile {
  readonly route: Route;
  /** The fields of the body that came before it. */
  readonly earlierFields: Fields;
  readonly request: Request;
  readonly response: Response;
}

/** Where large files are taken in: one at a time, and each only when it is known that its sender may send it. */
export interface LargeFileSlot {
  /**
   * Resolves to how many bytes there is room for. Rejects with what the route finds wrong with the fields before the
   * file, with `too_many` after too many of these, with `too_large`, and with `unavailable` while another comes in.
   */
  acquire(file: IncomingFile): Promise<number>;
  /** True once the attempt of this request has been counted and found right. */
  hasCountedAttempt(request: object): boolean;
  release(request: object): void;
}

/** Bytes that a large file may have now: fewer than allowed where the disk is full. */
export async function availableBytes(engine: Engine, maxBytes: number): Promise<number> {
  return Math.min(maxBytes, Math.max(0, (await engine.pictures.freeBytes()) - reservedBytes));
}

export function createLargeFileSlot({
  engine,
  limits,
}: {
  readonly engine: Engine;
  readonly limits: Limits;
}): LargeFileSlot {
  const slots = createUploadSlots(1, 'Another large file is coming in: wait until that is done.');
  const counted = new WeakSet<object>();
  return {
    async acquire({ route, earlierFields, request, response }) {
      const { attempt, largeFile } = route;
      const refund = attempt && (await limits.chargeAttempt(attempt, request, response));
      largeFile!.checkFields(earlierFields);
      refund?.();
      counted.add(request);
      slots.acquire(request);
      const maxBytes = await availableBytes(engine, largeFile!.maxBytes);
      // Said now, and not when the disk is full.
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
    ? `The disk has room for ${megabytes} MB only: free some space, or take a larger disk.`
    : `The file is larger than ${megabytes} MB.`;
  return new AppError('too_large', sentence, {
    reason: isFull
      ? { name: 'no_room', megabytes }
      : { name: 'too_large', kilobytes: Math.floor(maxBytes / 1024) },
  });
}
