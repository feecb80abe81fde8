import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { childProcessQueue } from '../../store/child-processes.ts';
import type { IssueJob, IssueResult } from './issue-jobs.ts';

/** A busy Pi Zero needs some seconds to load the library. */
const timeoutMs = 120_000;

/** Makes certificates in a child process, whose libraries take 25 MB that this process then never needs. */
export const issueInChild = (job: IssueJob): Promise<IssueResult> =>
  childProcessQueue.run(() => runChild(job));

async function runChild(job: IssueJob): Promise<IssueResult> {
  const child = spawn(process.execPath, ['--max-old-space-size=64', childPath()], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {},
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  // A child that ends early breaks the pipe; its exit code says so.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(job));
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  if (code !== 0)
    throw new Error(`The certificate process ended with ${code ?? signal}: ${errors.slice(-2_000)}`);
  return JSON.parse(output) as IssueResult;
}

function childPath(): string {
  const beside = fileURLToPath(new URL('./issue-child.js', import.meta.url));
  if (existsSync(beside)) return beside;
  return fileURLToPath(new URL('../../../dist/services/https/issue-child.js', import.meta.url));
}
