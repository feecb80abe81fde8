import type { Request } from 'express';
import { AppError } from '../../core/app-error.ts';
import { isPictureOnlyFault } from '../pictures.ts';
import { bodyReadersFor, withHint } from '../routes/api-definition.ts';
import type { Fields } from '../routes/route.ts';
import { isAllowed } from './authorize.ts';
import { parseUrlencoded } from './body/form-values.ts';
import type { Sender } from './body/json-fields.ts';
import { hasBody, maxPictureBytes, type ReadBody, readBody, type UploadTarget } from './body/read-body.ts';
import { callerUser } from './caller.ts';
import type { MatchedRequest, ReadRequest } from './context.ts';
import { findCaller, findCredentials } from './identify.ts';

const noFields: Fields = {};
const emptyBody: ReadBody = { fields: noFields, areTexts: false };

/** Reads the query. Throws `invalid_request` for a malformed one. */
export const readQuery = (matched: MatchedRequest): ReadRequest => ({
  ...matched,
  query: parseQuery(matched.request),
  body: emptyBody,
  bodyFault: null,
  now: matched.clock.now(),
});

/**
 * Reads the body of a method that changes something, within the limits for its sender; returns the same object for a
 * request without a body. An error of the body is kept, since errors of authorization come first and the key may be a
 * field.
 */
export async function readBodyOf<R extends ReadRequest>(unread: R, sender: Sender): Promise<R> {
  const { api, request, clock } = unread;
  if (!unread.writes || !hasBody(request)) return unread;
  let body = emptyBody;
  let bodyFault: unknown = null;
  try {
    body = await readMatchedBody(unread, sender);
  } catch (fault) {
    const isWrongMedia = fault instanceof AppError && fault.code === 'wrong_media';
    bodyFault = isWrongMedia ? new AppError('wrong_media', withHint(fault.message, api, request)) : fault;
  }
  return { ...unread, body, bodyFault, now: clock.now() };
}

function parseQuery({ url }: Request): Fields {
  const mark = url.indexOf('?');
  return mark < 0 ? noFields : parseUrlencoded(url.slice(mark + 1));
}

/**
 * Throws `too_many` before a picture is received if its sender is known and has used up the quota. A sender whose key
 * follows in the body is counted when the picture is complete.
 */
function requireQuota(readSoFar: ReadRequest): void {
  const { engine, request, now } = readSoFar;
  const user = callerUser(findCaller(readSoFar, findCredentials(readSoFar)));
  if (user !== null)
    engine.pictures.requireQuota({ user, now }, Math.min(contentLength(request), maxPictureBytes));
}

/** Bytes of the body as announced; 0 when nothing is announced. */
const contentLength = ({ headers }: Request): number => Number(headers['content-length'] ?? 0);

function readMatchedBody(unread: ReadRequest, sender: Sender): Promise<ReadBody> {
  const { api, engine, clock, request, response, route, uploads, uploadSlots, largeFileSlot } = unread;
  const uploadTarget: UploadTarget = {
    files: route.accepts.files ?? [],
    maxFileBytes: route.largeFile?.maxBytes ?? maxPictureBytes,
    areFilesOptional: route.accepts.areFilesOptional ?? false,
    async createUpload(earlierFields) {
      const readSoFar = { ...unread, now: clock.now() };
      try {
        if (!isAllowed(readSoFar)) uploadSlots.acquire(request);
        if (!route.largeFile) requireQuota(readSoFar);
        const maxBytes = route.largeFile
          ? await largeFileSlot.acquire({ route, earlierFields, request, response })
          : maxPictureBytes;
        const upload = engine.pictures.receive(Math.min(maxBytes, contentLength(request)));
        uploads.push(upload);
        return { upload, maxBytes };
      } catch (fault) {
        if (route.accepts.areFilesOptional && isPictureOnlyFault(fault)) return null;
        throw fault;
      }
    },
  };
  return readBody(request, bodyReadersFor(api, route), { sender, uploadTarget });
}
