#!/usr/bin/env node
import { runCli } from './cli/cli.ts';
import { waitForDrain } from './cli/wait-for-drain.ts';

// A pipe whose reader ends early (`tapster doctor | head`) is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// Files of every command may hold keys and personal data: only the owner may read them.
process.umask(0o077);

const code = await runCli(process.argv.slice(2), {
  out: (result) => void process.stdout.write(result),
  waitForDrain: () => waitForDrain(process.stdout),
  err: (text) => void process.stderr.write(text),
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
});
process.exit(code);
