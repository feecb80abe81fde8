import type { Request, Response } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Fields, Route } from '../routes/route.ts';
import type { Limits } from '../server/limits.ts';
import { waitLongFor } from './patience.ts';
import { createPorch } from './porch.ts';

/** What stays free on the disk whatever is sent, bytes: the bar goes on pouring. */
const spareBytes = 200 * 1024 * 1024;

/** A large file at the gate. */
interface Arrival {
  readonly route: Route;
  /** The fields of the body that came before it. */
  readonly before: Fields;
  readonly request: Request;
  readonly response: Response;
}

/** Where large files are taken in: one at a time, and each only when it is known that its sender may send it. */
export interface Yard {
  /**
   * Resolves to how many bytes there is room for. Rejects with what the route finds wrong with the fields before the
   * file, with `too_many` after too many of these, with `too_large`, and with `unavailable` while another comes in.
   */
  enter(arrival: Arrival): Promise<number>;
  /** True once the attempt of this request has been counted and found right. */
  hasJudged(request: object): boolean;
  leave(request: object): void;
}

/** Bytes that a large file may have now: fewer than allowed where the disk is full. */
export async function roomFor(engine: Engine, mostBytes: number): Promise<number> {
  return Math.min(mostBytes, Math.max(0, (await engine.pictures.freeBytes()) - spareBytes));
}

export function createYard({ engine, limits }: { readonly engine: Engine; readonly limits: Limits }): Yard {
  const gate = createPorch(1, 'Another large file is coming in: wait until that is done.');
  const judged = new WeakSet<object>();
  return {
    async enter({ route, before, request, response }) {
      const { attempt, largeFile } = route;
      const giveBack = attempt && (await limits.chargeAttempt(attempt, request, response));
      largeFile!.checkFields(before);
      giveBack?.();
      judged.add(request);
      gate.enter(request);
      const mostBytes = await roomFor(engine, largeFile!.maxBytes);
      // Said now, and not when the disk is full.
      if (Number(request.headers['content-length'] ?? 0) > mostBytes) {
        throw tooLarge(mostBytes, mostBytes < largeFile!.maxBytes);
      }
      waitLongFor(request);
      return mostBytes;
    },
    hasJudged: (request) => judged.has(request),
    leave: gate.leave,
  };
}

function tooLarge(mostBytes: number, isFull: boolean): AppError {
  const megabytes = Math.floor(mostBytes / 1e6);
  const sentence = isFull
    ? `The disk has room for ${megabytes} MB only: free some space, or take a larger disk.`
    : `The file is larger than ${megabytes} MB.`;
  return new AppError('too_large', sentence, {
    reason: isFull
      ? { name: 'no_room', megabytes }
      : { name: 'too_large', kilobytes: Math.floor(mostBytes / 1024) },
  });
}
