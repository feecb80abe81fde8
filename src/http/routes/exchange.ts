import type { Request, Response } from 'express';
import type { Clock } from '../../core/clock/moment.ts';
import type { Engine, Upload } from '../../engine/engine.ts';
import type { LargeFileSlot } from '../body/large-file.ts';
import type { UploadSlots } from '../body/upload-slots.ts';
import type { Log } from '../ports.ts';
import type { Limits } from '../server/limits.ts';
import type { ApiDefinition, WireForm } from './api-definition.ts';
import type { BaseHeaders } from './replies.ts';
import type { Route } from './route.ts';
import type { RouteMatch } from './route-table.ts';

/** What an API needs to answer requests. */
export interface MountOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** Names of this host beside its own host name. */
  readonly hosts: readonly string[];
  /** Headers of every answer, unless a middleware has set them; the API's own headers follow. */
  readonly headers?: BaseHeaders;
  /** True in tests: a reply that differs from its schema is an error. */
  readonly checkReplies: boolean;
}

/** One request with what is known before the caller is identified. */
export interface Exchange {
  readonly api: ApiDefinition;
  readonly options: MountOptions;
  readonly request: Request;
  readonly response: Response;
  readonly baseHeaders: BaseHeaders;
  readonly form: WireForm;
  readonly match: RouteMatch;
  readonly route: Route;
  /** True for a method that changes something. */
  readonly writes: boolean;
  /** Uploaded files; deleted after the answer. */
  readonly uploads: Upload[];
  readonly uploadSlots: UploadSlots;
  readonly largeFileSlot: LargeFileSlot;
}
