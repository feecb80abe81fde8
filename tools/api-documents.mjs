// The OpenAPI documents as they are served. Imports TypeScript: see `lint-api.mjs`.
import { currentApi } from '../src/http/current/api.ts';
import { deviceEventOperations } from '../src/http/device-events/operations.ts';
import { legacyApi } from '../src/http/legacy-v1/api.ts';
import { readExamples } from '../src/http/openapi/examples.ts';
import { printOpenApi } from '../src/http/openapi/openapi.ts';

// Only the routes' declarations are read, so no services are passed.
export const apiDocuments = () =>
  Promise.all(
    [currentApi({}, { otherOperations: deviceEventOperations }), legacyApi].map(async (api) => ({
      name: api.name,
      text: JSON.stringify(printOpenApi(api, await readExamples(api.name))),
    })),
  );
