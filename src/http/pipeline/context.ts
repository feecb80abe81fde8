import type { Request, Response } from 'express';
import type { Clock, Moment } from '../../core/clock/moment.ts';
import type { Engine, Upload } from '../../engine/engine.ts';
import type { HttpsAdmin } from '../https-ports.ts';
import type { Log } from '../ports.ts';
import type { ApiDefinition } from '../routes/api-definition.ts';
import type { ReplyFormat } from '../routes/reply-format.ts';
import type { Accepts, Fields, Route, RouteInput } from '../routes/route.ts';
import type { LargeFileSlot } from '../server/large-file.ts';
import type { Limits } from '../server/limits.ts';
import type { RefusedBodies } from '../server/refusals/refused-bodies.ts';
import type { UploadSlots } from '../server/upload-slots.ts';
import type { ReadBody } from './body/read-body.ts';
import type { Caller, Credentials } from './caller.ts';
import type { RepeatedWrites } from './repeated-writes.ts';
import type { RouteMatch } from './route-table.ts';

/** Headers of every answer: name, value, name, value, the form in which Node writes them fastest. */
export type BaseHeaders = readonly string[];

/** What an API needs to answer requests. */
export interface MountOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** Without it, every refusal is answered at once. */
  readonly refusedBodies?: RefusedBodies;
  /** Names of this host beside its own host name. */
  readonly hosts: readonly string[];
  /** HTTPS on this machine, which some requests may have to use. */
  readonly https: HttpsAdmin;
  /** Headers of every answer, unless a middleware has set them; the API's own headers follow. */
  readonly headers?: BaseHeaders;
  /** Origins whose pages may use the API with a key; none if absent. */
  readonly corsOrigins?: readonly string[];
  /** True in tests: a reply that differs from its schema is an error. */
  readonly checkReplies: boolean;
}

/** An API with what all its requests share. */
export interface MountedApi extends MountOptions {
  readonly api: ApiDefinition;
  readonly baseHeaders: BaseHeaders;
  readonly findEndpoint: (segments: readonly string[]) => RouteMatch | null;
  readonly uploadSlots: UploadSlots;
  readonly largeFileSlot: LargeFileSlot;
  readonly repeatedWrites: RepeatedWrites;
}

/** A request before the first step. Each of the following types adds the result of one step. */
export interface ReceivedRequest extends MountedApi {
  readonly request: Request;
  readonly response: Response;
  readonly format: ReplyFormat;
  /** True for a method that changes something. */
  readonly writes: boolean;
  /** Uploaded files; deleted after the answer. */
  readonly uploads: Upload[];
}

export interface MatchedRequest extends ReceivedRequest {
  readonly route: Route;
  /** Texts for the `{…}` of the route's path, in order. */
  readonly paramValues: readonly string[];
}

export interface ReadRequest extends MatchedRequest {
  readonly query: Fields;
  readonly body: ReadBody;
  /** The error of the body, null without one. Thrown after authorization, whose errors come first. */
  readonly bodyFault: unknown;
  /** The request's time: when its body is complete. */
  readonly now: Moment;
}

export interface IdentifiedRequest extends ReadRequest {
  readonly credentials: Credentials;
  readonly caller: Caller;
}

export interface ValidatedRequest extends IdentifiedRequest {
  readonly input: RouteInput<Accepts>;
}
