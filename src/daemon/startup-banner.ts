import { hostname, type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/**
 * Addresses a phone in the same network can type, the machine's own first. A sandbox that keeps the numbers of the
 * network from us leaves the machine's name.
 */
export function addresses(host: string, port: number, interfaces = networkInterfaces): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [`http://${host}:${port}/`];
  const external = listInterfaces(interfaces)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => `http://${address}:${port}/`);
  return [`http://localhost:${port}/`, `http://${hostname()}.local:${port}/`, ...external];
}

/** What a phone in the same network opens; null where only this machine can reach the page. */
export function phoneAddress(host: string, port: number, interfaces = networkInterfaces): string | null {
  const last = addresses(host, port, interfaces).at(-1);
  return last === undefined || /^http:\/\/(?:localhost|127\.|\[?::1)/.test(last) ? null : last;
}

function listInterfaces(interfaces: typeof networkInterfaces): NetworkInterfaceInfo[] {
  try {
    return Object.values(interfaces()).flatMap((list) => list ?? []);
  } catch {
    return [];
  }
}

/** What a newcomer is told at the start of the demo. */
export function demoBanner(host: string, port: number): string {
  const [here, ...others] = addresses(host, port);
  return [
    '',
    `  Tapster runs as a demo: its taps are simulated, and nothing pours until you say so.`,
    '',
    `    Page    ${here}${others.length > 0 ? `   (from a phone: ${others.at(-1)})` : ''}`,
    '    Pour    press Pour on the page, or: npx tapster simulate pour --meter pi.flow0 --ml 330',
    '    Log in  make an account:            npx tapster user add NAME --staff --password-stdin',
    '            and a key for programs:     npx tapster key create NAME',
    '',
    '  With hardware, write /etc/tapster/tapster.json; the README shows how.',
    '',
  ].join('\n');
}

/** What whoever stands at the machine is told until the house is set up. */
export function setupBanner(host: string, port: number, code: string): string {
  const page = port === 0 ? [] : [`    Page        ${addresses(host, port).at(-1)}`];
  return [
    '',
    '  This house is not set up yet. It counts already; its pages open when somebody has followed them once.',
    '',
    ...page,
    `    Set-up code ${code}`,
    '    Or, here:   tapster user add NAME --staff --password-stdin',
    '',
  ].join('\n');
}
