import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the kernel's file systems are mounted; a test passes its own folders. */
export interface Roots {
  /** Device nodes, `/dev`. */
  readonly dev: string;
  /** `/sys`. */
  readonly sys: string;
  /** `/proc`. */
  readonly proc: string;
}

export const systemRoots: Roots = { dev: '/dev', sys: '/sys', proc: '/proc' };

const unknownBoard = 'unknown board';
const unknownKernel = 'unknown';

/** Board and kernel of this machine, for error messages. */
export interface HostInfo {
  /** Model of the device tree (`Raspberry Pi 5 Model B Rev 1.0`), or `unknown board`. */
  readonly board: string;
  /** Kernel release, or `unknown`. */
  readonly kernel: string;
}

export function readHostInfo(roots: Roots): HostInfo {
  return {
    board: firstText(
      [join(roots.proc, 'device-tree/model'), join(roots.sys, 'firmware/devicetree/base/model')],
      unknownBoard,
    ),
    kernel: firstText([join(roots.proc, 'sys/kernel/osrelease')], unknownKernel),
  };
}

/** Formats what is known of board and kernel for a text in any language: `Raspberry Pi 4 Model B Rev 1.5, Linux 6.12.96`. */
export function formatHostInfo({ board, kernel }: HostInfo): string {
  const system = kernel === unknownKernel ? 'Linux' : `Linux ${kernel}`;
  return board === unknownBoard ? system : `${board}, ${system}`;
}

/** True for the boards whose header pins are driven by the RP1 chip. */
export function isPi5(hostInfo: HostInfo): boolean {
  return /Raspberry Pi (5|500|Compute Module 5)\b/.test(hostInfo.board);
}

function firstText(paths: readonly string[], fallback: string): string {
  for (const path of paths) {
    try {
      // Texts of the device tree end with a zero byte.
      const text = readFileSync(path, 'utf8').replaceAll('\0', '').trim();
      if (text !== '') return text.slice(0, 128);
    } catch {
      // Try the next path, then the fallback: a PC has no device tree.
    }
  }
  return fallback;
}
