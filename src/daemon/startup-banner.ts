import { hostname, type NetworkInterfaceInfo, networkInterfaces } from 'node:os';

/**
 * Addresses of the page, the machine's own first, then those for a phone in the same network. In a sandbox
 * that hides the network interfaces only the host name is left.
 */
export function addresses(host: string, port: number, interfaces = networkInterfaces): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [`http://${host}:${port}/`];
  const external = listInterfaces(interfaces)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => `http://${address}:${port}/`);
  return [`http://localhost:${port}/`, `http://${hostname()}.local:${port}/`, ...external];
}

/** The address for a phone in the same network; null when only this machine can reach the page. */
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

/** The text that is printed when the demo starts. */
export function demoBanner(host: string, port: number): string {
  const [here, ...others] = addresses(host, port);
  return [
    '',
    `  Tapster runs as a demo: its taps are simulated, and nothing pours until you start a pour.`,
    '',
    `    Page    ${here}${others.length > 0 ? `   (from a phone: ${others.at(-1)})` : ''}`,
    '    Pour    press Pour on the page, or: npx tapster simulate pour --meter pi.flow0 --ml 330',
    '    Log in  press Try it as staff, or:  npx tapster user add NAME --staff --password-stdin',
    '            and a key for programs:     npx tapster key create NAME',
    '',
    '  With hardware, write /etc/tapster/tapster.json; the README shows how.',
    '',
  ].join('\n');
}

/** The text on the console, until the site is set up, once HTTPS is served: what a person compares before trusting it. */
export function httpsBanner(host: string, port: number, fingerprint: string): string {
  const page = addresses(host, port)
    .at(-1)!
    .replace(/^http:/, 'https:');
  return ['', `    Over HTTPS  ${page}`, `    Its SHA-256 ${fingerprint}`, ''].join('\n');
}

/** The text on the console until the site is set up. */
export function setupBanner(host: string, port: number, code: string): string {
  const page = port === 0 ? [] : [`    Page        ${addresses(host, port).at(-1)}`];
  return [
    '',
    '  This site is not set up yet. Beer is counted already; open the page and enter the code to finish the set-up.',
    '',
    ...page,
    `    Set-up code ${code}`,
    '    Or, here:   tapster user add NAME --staff --password-stdin',
    '',
  ].join('\n');
}
