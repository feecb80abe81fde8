// The simulated GPIO chips: their names, pulses on their lines, levels and owners.
import { execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { onTestEnd } from './harness.mjs';

const read = (path) => readFileSync(path, 'latin1').trim();

/** The chip with a label: its device, its folder with `pull` and `value` files, its base number in sysfs. */
export function chip(label) {
  const name = read(`/run/${label}.dev`);
  return {
    label,
    name,
    device: `/dev/${name}`,
    folder: read(`/run/${label}.dir`),
    base: Number(read(`/run/${label}.base`)),
  };
}

export const taps = chip('taps');
export const spare = chip('spare');

/** The present level of a line. */
export const level = (on, offset) => Number(read(`${on.folder}/sim_gpio${offset}/value`));

/** Sets the resistor on a line: `pull-up` or `pull-down`. */
export const pull = (on, offset, way) => writeFileSync(`${on.folder}/sim_gpio${offset}/pull`, way);

/**
 * Starts pulses on lines of a chip. `done` resolves to the summary of the pulses sent; `sent()` returns the
 * number sent so far per line; `stop()` ends them early.
 */
export function pulses({ on = taps, lines, hz, count, staggerMs = 0 }) {
  const countsFile = `/run/sent-${lines.join('-')}`;
  writeFileSync(countsFile, Buffer.alloc(4 * lines.length));
  const args = [on.folder, hz, count, staggerMs, ...lines].map(String);
  let child;
  const done = new Promise((resolve, reject) => {
    child = execFile('/kernel/toggler', args, { env: { SENT: countsFile } }, (error, stdout, stderr) => {
      if (error && error.signal !== 'SIGKILL') reject(new Error(`toggler: ${error.message} ${stderr}`));
      else resolve(error ? null : JSON.parse(stdout));
    });
  });
  const stop = () => {
    child.kill('SIGKILL');
    return done.catch(() => null);
  };
  onTestEnd(stop);
  return { done, stop, sent: () => readCounts(countsFile, lines.length) };
}

/**
 * Plays the pulses of a flow meter at these times, milliseconds, while a relay is on. Resolves to the number played, how late the
 * latest one was, and when the relay went off (-1: never), by the clock of the times.
 */
export function play({ on = taps, line, relay, timesMs }) {
  const file = `/run/times-${line}`;
  writeFileSync(file, Array.from(timesMs, (ms) => ms.toFixed(3)).join('\n'));
  const value = relay === undefined ? '-' : `${on.folder}/sim_gpio${relay}/value`;
  return new Promise((resolve, reject) => {
    const child = execFile(
      '/kernel/player',
      [`${on.folder}/sim_gpio${line}/pull`, value, file],
      (error, stdout, stderr) =>
        error && error.signal !== 'SIGKILL'
          ? reject(new Error(`player: ${error.message} ${stderr}`))
          : resolve(JSON.parse(stdout)),
    );
    onTestEnd(() => child.kill('SIGKILL'));
  });
}

/** A chip that can be removed and added while programs use it; its lines are pulled up. */
export function removableChip(label, lineCount) {
  const config = `/sys/kernel/config/gpio-sim/${label}`;
  mkdirSync(`${config}/bank0`, { recursive: true });
  writeFileSync(`${config}/bank0/num_lines`, String(lineCount));
  writeFileSync(`${config}/bank0/label`, label);
  const remove = () => writeFileSync(`${config}/live`, '0');
  onTestEnd(() => read(`${config}/live`) === '1' && remove());
  return {
    remove,
    /** Returns the chip as `pulses` takes it. */
    add() {
      writeFileSync(`${config}/live`, '1');
      const folder = `/sys/devices/platform/${read(`${config}/dev_name`)}/${read(`${config}/bank0/chip_name`)}`;
      for (let line = 0; line < lineCount; line++) writeFileSync(`${folder}/sim_gpio${line}/pull`, 'pull-up');
      return { folder };
    },
  };
}

/** Lets another program own a line under a name; returns how to release it before the end of the test. */
export async function holdLine(on, offset, name) {
  const holder = spawn('/kernel/holder', [on.device, String(offset), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const release = () => holder.kill('SIGKILL');
  onTestEnd(release);
  await new Promise((resolve, reject) => {
    holder.stdout.once('data', resolve);
    holder.once('exit', (code) => reject(new Error(`holder exited with ${code}.`)));
  });
  return release;
}

function readCounts(path, lines) {
  const bytes = new Uint32Array(lines);
  const file = openSync(path, 'r');
  readSync(file, bytes);
  closeSync(file);
  return [...bytes];
}
