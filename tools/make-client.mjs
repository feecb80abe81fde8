#!/usr/bin/env node
// Generates the types of the page's API client from the routes of the built daemon.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentApi } from '../dist/http/current/api.js';
import { clientTypes } from '../dist/http/openapi/client-types.js';
import { printOpenApi } from '../dist/http/openapi/openapi.js';

// Only the routes' declarations are read, so no services are passed.
const api = currentApi({});
const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'web', 'api', 'operations.ts');
writeFileSync(file, clientTypes(printOpenApi(api), api.prefix));
