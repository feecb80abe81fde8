import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type InstallRequest, requestFileName } from '../../src/core/updates/update-request.ts';
import { productDirectory } from '../../src/system/product.ts';
import { updaterFiles } from '../../src/updater/files.ts';
import { createStateFile } from '../../src/updater/state-file.ts';
import { type FaultBar, fourTaps, makeFaultBar } from '../faults/fault-bar.ts';
import { freePort } from './ports.ts';

const entry = fileURLToPath(new URL('./updater-with-cuts.mjs', import.meta.url));

/** Short times of a trial. */
const times = [
  '--poll-ms',
  '50',
  '--ok-for-ms',
  '400',
  // A loaded machine takes many seconds to start the daemon.
  '--within-ms',
  '30000',
  '--trial-ms',
  '6000',
  '--max-wait-ms',
  '4000',
  '--retry-ms',
  '50',
];

/** `systemctl` for the supervisor below: a restart is a file, and the counter is read from one. */
const systemctl = `#!/bin/sh
cd "$(dirname "$0")"
for word; do
  case $word in
    show) cat show; exit 0 ;;
    restart) echo > restart; exit 0 ;;
    reset-failed) echo > reset; exit 0 ;;
    tapster-install.service) exec sh ./apt ;;
  esac
done
`;

/** What is changed in a copy of the build. */
interface Changes {
  /** JavaScript that runs first in `tapster run`. */
  readonly atStart?: string;
  /** SQL of a further schema step. */
  readonly schemaStep?: string;
  /** The oldest schema whose program can use a database with that step. */
  readonly compatibleFrom?: number;
}

/**
 * A machine with an installed package: releases made of the real build, and a supervisor that runs the release of the link
 * and restarts it when it ends, as systemd does.
 */
export class UpdateMachine {
  readonly bar: FaultBar;
  readonly port: number;
  readonly releases: string;
  readonly #folder: string;
  #boot = 1;
  #daemon: ChildProcess | null = null;
  #isOn = true;
  #restarts = 0;
  readonly #timer = setInterval(() => this.#poll(), 10);

  /** `settings` are added to those of the bar. */
  static async create(settings: object = {}): Promise<UpdateMachine> {
    const port = await freePort();
    return new UpdateMachine(
      makeFaultBar({ ...fourTaps, http: { ...fourTaps.http, port }, ...settings }),
      port,
    );
  }

