#!/usr/bin/env node
// Checks the production packages for known serious vulnerabilities with npm audit. Exit: 0 none, 1 some
// (listed), 77 the registry does not answer (the last line says "skipped: …").
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: root,
  encoding: 'utf8',
  timeout: 120_000,
});
const answer = parsed(stdout);
if (!answer.vulnerabilities) {
  console.log(`skipped: the registry does not answer npm audit (${answer.message ?? 'no message'}).`);
  process.exit(77);
}
const serious = Object.values(answer.vulnerabilities).filter(({ severity }) =>
  /high|critical/.test(severity),
);
for (const { name, severity, range } of serious) console.log(`${name} ${range}: ${severity}`);
console.log(
  serious.length === 0 ? 'No package has a known serious vulnerability.' : 'Details: npm audit --omit=dev',
);
process.exit(serious.length === 0 ? 0 : 1);

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
