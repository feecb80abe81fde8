// Reboots the machine while pours run. The tests are not stopped with the services, so they observe the
// shutdown and write their observations to the disk, where the tests of the next boot read them.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './service.mjs';

const recordFile = '/kernel/before-reboot.json';

/**
 * At the first boot: reboots while the pours of `begin()` run, and never returns. At the second: returns the
 * observations, which are pulses sent so far and time since the boot, at the `order`, when the daemon was
 * `gone`, and at the `end`, when every process got SIGTERM.
 */
export async function observeReboot(begin) {
  if (existsSync(recordFile)) {
    // Read once: a third boot means that the machine has crashed.
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
  if (code !== 0) throw new Error(`The reboot failed: ${err}`);
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
