import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import type { ChipInfo } from './gpio-structs.ts';
import { formatHostInfo, type HostInfo, type Roots } from './host-info.ts';
import { chipProblem, errorCode } from './line-problems.ts';

/**
 * Chips that drive a Raspberry Pi's header, newest board first: chip label and device tree `compatible`
 * entry. Chip numbers are not stable: a Pi 5 was gpiochip4 before it was gpiochip0, and some kernels start at
 * gpiochip11.
 */
const headerChips = [
  { label: 'pinctrl-rp1', compatible: 'raspberrypi,rp1-gpio' },
  { label: 'pinctrl-bcm2711', compatible: 'brcm,bcm2711-gpio' },
  { label: 'pinctrl-bcm2835', compatible: 'brcm,bcm2835-gpio' },
] as const;

/** One chip of this machine. */
export interface Chip extends ChipInfo {
  /** Its device file. */
  readonly path: string;
  /** Its `compatible` entries in the device tree; empty without a device tree. */
  readonly compatible: readonly string[];
}

/** The chips of this machine that could be read, and those that could not be opened. */
interface ChipList {
  readonly chips: readonly Chip[];
  readonly refused: readonly { readonly path: string; readonly code: string }[];
}

/** Reads the information of every `/dev/gpiochip*`. A second path to the same device is left out. */
export function listChips(roots: Roots, readInfo: (path: string) => ChipInfo): ChipList {
  const chips: Chip[] = [];
  const refused: { path: string; code: string }[] = [];
  for (const path of chipPaths(roots.dev)) {
    try {
      const info = readInfo(path);
      chips.push({ ...info, path, compatible: readCompatible(roots, info.name) });
    } catch (error) {
      refused.push({ path, code: errorCode(error) });
    }
  }
  return { chips, refused };
}

/** Chooses the chip: the configured label or path, otherwise a known header chip. Never by number. */
export function chooseChip(
  list: ChipList,
  options: { readonly configuredChip?: string; readonly hostInfo: HostInfo },
): Chip {
  const { chips, refused } = list;
  const { configuredChip, hostInfo } = options;
  const host = formatHostInfo(hostInfo);
  const fail = (problem: Problem): never => {
    throw new AppError('unavailable', problem);
  };

  if (configuredChip?.startsWith('/')) {
    const path = realPath(configuredChip);
    const chip = chips.find((one) => realPath(one.path) === path);
    if (chip) return chip;
    const code = refused.find((one) => realPath(one.path) === path)?.code ?? 'ENOENT';
    return fail(chipProblem({ code, path: configuredChip }, hostInfo));
  }

  const matches =
    configuredChip === undefined
      ? (headerChips
          .map((known) => chips.filter((chip) => matchesHeaderChip(chip, known)))
          .find((some) => some.length > 0) ?? [])
      : chips.filter((chip) => chip.label === configuredChip);
  const [chip, second] = matches;
  if (chip && second) {
    const paths = matches.map(({ path }) => path).join(', ');
    return fail(createProblem('gpio_chips_alike', { label: chip.label, paths, host }));
  }
  if (chip) return chip;
  const [closed] = refused;
  if (closed) return fail(chipProblem(closed, hostInfo));
  if (chips.length === 0) return fail(createProblem('gpio_chip_none', { host }));
  const found = formatLabels(chips.map(({ label }) => label));
  return fail(
    configuredChip === undefined
      ? createProblem('gpio_chip_unknown', { host, found })
      : createProblem('gpio_chip_not_found', { host, label: configuredChip, found }),
  );
}

/** A chip in sysfs, the old interface that numbers the lines of all chips consecutively. */
export interface SysfsChip {
  readonly label: string;
  /** Global number of the chip's line 0; 512 and up since Linux 6.6. */
  readonly base: number;
  readonly lines: number;
}

/** The chips under `/sys/class/gpio`; empty when the kernel lacks this interface. */
export function listSysfsChips(roots: Roots): SysfsChip[] {
  const directory = join(roots.sys, 'class/gpio');
  return listNames(directory)
    .filter((name) => name.startsWith('gpiochip'))
    .flatMap((name) => {
      const base = Number(readText(join(directory, name, 'base')) || Number.NaN);
      const lines = Number(readText(join(directory, name, 'ngpio')) || Number.NaN);
      const label = readText(join(directory, name, 'label'));
      return Number.isSafeInteger(base) && Number.isSafeInteger(lines) ? [{ label, base, lines }] : [];
    });
}

/** Chooses the sysfs chip by label; sysfs does not show a chip's path. */
export function chooseSysfsChip(
  chips: readonly SysfsChip[],
  options: { readonly configuredChip?: string; readonly hostInfo: HostInfo },
): SysfsChip {
  const { configuredChip, hostInfo } = options;
  const labels =
    configuredChip === undefined || configuredChip.startsWith('/')
      ? headerChips.map((known) => known.label)
      : [configuredChip];
  for (const label of labels) {
    const matches = chips.filter((one) => one.label === label);
    const [chip] = matches;
    if (chip && matches.length === 1) return chip;
  }
  const host = formatHostInfo(hostInfo);
  const found = formatLabels(chips.map(({ label }) => label));
  throw new AppError(
    'unavailable',
    chips.length === 0
      ? createProblem('sysfs_none', { host })
      : createProblem('sysfs_chip_not_found', { host, labels: formatLabels(labels), found }),
  );
}

const formatLabels = (labels: readonly string[]): string => labels.map((label) => `"${label}"`).join(', ');

/** True when this chip drives a Raspberry Pi's header. */
export function isHeaderChip(chip: Chip): boolean {
  return headerChips.some((known) => matchesHeaderChip(chip, known));
}

function matchesHeaderChip(chip: Chip, known: (typeof headerChips)[number]): boolean {
  return chip.label === known.label || chip.compatible.includes(known.compatible);
}

function chipPaths(dev: string): string[] {
  const names = listNames(dev).filter((name) => /^gpiochip\d+$/.test(name));
  names.sort((a, b) => Number(a.slice('gpiochip'.length)) - Number(b.slice('gpiochip'.length)));
  const devices = new Set<string>();
  return names
    .map((name) => join(dev, name))
    .filter((path) => {
      const real = realPath(path);
      if (devices.has(real)) return false;
      devices.add(real);
      return true;
    });
}

function readCompatible(roots: Roots, name: string): string[] {
  const text = readText(join(roots.sys, 'bus/gpio/devices', name, 'of_node/compatible'));
  return text.split('\0').filter((entry) => entry !== '');
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1').trim();
  } catch {
    return '';
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
