import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import type { Problem } from '../../../../src/core/health/problems.ts';
import { listSalesFiles, readSalesFile } from '../../../../src/extensions/sales/daemon/list-sales-files.ts';
import { createSalesFolder } from '../../../../src/extensions/sales/daemon/sales-folder.ts';
import { at } from '../../../engine/bar.ts';
import { context, genericFormat, openSalesBar, sample } from '../engine/sales-bar.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function openFolder({ hasFormat = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-sales-'));
  folders.push(folder);
  const bar = openSalesBar();
  if (hasFormat) bar.sales.tills.change(bar.till.id, { format: genericFormat }, context);
  const problems: (readonly Problem[])[] = [];
  const watched = createSalesFolder({
    folder,
    services: () => bar.engine,
    clock: { now: () => at(0) },
    reportProblem: (found) => void problems.push(found),
  });
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const scan = async () => {
    watched.everyMinute();
    await watched.whenIdle();
  };
  const codes = () => problems.at(-1)?.map(({ code }) => code) ?? [];
  return { ...bar, folder, watched, write, scan, codes };
}

const generic = sample('generic.csv');

test('a file is imported once it has not changed for a minute, and once whatever its name', async () => {
  const { write, scan, sales, codes } = openFolder();
  write('Front/day.csv', generic.subarray(0, 200));
  await scan();
  expect(sales.lines({}).total).toBe(0);
  // Still being written.
  write('Front/day.csv', generic);
  await scan();
  expect(sales.lines({}).total).toBe(0);
  await scan();
  expect(sales.lines({}).total).toBe(5);
  write('Front/copy.csv', generic);
  for (let i = 0; i < 3; i++) await scan();
  expect(sales.lines({}).total).toBe(5);
  expect(sales.imports.list({}).items).toMatchObject([
    { source: 'folder', fileName: 'Front/day.csv', state: 'complete' },
  ]);
  expect(sales.files().map(({ path, importId, problem }) => [path, importId, problem])).toEqual([
    ['Front/copy.csv', 1, null],
    ['Front/day.csv', 1, null],
  ]);
  expect(codes()).toEqual([]);
});

test('a file that grows stays one import, and a line that it had before is stored once', async () => {
  const { write, scan, sales, engine } = openFolder();
  const lines = generic.toString('utf8').trimEnd().split('\n');
  for (let rows = 2; rows <= lines.length; rows++) {
    write('Front/day.csv', `${lines.slice(0, rows).join('\n')}\n`);
    await scan();
    await scan();
  }
  expect(sales.lines({}).total).toBe(5);
  expect(sales.imports.list({}).items).toMatchObject([{ state: 'complete', lines: 5, newLines: 5 }]);
  // Written anew from its beginning: another day.
  write('Front/day.csv', generic.toString('utf8').replaceAll(/^\d/gm, '9$&'));
  await scan();
  await scan();
  expect(sales.imports.list({}).items).toMatchObject([{ newLines: 5 }, { newLines: 5 }]);
  await sales.imports.undo(1, async () => {}, { ...context });
  expect(sales.lines({}).total).toBe(5);
  expect(engine.sales.files()).toMatchObject([{ importId: 2, problem: null }]);
});

test('a bad file is reported, and tried again when it has changed', async () => {
  const { write, scan, sales, codes } = openFolder();
  write('Front/bad.csv', 'something;else\n1;2\n');
  await scan();
  await scan();
  expect(sales.files()).toMatchObject([
    { path: 'Front/bad.csv', problem: { code: 'sales_columns_missing' }, importId: null },
  ]);
  expect(codes()).toEqual(['sales_file_refused', 'sales_columns_missing']);
  const attempts = sales.imports.list({}).total;
  await scan();
  expect(sales.imports.list({}).total).toBe(attempts);
  write('Front/bad.csv', generic);
  await scan();
  await scan();
  expect(sales.files()).toMatchObject([{ problem: null }]);
  expect(codes()).toEqual([]);
});

