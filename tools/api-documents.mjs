// The OpenAPI documents as they are served. Imports TypeScript: see `lint-api.mjs`.
import { extensions } from '../src/extensions/all.ts';
import { loadHttpExtensions } from '../src/extensions/extension.ts';
import { currentApi } from '../src/http/current/api.ts';
import { legacyApi } from '../src/http/legacy-v1/api.ts';
import { readExamples } from '../src/http/openapi/examples.ts';
import { printOpenApi } from '../src/http/openapi/openapi.ts';

// Here, since nothing can be imported once this module is.
const loaded = await loadHttpExtensions(extensions);

// Only the routes' declarations are read, so no services are passed.
export const apiDocuments = async () =>
  Promise.all(
    [currentApi({}, { extensions: loaded }), legacyApi].map(async (api) => ({
      name: api.name,
      text: JSON.stringify(printOpenApi(api, await readExamples(api.name))),
    })),
  );
