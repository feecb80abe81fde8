// In the guest: node run-jobs.mjs RESULTS [PART-OF-A-NAME]
import { readdirSync } from 'node:fs';
import { runAll } from './harness.mjs';

const [results, only] = process.argv.slice(2);
for (const job of readdirSync(new URL('./jobs/', import.meta.url)).sort()) {
  await import(new URL(`./jobs/${job}`, import.meta.url).href);
}
await runAll(results, only?.replaceAll('_', ' '));
process.exit(0);
