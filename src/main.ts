#!/usr/bin/env node
import { runCli } from './cli/cli.ts';
import { waitForDrain } from './cli/wait-for-drain.ts';

// A reader that leaves early (`tapster doctor | head`) is no fault of ours.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// Keys and people are in what we write, whichever command writes it: nobody else reads it.
process.umask(0o077);

const code = await runCli(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  waitForDrain: () => waitForDrain(process.stdout),
  err: (text) => void process.stderr.write(text),
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
});
process.exit(code);
