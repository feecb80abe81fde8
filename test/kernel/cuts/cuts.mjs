// On the host: node cuts.mjs KERNEL GUEST FOLDER DIST. Cuts the power of the emulated machine in mid-pour and
// boots it on the same disk, TAPSTER_KERNEL_CUTS times (default 5). Writes results.jsonl into the folder, as
// a guest's jobs do.
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
const name = `every pour is stored once although the machine loses power ${cuts} times in mid-pour`;
/** Limit of waiting for a report of the machine, milliseconds of the host. */
const timeoutMs = 280_000;

mkdirSync(join(folder, 'root/tapster'), { recursive: true });
const reportsFile = join(folder, 'reports.jsonl');
const results = join(folder, 'results.jsonl');
const image = join(folder, 'disk.img');
const socket = join(folder, 'disk.sock');
writeFileSync(results, `${JSON.stringify({ plan: [name] })}\n`);
writeFileSync(reportsFile, '');

let machine = null;
process.on('exit', () => machine?.kill('SIGKILL'));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(1));

const startMs = Date.now();
const records = new ReportedRecords();
let [unflushed, lost] = [0, 0];
let disk = null;
let fault;
try {
  createDisk();
  disk = await openVolatileDisk({ file: image, path: socket });
  for (let cut = 0; cut < cuts && records.faults.length === 0; cut++) {
    const exited = boot('cut', seed * 1_000 + cut);
    await waitForReport('cut');
    // Every second cut is at the worst moment: while the disk is asked to flush its cache.
    if (cut % 2 === 0) await Promise.race([disk.nextFlush(), sleep(10_000)]);
    machine.kill('SIGKILL');
    // Of the unflushed sectors the disk keeps none, half or all.
    const found = disk.cut([0, 0.5, 1][cut % 3], Math.random);
    await exited;
    unflushed += found.unflushed;
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
const sectors = `${lost} of ${unflushed} unflushed sectors were lost`;
const note = `${records.note()}; ${sectors}; ${disk?.flushes() ?? 0} flushes`;
const ms = Date.now() - startMs;
appendFileSync(results, `${JSON.stringify({ name, passed: !fault, note, fault, hostMs: ms })}\n`);
process.exit(0);

/** Creates a disk with a new database, in which a staff account has a key. */
function createDisk() {
  const config = join(folder, 'tapster.json');
  writeFileSync(config, '{"gpio": {"driver": "simulated"}, "meters": [], "taps": []}');
  const env = { TAPSTER_DATABASE: join(folder, 'root/tapster/tapster.db') };
  const tapster = (args, input) =>
    runChecked(process.execPath, [join(dist, 'main.js'), ...args, '--config', config], { env, input });
  tapster(['user', 'add', 'staff', '--staff', '--password-stdin'], 'hop-garden\n');
  writeFileSync(join(folder, 'key.txt'), tapster(['key', 'create', 'staff']));
  runChecked('truncate', ['-s', '64M', image]);
  runChecked('mkfs.ext4', ['-q', '-d', join(folder, 'root'), image]);
}

async function inspect({ isLast = false } = {}) {
  records.readReports(readFileSync(reportsFile, 'utf8'));
  records.compare(await inspectDisk(image, { folder, dist }), { isLast });
}

/** Boots the machine on the disk; resolves when it has exited. */
function boot(kind, bootSeed) {
  const script = fileURLToPath(new URL('../machine.sh', import.meta.url));
  const drive = `driver=raw,file.driver=nbd,file.server.type=unix,file.server.path=${socket},if=virtio,cache=none`;
  const parameters = `tapster.jobs=cuts tapster.boot=${kind} tapster.seed=${bootSeed}`;
  const args = [kernel, folder, parameters, '-initrd', guest, '-drive', drive];
  const serial = ['-serial', `file:${join(folder, 'console.txt')}`, '-monitor', 'none'];
  machine = spawn(script, [...args, ...serial], { stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve) => machine.once('exit', resolve));
}

/** Waits until the running machine has written a report of that kind. */
async function waitForReport(kind) {
  const from = statSync(reportsFile).size;
  const end = Date.now() + timeoutMs;
  for (let size = from; Date.now() < end; await sleep(5)) {
    const isOver = machine.exitCode !== null;
    if (statSync(reportsFile).size !== size || isOver) {
      size = statSync(reportsFile).size;
      const text = readFileSync(reportsFile).subarray(from).toString();
      if (text.includes('"kind":"fault"')) throw new Error(text.slice(-3_000));
      if (text.includes(`"kind":"${kind}"`)) return;
      if (isOver) throw new Error(`The machine ended before it reported "${kind}".`);
    }
  }
  throw new Error(`The machine did not report "${kind}" within ${timeoutMs} ms.`);
}
