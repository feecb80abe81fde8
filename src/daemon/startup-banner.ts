import { type Listening, localUrl, reachableUrls } from '../system/own-addresses.ts';

/** The addresses that a text names: this machine's own, and the best one for a phone in the same network, if there is one. */
function findAddresses(listening: Listening): { readonly here: string; readonly phone: string | null } {
  const [phone = null] = reachableUrls(listening);
  const here = localUrl(listening);
  return { here, phone: phone === here ? null : phone };
}

/** The text that is printed when the demo starts. */
export function demoBanner(host: string, port: number): string {
  const { here, phone } = findAddresses({ host, port });
  return [
    '',
    `  Tapster runs as a demo: its taps are simulated, and nothing pours until you start a pour.`,
    '',
    `    Page    ${here}${phone === null ? '' : `   (from a phone: ${phone})`}`,
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
  const listening: Listening = { scheme: 'https', host, port };
  const page = reachableUrls(listening)[0] ?? localUrl(listening);
  return ['', `    Over HTTPS  ${page}`, `    Its SHA-256 ${fingerprint}`, ''].join('\n');
}

/** The text on the console until the site is set up. */
export function setupBanner(host: string, port: number, code: string): string {
  const { here, phone } = findAddresses({ host, port });
  const page = port === 0 ? [] : [`    Page        ${phone ?? here}`];
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
