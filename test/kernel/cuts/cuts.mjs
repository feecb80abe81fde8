// On the host: node cuts.mjs KERNEL GUEST FOLDER DIST. Pulls the plug of the emulated machine in mid-pour again and again
// and boots it on the same disk, TAPSTER_KERNEL_CUTS times (5). Leaves results.jsonl in the folder, as a guest's jobs do.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspectDisk, runChecked } from './inspect-disk.mjs';
import { ReportedRecords } from './reported-records.mjs';
import { openVolatileDisk } from './volatile-disk.mjs';

const [kernel, guest, folder, dist] = process.argv.slice(2);
const cuts = Number(process.env.TAPSTER_KERNEL_CUTS || 5);
const seed = Number(process.env.TAPSTER_KERNEL_SEED || 1);
const name = `a house whose machine loses power ${cuts} times in mid-pour keeps every glass once`;
/** A machine that has not said by then what it should never will, milliseconds of the host. */
const timeoutMs = 280_000;

mkdirSync(join(folder, 'root/tapster'), { recursive: true });
const reportsFile = join(folder, 'told.jsonl');
const results = join(folder, 'results.jsonl');
const image = join(folder, 'disk.img');
const socket = join(folder, 'disk.sock');
writeFileSync(results, `${JSON.stringify({ plan: [name] })}\n`);
writeFileSync(reportsFile, '');

let machine = null;
process.on('exit', () => machine?.kill('SIGKILL'));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(1));

const begun = Date.now();
const records = new ReportedRecords();
let [loose, lost] = [0, 0];
let disk = null;
let fault;
try {
  createDisk();
  disk = await openVolatileDisk({ file: image, path: socket });
  for (let cut = 0; cut < cuts && records.faults.length === 0; cut++) {
    const exited = boot('cut', seed * 1_000 + cut);
    await waitForReport('cut');
    // Every second one falls where it hurts most: what was written is being kept at this moment.
    if (cut % 2 === 0) await Promise.race([disk.nextFlush(), sleep(10_000)]);
    machine.kill('SIGKILL');
    // Of what the disk was never asked to keep, it keeps all, half or none.
    const found = disk.cut([0, 0.5, 1][cut % 3], Math.random);
    await exited;
    loose += found.unflushed;
    lost += found.lost;
    await inspect();
  }
  const exited = boot('last', 0);
  await waitForReport('end');
  await exited;
  disk.cut(0, Math.random);
  await inspect({ isLast: true });
  if (records.faults.length > 0) fault = records.faults.join('\n');
} catch (error) {
  fault = [...records.faults, error.stack].join('\n');
} finally {
  machine?.kill('SIGKILL');
  disk?.close();
}
const sectors = `${lost} of ${loose} sectors that the disk had not yet kept were lost`;
const note = `${records.note()}; ${sectors}; it kept them ${disk?.flushes() ?? 0} times`;
const ms = Date.now() - begun;
appendFileSync(results, `${JSON.stringify({ name, passed: !fault, note, fault, hostMs: ms })}\n`);
process.exit(0);

/** A disk with an empty ledger, in which the keeper of the house has an account and a key. */
function createDisk() {
  const config = join(folder, 'tapster.json');
  writeFileSync(config, '{"gpio": {"driver": "simulated"}, "meters": [], "taps": []}');
  const env = { TAPSTER_DATABASE: join(folder, 'root/tapster/tapster.db') };
  const tapster = (args, input) =>
    runChecked(process.execPath, [join(dist, 'main.js'), ...args, '--config', config], { env, input });
  tapster(['user', 'add', 'keeper', '--staff', '--password-stdin'], 'hop-garden\n');
  writeFileSync(join(folder, 'key.txt'), tapster(['key', 'create', 'keeper']));
  runChecked('truncate', ['-s', '64M', image]);
  runChecked('mkfs.ext4', ['-q', '-d', join(folder, 'root'), image]);
}

async function inspect({ isLast = false } = {}) {
  records.readReports(readFileSync(reportsFile, 'utf8'));
  records.compare(await inspectDisk(image, { folder, dist }), { isLast });
}

/** Boots the machine on the disk; resolves when it is gone. */
function boot(evening, lifeSeed) {
  const script = fileURLToPath(new URL('../machine.sh', import.meta.url));
  const drive = `driver=raw,file.driver=nbd,file.server.type=unix,file.server.path=${socket},if=virtio,cache=none`;
  const words = `tapster.jobs=cuts tapster.evening=${evening} tapster.seed=${lifeSeed}`;
  const args = [kernel, folder, words, '-initrd', guest, '-drive', drive];
  const serial = ['-serial', `file:${join(folder, 'console.txt')}`, '-monitor', 'none'];
  machine = spawn(script, [...args, ...serial], { stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => machine.once('exit', resolve));
}

/** Until the machine that runs now says a line of that kind. */
async function waitForReport(kind) {
  const from = statSync(reportsFile).size;
  const end = Date.now() + timeoutMs;
  for (let size = from; Date.now() < end; await sleep(5)) {
    const isOver = machine.exitCode !== null;
    if (statSync(reportsFile).size !== size || isOver) {
      size = statSync(reportsFile).size;
      const text = readFileSync(reportsFile).subarray(from).toString();
      if (text.includes('"kind":"trouble"')) throw new Error(text.slice(-3_000));
      if (text.includes(`"kind":"${kind}"`)) return;
      if (isOver) throw new Error(`The machine ended before it said "${kind}".`);
    }
  }
  throw new Error(`Waited ${timeoutMs} ms in vain for the machine to say "${kind}".`);
}
