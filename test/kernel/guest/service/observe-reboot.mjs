// The machine is rebooted while glasses run. The tests are not stopped with the services, so they see how it goes down;
// what they saw stands on the disk and is found there by the tests of the next life.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './service.mjs';

const recordFile = '/kernel/former-life.json';

/**
 * In the first life: reboots while the glasses of `begin()` run, and never returns. In the second: what was seen of it,
 * as pulses sent so far and time since the boot, at the `order`, when the daemon was `gone`, and at the `end`, when every
 * process was told to leave.
 */
export async function observeReboot(begin) {
  if (existsSync(recordFile)) {
    // Read once: a machine that comes up a third time has crashed.
    renameSync(recordFile, `${recordFile}.read`);
    return JSON.parse(readFileSync(`${recordFile}.read`, 'utf8'));
  }
  const { pid, flow } = await begin();
  await sleep(3_000);
  const observations = {};
  const note = (what) => {
    observations[what] = { atMs: Number(process.hrtime.bigint()) / 1e6, sent: flow.sent() };
    writeDurably(JSON.stringify(observations));
  };
  process.once('SIGTERM', () => {
    note('end');
    process.exit(0);
  });
  note('order');
  const { code, err } = run('systemctl', 'reboot');
  if (code !== 0) throw new Error(`The machine is not rebooted: ${err}`);
  while (existsSync(`/proc/${pid}`)) await sleep(5);
  note('gone');
  return new Promise(() => {});
}

function writeDurably(text) {
  writeFileSync(recordFile, text);
  const file = openSync(recordFile, 'r');
  fsyncSync(file);
  closeSync(file);
}
