#!/usr/bin/env node
// Checks the OpenAPI documents of both APIs by the recommended rules of Redocly and Spectral, without exceptions: errors and
// warnings count. The documents are printed from the routes' TypeScript through Vite, so that neither a build nor a server
// is needed; the linters' libraries are used without their commands, which would ask the network for news.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'tools/api-documents.mjs');
const { module } = await runnerImport(source, { root, configFile: false, logLevel: 'error' });
const redoclyConfig = await createConfig({ extends: ['recommended'] });
const spectralLinter = new spectral.Spectral();
spectralLinter.setRuleset({ extends: [[rulesets.oas, 'recommended']] });

let count = 0;
for (const { name, text } of await module.apiDocuments()) {
  const byRedocly = await lintFromString({
    source: text,
    absoluteRef: `/${name}.json`,
    config: redoclyConfig,
  });
  const bySpectral = await spectralLinter.run(JSON.parse(text));
  const found = [
    ...byRedocly.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    ...bySpectral.map(({ code, message, path }) => `${code} #/${path.join('/')}: ${message}`),
  ];
  for (const line of found) console.error(`${name}: ${line}`);
  count += found.length;
}
if (count > 0) {
  console.error(`${count} faults in the OpenAPI documents.`);
  process.exit(1);
}
