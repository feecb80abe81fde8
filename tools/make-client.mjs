#!/usr/bin/env node
// Generates src/web/api/generated.ts, the types of the page's API client. Loads the routes' TypeScript through
// Vite, so that neither a build nor a running daemon is needed. `tools/build.mjs` runs it when it is needed.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'tools/client-text.mjs');
const { module } = await runnerImport(source, { root, configFile: false, logLevel: 'error' });
writeFileSync(join(root, 'src/web/api/generated.ts'), module.clientText);
