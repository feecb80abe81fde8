import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/daemon/load-config.ts';
import { productDirectory } from '../../src/system/product.ts';

const text = readFileSync(join(productDirectory, 'packaging/avahi/tapster.service'), 'utf8');
const { http, https } = parseConfig('{}', 'test', { env: {} });

/** The elements of a text with their contents, in order. */
const elements = (part: string) =>
  [...part.matchAll(/<([a-z-]+)(?: [^>]*)?>([\s\S]*?)<\/\1>/g)].map(([, name, content]) => [name!, content!]);

const services = elements(text)
  .flatMap(([, group]) => elements(group!))
  .filter(([name]) => name === 'service')
  .map(([, content]) => elements(content!));

const toPort = (service: readonly (readonly string[])[]) => [
  service.find(([name]) => name === 'type')?.[1],
  Number(service.find(([name]) => name === 'port')?.[1]),
];

test('Avahi announces both servers on their default ports', () => {
  expect(text).toContain('<name replace-wildcards="yes">Tapster on %h</name>');
  expect(services.map(toPort).sort()).toEqual([
    ['_http._tcp', http.port],
    ['_https._tcp', https.port],
    ['_tapster._tcp', http.port],
  ]);
});

test('Tapster’s own service has version, role and the port of HTTPS', () => {
  const own = services.find((service) => service[0]?.[1] === '_tapster._tcp') ?? [];
  const records = own.filter(([name]) => name === 'txt-record').map(([, record]) => record);
  expect(records).toEqual(['version=@VERSION@', 'role=server', `https_port=${https.port}`]);
});

test('the elements are in the order of the DTD, which Avahi checks', () => {
  expect(elements(text).map(([name]) => name)).toEqual(['service-group']);
  for (const service of services)
    expect(service.map(([name]) => name).join(' ')).toMatch(/^type (?:subtype )*port(?: txt-record)*$/);
});
