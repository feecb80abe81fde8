import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * Processor time a process has used in all its threads, milliseconds.
 * @param {number} pid
 */
export function cpuMs(pid) {
  // The name in brackets may hold blanks; the fields are counted behind it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return ((user + system) * 1_000) / ticksPerSecond;
}

/**
 * Resident memory of a process, mebibytes: all of it, and the part that no file stands behind.
 * @param {number} pid
 */
export function residentMib(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { all: field('VmRSS'), anonymous: field('RssAnon') };
}

/** What one thread writes to wake another; Node's garbage collector does so by the hundred. */
const wakeUpBytes = 8;

/**
 * Bytes a process has handed to the kernel to write, log and sockets included, wake-ups of its own threads not; good to
 * one part in two hundred. `write_bytes` beside it would be wrong by up to 256 times: a kernel with large folios counts
 * the whole folio for each page of it that is written.
 * @param {number} pid
 */
export function writtenBytes(pid) {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8');
  const field = (name) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1]);
  // Every write is taken for a wake-up that carried more: a page loses 8 of its 4096 bytes by it, a wake-up all.
  return field('wchar') - wakeUpBytes * field('syscw');
}
