import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { probeFaults, readW1Text, type W1Reading } from '../../core/thermo-rules.ts';
import { isBusMaster, isOneWireSensor } from './w1-address.ts';

/** Most names looked at in the folder; a Pi has a handful. */
const maxNames = 1_024;

/** Most thermometers read: at 20 ms each after a bulk conversion, a minute holds far more than a bar has. */
const maxSensors = 64;

const maxMasters = 8;

/** The kernel writes about 75 bytes; a page is the most it could. */
const maxBytes = 4_096;

/** What hangs on the buses now, by the kernel's names. */
export interface W1Devices {
  readonly sensors: readonly string[];
  readonly masters: readonly string[];
}

/** Lists thermometers and buses, at most 64 and 8; nothing where there is no such folder. */
export async function listDevices(directory: string): Promise<W1Devices> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory)) {
      names.push(name);
      if (names.length >= maxNames) break;
    }
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT') throw cause;
  }
  names.sort();
  return {
    sensors: names.filter(isOneWireSensor).slice(0, maxSensors),
    masters: names.filter(isBusMaster).slice(0, maxMasters),
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
export async function readSensor(directory: string, sensor: string): Promise<W1Reading> {
  try {
    return readW1Text(await readStart(join(directory, sensor, 'w1_slave')));
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT') return unusable(readFailure(cause));
  }
  try {
    return readMilliDegrees(await readStart(join(directory, sensor, 'temperature')));
  } catch (cause) {
    return unusable(readFailure(cause));
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
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, null);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function readFailure(cause: unknown): string {
  switch (errorCode(cause)) {
    case 'ENOENT':
    case 'ENODEV':
      return 'left the bus';
    case 'EIO':
      return 'no answer or bad checksum';
    case 'EACCES':
    case 'EPERM':
      return 'Tapster may not read it';
    default:
      return `cannot be read (${errorCode(cause) ?? 'unknown fault'})`;
  }
}

function errorCode(cause: unknown): string | undefined {
  return (cause as NodeJS.ErrnoException | null)?.code;
}

function unusable(reason: string): W1Reading {
  return { kind: 'unusable', reason };
}
