import { setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { issueCertificates } from './issue-certificates.ts';
import type { IssueJob } from './issue-jobs.ts';

// Runs as a child process: the job is on standard input, the result on standard output, both JSON with keys.
try {
  // Low priority: counting in the parent process goes first.
  setPriority(10);
} catch {
  // A sandbox may forbid it.
}

const job = JSON.parse(await text(process.stdin)) as IssueJob;
process.stdout.write(JSON.stringify(await issueCertificates(job)));
