// In the guest: node run-jobs.mjs RESULTS FOLDER [PART-OF-A-NAME]
import { readdirSync } from 'node:fs';
import { runAll } from './harness.mjs';

const [results, folder, only] = process.argv.slice(2);
const jobs = new URL(`./jobs/${folder}/`, import.meta.url);
for (const job of readdirSync(jobs).sort()) await import(new URL(job, jobs).href);
await runAll(results, only?.replaceAll('_', ' '));
process.exit(0);