test('a file that could not be read or stored for the moment is tried again each minute', async () => {
  const { write, scan, sales, codes } = openFolder();
  write('Front/day.csv', generic);
  await scan();
  const importFile = vi.spyOn(sales.imports, 'importFile');
  importFile.mockRejectedValueOnce(new AppError('unavailable', 'The disk is full.'));
  importFile.mockRejectedValueOnce(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' }));
  for (let i = 0; i < 2; i++) {
    await scan();
    expect(codes()).toEqual(['sales_file_refused', ['text', 'see_log'][i]]);
  }
  await scan();
  expect(sales.lines({}).total).toBe(5);
  expect(codes()).toEqual([]);
  await scan();
  expect(importFile).toHaveBeenCalledTimes(3);
});

test('files of an unknown till and of one without a format are reported; other files are left alone', async () => {
  const { write, scan, sales, till } = openFolder({ hasFormat: false });
  write('Front/day.csv', generic);
  write('Back/day.csv', generic);
  write('Front/notes.pdf', 'x');
  write('Front/.hidden.csv', generic);
  write('day.csv', generic);
  await scan();
  await scan();
  expect(sales.files().map(({ path, problem }) => [path, problem?.code, problem?.params])).toEqual([
    ['Back/day.csv', 'sales_till_unknown', { till: 'Back' }],
    ['Front/day.csv', 'sales_till_without_format', { till: 'Front' }],
  ]);
  sales.tills.change(till.id, { format: genericFormat }, context);
  await scan();
  expect(sales.lines({}).total).toBe(5);
});

test('a folder that cannot be read is a problem, and a closed one is not read', async () => {
  const { folder, scan, codes, watched, sales, write } = openFolder();
  rmSync(folder, { recursive: true });
  await scan();
  expect(codes()[0]).toBe('sales_folder_unreadable');
  write('Front/day.csv', generic);
  await scan();
  await watched.close();
  await scan();
  expect(sales.lines({}).total).toBe(0);
});

test('a file whose name is not in UTF-8 is reported and holds up no other', async () => {
  const { write, scan, sales, codes, folder } = openFolder();
  write('Front/day.csv', generic);
  const name = Buffer.concat([Buffer.from(`${folder}/Front/`), Buffer.from('M\xe4rz.csv', 'latin1')]);
  writeFileSync(name, generic);
  await scan();
  await scan();
  expect(sales.lines({}).total).toBe(5);
  expect(codes()).toEqual(['sales_entries_unreadable']);
});

test.skipIf(process.getuid?.() === 0)(
  'a folder that may not be read is reported, holds up no other, and its files stay known',
  async () => {
    const { write, scan, sales, codes, folder } = openFolder();
    write('Front/day.csv', generic);
    await scan();
    await scan();
    mkdirSync(join(folder, 'lost+found'), { mode: 0 });
    chmodSync(join(folder, 'Front'), 0);
    await scan();
    expect(codes()).toEqual(['sales_entries_unreadable']);
    expect(sales.files()).toHaveLength(1);
    chmodSync(join(folder, 'Front'), 0o700);
    write('Front/new.csv', generic.subarray(0, 200));
    await scan();
    await scan();
    expect(sales.files()).toHaveLength(2);
    expect(codes()).toEqual(['sales_entries_unreadable']);
    chmodSync(join(folder, 'lost+found'), 0o700);
  },
);

test('of more than 1000 files the newest are looked at, and the rest is reported', async () => {
  const { write, scan, sales, codes, folder } = openFolder();
  for (let i = 0; i < 1_001; i++) {
    write(`Front/a${i}.csv`, '');
    utimesSync(join(folder, `Front/a${i}.csv`), 1_000_000 + i, 1_000_000 + i);
  }
  write('Front/new.csv', generic);
  const { files, leftOut } = await listSalesFiles(folder);
  expect(files).toHaveLength(1_000);
  expect(files.map(({ path }) => path)).not.toContain('Front/a1.csv');
  expect(leftOut).toBe(2);
  await scan();
  expect(codes()).toEqual(['sales_files_left_out']);
  expect(sales.files()).toEqual([]);
});

test('a file that became a link, a pipe or another file since it was listed is not read', async () => {
  const { write, folder } = openFolder();
  write('Front/day.csv', generic);
  write('secret', generic);
  const path = join(folder, 'Front/day.csv');
  const [file] = (await listSalesFiles(folder)).files;
  expect(await readSalesFile(folder, file!)).toEqual(generic);
  write('Front/day.csv', generic.subarray(1));
  expect(await readSalesFile(folder, file!)).toBeNull();
  rmSync(path);
  execFileSync('mkfifo', [path]);
  expect(await readSalesFile(folder, file!)).toBeNull();
  rmSync(path);
  symlinkSync(join(folder, 'secret'), path);
  await expect(readSalesFile(folder, file!)).rejects.toMatchObject({ code: 'ELOOP' });
});