  private constructor(bar: FaultBar, port: number) {
    this.bar = bar;
    this.port = port;
    this.releases = join(bar.path, 'releases');
    this.#folder = join(bar.path, 'systemd');
    mkdirSync(this.#folder);
    mkdirSync(this.releases);
    writeFileSync(join(this.#folder, 'systemctl'), systemctl);
    chmodSync(join(this.#folder, 'systemctl'), 0o755);
    this.#writeBoot();
    this.#writeRestarts();
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The version that the link names. */
  get current(): string {
    return readlinkSync(join(this.releases, 'current'));
  }

  /** The stored state of the updater. */
  get state() {
    return createStateFile(this.releases, updaterFiles).read();
  }

  /** Copies the build by hard links, with another version and changes. */
  makePayload(version: string, { atStart = '', schemaStep, compatibleFrom = 1 }: Changes = {}): string {
    const payload = join(this.bar.path, `payload-${version}`);
    mkdirSync(payload);
    execFileSync('cp', ['-al', join(productDirectory, 'dist'), join(payload, 'dist')]);
    for (const name of ['node_modules', 'locales', 'hardware', 'docs'])
      symlinkSync(join(productDirectory, name), join(payload, name));
    const description = JSON.parse(readFileSync(join(productDirectory, 'package.json'), 'utf8')) as object;
    const dependencies = { 'better-sqlite3': '*' };
    writeFileSync(join(payload, 'package.json'), JSON.stringify({ ...description, version, dependencies }));
    if (atStart !== '')
      rewrite(join(payload, 'dist', 'main.js'), (text) =>
        text.replace('\n', `\nif (process.argv.includes('run')) { ${atStart} }\n`),
      );
    if (schemaStep !== undefined) {
      const files = execFileSync('grep', ['-rlE', 'schemaSteps = \\[', join(payload, 'dist')], {
        encoding: 'utf8',
      });
      for (const file of files.trim().split('\n'))
        rewrite(file, (text) =>
          text.replace(
            /(schemaSteps = \[\{\s*sql: initialSchema,\s*compatibleFrom: 1\s*\})\]/,
            `$1, { sql: ${JSON.stringify(schemaStep)}, compatibleFrom: ${compatibleFrom} }]`,
          ),
        );
    }
    return payload;
  }

  /** Runs a command of the updater; resolves to its output and how it ended. */
  async updater(
    command: string,
    { payload = productDirectory, cutAt = '', more = [] as readonly string[] } = {},
  ) {
    const child = spawn(process.execPath, [...this.#updaterArgs(command, payload), ...more], {
      env: { ...process.env, ...(cutAt === '' ? {} : { CUT_AT: cutAt }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    return { code, signal, output };
  }

  #updaterArgs(command: string, payload: string): readonly string[] {
    return [
      ...[entry, command, '--releases', this.releases, '--state-directory', this.bar.path],
      ...['--config', this.bar.configFile, '--systemctl', join(this.#folder, 'systemctl')],
      ...['--payload', payload, '--boot-id-file', join(this.#folder, 'boot-id'), ...times],
    ];
  }

  /** Leaves the request of a daemon to install a package, whose content is `payload`. */
  requestInstall(request: InstallRequest, payload: string): void {
    const args = this.#updaterArgs('installed', payload).map((word) => `'${word}'`);
    writeFileSync(
      join(this.#folder, 'apt'),
      `unset CUT_AT\nexec '${process.execPath}' ${args.join(' ')} > '${this.releases}/install.log' 2>&1\n`,
    );
    writeFileSync(join(this.bar.path, requestFileName), JSON.stringify(request));
  }

  /** Installs a package over the present one and has the updater finish. */
  async update(payload: string): Promise<string> {
    const installed = await this.updater('installed', { payload });
    const { output, code } = await this.updater('resume');
    if (installed.code !== 0 || code !== 0)
      throw new Error(`The updater failed: ${installed.output}${output}`);
    return output;
  }

  /** Starts the service and waits until it answers. */
  async start(): Promise<void> {
    this.#spawn();
    await this.answer();
  }

  /** Waits for an answer of `/healthz`. */
  async answer(): Promise<{ readonly status: string; readonly version: string; readonly pours: number }> {
    for (let tries = 0; ; tries++) {
      try {
        const answer = await fetch(`${this.url}/healthz`);
        return (await answer.json()) as Awaited<ReturnType<UpdateMachine['answer']>>;
      } catch (fault) {
        if (tries > 400) throw fault;
        await sleep(50);
      }
    }
  }

  /** Ends the daemon at once and boots again. */
  async cutPower(): Promise<void> {
    this.#isOn = false;
    await this.#end('SIGKILL');
    this.#boot += 1;
    this.#restarts = 0;
    for (const name of ['restart', 'reset']) rmSync(join(this.#folder, name), { force: true });
    this.#writeBoot();
    this.#writeRestarts();
    this.#isOn = true;
    this.#spawn();
  }

  async remove(): Promise<void> {
    this.#isOn = false;
    clearInterval(this.#timer);
    await this.#end('SIGKILL');
    this.bar.remove();
  }

  #poll(): void {
    if (!this.#isOn) return;
    if (this.#take('reset')) this.#restarts = 0;
    if (this.#take('restart')) {
      this.#restarts = 0;
      const before = this.#daemon;
      this.#daemon = null;
      if (before === null || before.exitCode !== null) this.#spawn();
      else {
        before.once('exit', () => this.#spawn());
        before.kill('SIGTERM');
        // As TimeoutStopSec.
        setTimeout(() => before.kill('SIGKILL'), 5_000).unref();
      }
    }
    this.#writeRestarts();
  }

  #spawn(): void {
    if (!this.#isOn) return;
    const child = spawn(
      process.execPath,
      [join(this.releases, 'current', 'dist', 'main.js'), 'run', '--config', this.bar.configFile],
      {
        cwd: this.bar.path,
        env: { ...process.env, NOTIFY_SOCKET: '', TAPSTER_DATABASE: '', TAPSTER_PORT: '' },
        stdio: 'ignore',
      },
    );
    this.#daemon = child;
    child.once('exit', () => {
      // Ended by itself.
      if (this.#daemon !== child || !this.#isOn) return;
      this.#restarts += 1;
      setTimeout(() => this.#daemon === child && this.#spawn(), 30);
    });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#daemon;
    this.#daemon = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  #take(name: string): boolean {
    const file = join(this.#folder, name);
    if (!existsSync(file)) return false;
    unlinkSync(file);
    return true;
  }

  #writeBoot(): void {
    writeFileSync(
      join(this.#folder, 'boot-id'),
      `00000000-0000-0000-0000-${String(this.#boot).padStart(12, '0')}\n`,
    );
  }

  #writeRestarts(): void {
    const file = join(this.#folder, 'show');
    writeFileSync(`${file}.new`, `NRestarts=${this.#restarts}\n`);
    renameSync(`${file}.new`, file);
  }
}

/** The copy shares its file with the build, which must not change. */
function rewrite(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${file} was not changed.`);
  unlinkSync(file);
  writeFileSync(file, changed);
}
