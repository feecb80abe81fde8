import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * CPU time used by all threads of a process, milliseconds.
 * @param {number} pid
 */
export function cpuMs(pid) {
  // The process name in brackets may contain blanks, so fields are counted after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return ((user + system) * 1_000) / ticksPerSecond;
}

/**
 * Resident memory of a process in MiB: total and anonymous, that is not backed by a file.
 * @param {number} pid
 */
export function residentMib(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { all: field('VmRSS'), anonymous: field('RssAnon') };
}

/** Bytes a thread writes to wake another one; Node's garbage collector does so hundreds of times. */
const wakeUpBytes = 8;

/**
 * Bytes a process has written, including log and sockets, without the wake-ups of its own threads; exact to 0.5 %.
 * `write_bytes` would be wrong by up to a factor of 256: a kernel with large folios counts the whole folio for each
 * page written in it.
 * @param {number} pid
 */
export function writtenBytes(pid) {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8');
  const field = (name) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1]);
  // 8 bytes are subtracted for every write: 0.2 % of a page of 4096 bytes, and all of a wake-up.
  return field('wchar') - wakeUpBytes * field('syscw');
}
