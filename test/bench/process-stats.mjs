import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time used by the running threads of a process, milliseconds. From `schedstat`, in nanoseconds: `stat` has steps of 10 ms, a tenth of
 * what a pour costs.
 * @param {number} pid
 */
export function cpuMs(pid) {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder).reduce(
    (sum, id) => sum + Number(readFileSync(`${folder}/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  );
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
