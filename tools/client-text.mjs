// The types of the page's API client, from the declarations of the routes. Imports TypeScript: see
// `make-client.mjs`.
import { extensions } from '../src/extensions/all.ts';
import { loadHttpExtensions } from '../src/extensions/extension.ts';
import { currentApi } from '../src/http/current/api.ts';
import { clientTypes } from '../src/http/openapi/client-types.ts';
import { printOpenApi } from '../src/http/openapi/openapi.ts';

// Only the routes' declarations are read, so no services are passed.
// With the routes of the demo, which the page uses, too.
// The page does not call the APIs beside the current one.
const api = currentApi({ demo: {} }, { extensions: { ...(await loadHttpExtensions(extensions)), apis: [] } });
export const clientText = clientTypes(printOpenApi(api), api.prefix);
