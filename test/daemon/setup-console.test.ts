import { existsSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSetupConsole, readSetupCode, setupCodeFile } from '../../src/daemon/http/setup-console.ts';

const boot = '11111111-2222-4333-8444-555555555555';
const createFile = () => setupCodeFile(join(mkdtempSync(join(tmpdir(), 'tapster-code-')), 'tapster.db'));

/** The console of a daemon with this file, in this boot. */
function createConsole(file: string, bootId = boot) {
  const printed: string[] = [];
  const state = { isOpen: true, address: 'http://bar.local/' };
  const setupConsole = createSetupConsole({
    file,
    bootId,
    isOpen: () => state.isOpen,
    banner: (code) => `${state.address} ${code}`,
    print: (text) => printed.push(text),
  });
  return { ...setupConsole, printed, state };
}

test('the code on the console is kept beside the database, where only the daemon’s user and root may read it', () => {
  const file = createFile();
  const { createCode, printed } = createConsole(file);
  const { text } = createCode(false);
  expect(printed).toEqual([`http://bar.local/ ${text}\n`]);
  expect(readSetupCode(file)).toEqual({ code: text, bootId: boot });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a restart of the daemon keeps the code that an installer has printed; a restart of the machine changes it', () => {
  const file = createFile();
  const { text } = createConsole(file).createCode(false);
  expect(createConsole(file).createCode(false).text).toBe(text);
  const other = createConsole(file, boot.replaceAll('1', '9')).createCode(false);
  expect(other.text).not.toBe(text);
  expect(readSetupCode(file)?.code).toBe(other.text);
});

test('the code that replaces one after many wrong ones is kept and shown', () => {
  const file = createFile();
  const { createCode, printed } = createConsole(file);
  const setup = createCode(false);
  const first = setup.text;
  for (let tries = 0; tries < 50; tries++) expect(() => setup.check('0000-0000')).toThrow();
  expect(setup.text).not.toBe(first);
  expect(readSetupCode(file)?.code).toBe(setup.text);
  expect(printed.at(-1)).toContain(setup.text);
  expect(createConsole(file).createCode(false).text).toBe(setup.text);
});

test('the banner is shown again with an address that comes after the start, once', () => {
  const { createCode, everySeconds, printed, state } = createConsole(createFile());
  const { text } = createCode(false);
  everySeconds();
  state.address = 'http://192.168.1.5/';
  everySeconds();
  everySeconds();
  expect(printed).toEqual([`http://bar.local/ ${text}\n`, `http://192.168.1.5/ ${text}\n`]);
});

test('after the set-up the code is deleted and never shown', () => {
  const file = createFile();
  const { createCode, everySeconds, printed, state } = createConsole(file);
  createCode(false);
  state.isOpen = false;
  state.address = 'http://192.168.1.5/';
  everySeconds();
  expect([printed.length, existsSync(file)]).toEqual([1, false]);
  writeFileSync(file, 'left by a crash');
  const later = createConsole(file);
  later.createCode(true);
  later.everySeconds();
  expect([later.printed, existsSync(file)]).toEqual([[], false]);
});

test('a file that is none of ours is no code, and a link is not followed', () => {
  const file = createFile();
  expect(readSetupCode(file)).toBeNull();
  for (const text of ['', 'K7QM-2RXA', `K7QM-2RXA ${boot}`, `k7qm-2rxa ${boot}\n`, 'x'.repeat(500)]) {
    writeFileSync(file, text);
    expect(readSetupCode(file)).toBeNull();
  }
  writeFileSync(file, `K7QM-2RXA ${boot}\n`);
  expect(readSetupCode(file)?.code).toBe('K7QM-2RXA');
  symlinkSync(file, `${file}.link`);
  expect(readSetupCode(`${file}.link`)).toBeNull();
});

test('on a disk that cannot be written the console shows the code nevertheless', () => {
  const { createCode, printed } = createConsole('/missing/tapster.db.setup-code');
  expect(printed).toEqual([]);
  const { text } = createCode(false);
  expect(printed.join('')).toContain(text);
});
