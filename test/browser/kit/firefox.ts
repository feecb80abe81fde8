import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Debian's Firefox; `TAPSTER_FIREFOX` names another executable. */
const executable = process.env.TAPSTER_FIREFOX ?? '/usr/bin/firefox-esr';

/** Whether Firefox is installed. */
export const hasFirefox = existsSync(executable);

const startMs = 40_000;
/** How long an element is waited for. */
const findMs = 15_000;
const pollMs = 100;

/** Key under which the protocol names an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** A page in Firefox; controls are found by XPath. */
export interface FirefoxPage {
  goto(url: string): Promise<void>;
  /** Waits until the element is there. */
  find(xpath: string): Promise<void>;
  click(xpath: string): Promise<void>;
  type(xpath: string, text: string): Promise<void>;
  /** Runs the body of a function in the page. */
  run<T>(script: string): Promise<T>;
  close(): Promise<void>;
}

/** XPath of a button with that text or accessible name. */
export const firefoxButton = (name: string): string =>
  `//button[starts-with(normalize-space(.), "${name}") or @aria-label="${name}"]`;

/** Starts a headless Firefox with an empty profile, driven by its own protocol (Marionette, WebDriver's commands over TCP). */
export async function openFirefox(size: {
  readonly width: number;
  readonly height: number;
}): Promise<FirefoxPage> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  writeFileSync(
    join(profile, 'user.js'),
    ['marionette.port', 'toolkit.telemetry.reportingpolicy.firstRun', 'intl.accept_languages']
      .map((name, index) => `user_pref("${name}", ${[0, false, '"en-GB"'][index]});`)
      .join('\n'),
  );
  const child = spawn(executable, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    env: {
      ...process.env,
      HOME: profile,
      MOZ_HEADLESS_WIDTH: `${size.width}`,
      MOZ_HEADLESS_HEIGHT: `${size.height}`,
    },
    stdio: 'ignore',
  });
  const socket = await connectTo(join(profile, 'MarionetteActivePort'));
  const send = createSender(socket);
  await send('WebDriver:NewSession', { acceptInsecureCerts: false });

  async function locate(xpath: string): Promise<string> {
    const until = Date.now() + findMs;
    for (;;) {
      try {
        const { value } = await send<{ value: Record<string, string> }>('WebDriver:FindElement', {
          using: 'xpath',
          value: xpath,
        });
        return value[elementKey]!;
      } catch (fault) {
        if (Date.now() > until) throw fault;
        await wait(pollMs);
      }
    }
  }
  return {
    goto: async (url) => void (await send('WebDriver:Navigate', { url })),
    find: async (xpath) => void (await locate(xpath)),
    click: async (xpath) => void (await send('WebDriver:ElementClick', { id: await locate(xpath) })),
    type: async (xpath, text) =>
      void (await send('WebDriver:ElementSendKeys', { id: await locate(xpath), text })),
    run: async <T>(script: string) =>
      (await send<{ value: T }>('WebDriver:ExecuteScript', { script, args: [] })).value,
    close: () => end(child, socket, profile),
  };
}

async function end(child: ChildProcess, socket: Socket, profile: string): Promise<void> {
  socket.destroy();
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Connects to the port that Firefox writes into a file of its profile once it listens. */
async function connectTo(portFile: string): Promise<Socket> {
  const until = Date.now() + startMs;
  while (!existsSync(portFile) || readFileSync(portFile, 'utf8') === '') {
    if (Date.now() > until) throw new Error('Firefox did not start.');
    await wait(pollMs);
  }
  const socket = connect(Number(readFileSync(portFile, 'utf8')), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Returns a function that sends a command and resolves to its result. A message is `length:[type, id, …]`. */
function createSender(socket: Socket) {
  const waiting = new Map<number, (reply: readonly unknown[]) => void>();
  let received = Buffer.alloc(0);
  let count = 0;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let colon = received.indexOf(':'); colon > 0; colon = received.indexOf(':')) {
      const end = colon + 1 + Number(received.subarray(0, colon));
      if (received.length < end) return;
      const message: unknown = JSON.parse(received.subarray(colon + 1, end).toString());
      received = received.subarray(end);
      // The first message is an object that describes the protocol.
      if (Array.isArray(message)) waiting.get(message[1])?.(message);
    }
  });
  return async <R>(command: string, parameters: object): Promise<R> => {
    count += 1;
    const text = JSON.stringify([0, count, command, parameters]);
    const [, , error, result] = await new Promise<readonly unknown[]>((done) => {
      waiting.set(count, done);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
    if (error !== null) throw new Error(`${command}: ${JSON.stringify(error).slice(0, 300)}`);
    return result as R;
  };
}
