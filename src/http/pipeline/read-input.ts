import type { Request } from 'express';
import { bodyReadersFor } from '../routes/api-definition.ts';
import type { Fields } from '../routes/route.ts';
import { isAllowed } from './authorize.ts';
import { parseUrlencoded } from './body/form-values.ts';
import { maxPictureBytes, type ReadBody, readBody, type UploadTarget } from './body/read-body.ts';
import type { MatchedRequest, ReadRequest } from './context.ts';

const noFields: Fields = {};
const emptyBody: ReadBody = { fields: noFields, areTexts: false };

/**
 * Reads the query and, of a method that changes something, the body within its limits. Throws `invalid_request` for a
 * malformed query. An error of the body is kept, since errors of authorization come first and the key may be a field.
 */
export async function readInput(matched: MatchedRequest): Promise<ReadRequest> {
  const query = parseQuery(matched.request);
  let body = emptyBody;
  let bodyFault: unknown = null;
  if (matched.writes) {
    try {
      body = await readMatchedBody(matched, query);
    } catch (fault) {
      bodyFault = fault;
    }
  }
  return { ...matched, query, body, bodyFault, now: matched.clock.now() };
}

function parseQuery({ url }: Request): Fields {
  const mark = url.indexOf('?');
  return mark < 0 ? noFields : parseUrlencoded(url.slice(mark + 1));
}

function readMatchedBody(matched: MatchedRequest, query: Fields): Promise<ReadBody> {
  const { api, engine, clock, request, response, route, uploads, uploadSlots, largeFileSlot } = matched;
  const uploadTarget: UploadTarget = {
    files: route.accepts.files ?? [],
    maxFileBytes: route.largeFile?.maxBytes ?? maxPictureBytes,
    async createUpload(earlierFields) {
      const readSoFar = { ...matched, query, body: emptyBody, bodyFault: null, now: clock.now() };
      if (!isAllowed(readSoFar)) uploadSlots.acquire(request);
      const maxBytes = route.largeFile
        ? await largeFileSlot.acquire({ route, earlierFields, request, response })
        : maxPictureBytes;
      const upload = engine.pictures.receive();
      uploads.push(upload);
      return { upload, maxBytes };
    },
  };
  return readBody(request, bodyReadersFor(api, route), uploadTarget);
}
