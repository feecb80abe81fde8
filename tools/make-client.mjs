#!/usr/bin/env node
// Writes the types of the page's client from the routes of the built daemon.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentEdition } from '../dist/http/editions/current/edition.js';
import { clientTypes } from '../dist/http/routes/client-types.js';
import { printOpenApi } from '../dist/http/routes/openapi.js';

// Only what the routes declare is read; the parts of the house they speak to are not needed for that.
const edition = currentEdition({});
const file = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'web', 'api', 'operations.ts');
writeFileSync(file, clientTypes(printOpenApi(edition), edition.prefix));
