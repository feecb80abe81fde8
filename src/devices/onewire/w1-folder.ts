import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { readW1Text, sensorFaults, type W1Reading } from '../../core/temperatures/thermo-rules.ts';
import { isBusMaster, isOneWireSensor } from './w1-address.ts';

/** Upper bound of entries read in the folder; a Pi has a few. */
const maxNames = 1_024;

/**
 * Upper bound of sensors read: at 20 ms each after a bulk conversion, a round is far shorter than its
 * interval.
 */
const maxSensors = 64;

const maxMasters = 8;

/** Bytes read of a file: the kernel writes about 75, at most one page. */
const maxBytes = 4_096;

/** The devices on the buses, by the kernel's names. */
interface W1Devices {
  readonly sensors: readonly string[];
  readonly masters: readonly string[];
}

/** Lists temperature sensors (at most 64) and buses (at most 8); empty without the folder. */
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
 * Starts one conversion on all sensors of a bus and waits for its end. Returns false when the kernel or the
 * file's permissions do not allow it: then every sensor converts when it is read.
 */
export async function convertAll(directory: string, master: string): Promise<boolean> {
  try {
    // Without O_CREAT: only the kernel creates this file.
    const file = await open(join(directory, master, 'therm_bulk_read'), constants.O_WRONLY);
    try {
      // The driver compares the length as well, so the line end is required.
      await file.write('trigger\n');
    } finally {
      await file.close();
    }
    return true;
  } catch {
    return false;
  }
}

/** Reads one sensor; any failure is an unusable reading with its reason. */
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

/** Parses the `temperature` attribute of newer kernels, whose checksum the driver has verified. */
function readMilliDegrees(text: string): W1Reading {
  if (text.trim() === '') return unusable(sensorFaults.noAnswer);
  const milli = /^(-?\d{1,6})\s*$/.exec(text)?.[1];
  return milli === undefined ? unusable('no value') : { kind: 'temperature', tempC: Number(milli) / 1_000 };
}

/** Reads the file with one call, since the kernel starts a new conversion for every read from offset 0. */
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
