import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { PictureSize } from '../../../engine/engine.ts';
import { defineRawRoute } from '../../routes/route.ts';
import { Open } from '../../routes/schemas.ts';
import { findKnownTag, formatEntityTag } from '../../server/entity-tags.ts';
import { openFile, sendOpenFile } from '../../server/send-bytes.ts';

/** Bounds how long a deleted picture stays in browser caches. */
const cacheSeconds = 3_600;

export const getPicture = defineRawRoute({
  id: 'getPicture',
  method: 'get',
  path: '/pictures/{file}',
  summary: 'Get a picture: at most 1024 pixels long, or a square of 128 pixels',
  description:
    'Always JPEG. The addresses are in the replies of drinks, beverages, producers, users and the site; they stay ' +
    'the same as long as the picture. Caches may keep it for an hour.',
  access: 'viewer',
  accepts: {
    params: Open({
      file: Type.String({ maxLength: 64, description: '`<name>-1024.jpg` or `<name>-128.jpg`.' }),
    }),
  },
  mediaType: 'image/jpeg',
  hasEntityTag: true,
  async send({ engine }, { request, response }, { params }) {
    const [, name, size] = /^([0-9a-f]{32})-(1024|128)\.jpg$/.exec(params.file) ?? [];
    const path = name === undefined ? null : engine.pictures.file(name, Number(size) as PictureSize);
    const picture = path === null ? null : await openFile(path);
    if (picture === null)
      throw new AppError('not_found', 'There is no such picture.', { reason: { name: 'not_found' } });
    // Private: the site may become private, and a shared cache does not check the key.
    response.setHeader('Cache-Control', `private, max-age=${cacheSeconds}`);
    // A picture never changes under its name.
    response.setHeader('ETag', formatEntityTag(params.file, null));
    if (findKnownTag(request.headers['if-none-match'], params.file) !== null) {
      response.writeHead(304).end();
      await picture.file.close();
      return;
    }
    response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': picture.sizeBytes });
    await sendOpenFile(response, picture.file);
  },
});
