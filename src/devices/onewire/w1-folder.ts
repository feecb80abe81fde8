import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { probeFaults, readW1Text, type W1Reading } from '../../core/thermo-rules.ts';
import { isBusMaster, isThermometer } from './w1-address.ts';

/** Most names looked at in the folder; a Pi has a handful. */
const mostNames = 1_024;

/** Most thermometers read: at 20 ms each after a bulk conversion, a minute holds far more than a bar has. */
const mostProbes = 64;

const mostMasters = 8;

/** The kernel writes about 75 bytes; a page is the most it could. */
const mostBytes = 4_096;

/** What hangs on the buses now, by the kernel's names. */
export interface W1Devices {
  readonly probes: readonly string[];
  readonly masters: readonly string[];
}

/** Lists thermometers and buses, at most 64 and 8; nothing where there is no such folder. */
export async function listDevices(directory: string): Promise<W1Devices> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory)) {
      names.push(name);
      if (names.length >= mostNames) break;
    }
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause;
  }
  names.sort();
  return {
    probes: names.filter(isThermometer).slice(0, mostProbes),
    masters: names.filter(isBusMaster).slice(0, mostMasters),
  };
}

/**
 * Lets all probes of a bus convert at the same time; ends when they have. False where the kernel or our rights do not
 * allow it: then every probe converts when it is read.
 */
export async function convertAll(directory: string, master: string): Promise<boolean> {
  try {
    // Without O_CREAT: only the kernel may bring this file into being.
    const file = await open(join(directory, master, 'therm_bulk_read'), constants.O_WRONLY);
    try {
      // The driver compares the length with that of its own word, so the line end belongs to it.
      await file.write('trigger\n');
    } finally {
      await file.close();
    }
    return true;
  } catch {
    return false;
  }
}

/** Reads one probe; whatever goes wrong is an unusable reading with its reason. */
export async function readProbe(directory: string, probe: string): Promise<W1Reading> {
  try {
    return readW1Text(await readStart(join(directory, probe, 'w1_slave')));
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') return unusable(reasonOf(cause));
  }
  try {
    return readMilliDegrees(await readStart(join(directory, probe, 'temperature')));
  } catch (cause) {
    return unusable(reasonOf(cause));
  }
}

/** The bare attribute of newer kernels, for layouts without `w1_slave`; the driver has looked at the checksum itself. */
function readMilliDegrees(text: string): W1Reading {
  if (text.trim() === '') return unusable(probeFaults.noAnswer);
  const milli = /^(-?\d{1,6})\s*$/.exec(text)?.[1];
  return milli === undefined ? unusable('no value') : { kind: 'temperature', tempC: Number(milli) / 1_000 };
}

/** One read, since the kernel converts anew for every read from the start. */
async function readStart(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes), 0, mostBytes, null);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function reasonOf(cause: unknown): string {
  switch (codeOf(cause)) {
    case 'ENOENT':
    case 'ENODEV':
      return 'left the bus';
    case 'EIO':
      return 'no answer or bad checksum';
    case 'EACCES':
    case 'EPERM':
      return 'Tapster may not read it';
    default:
      return `cannot be read (${codeOf(cause) ?? 'unknown fault'})`;
  }
}

function codeOf(cause: unknown): string | undefined {
  return (cause as NodeJS.ErrnoException | null)?.code;
}

function unusable(reason: string): W1Reading {
  return { kind: 'unusable', reason };
}
