// The list of parts (CycloneDX) and their licences.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nodePin, sqlitePin } from './pinned.mjs';

/** Completes the list of `npm sbom`: what was removed and added afterwards, and nothing that differs between two builds. */
export function completeSbom(sbom, { packages, name, version, commit, timestamp, architecture }) {
  const isThere = ({ name: found }) => existsSync(join(packages, found));
  const kept = sbom.components.filter(isThere);
  const refs = new Set(kept.map((one) => one['bom-ref']));
  const node = npmComponent(nodePin(architecture), 'application', 'MIT');
  const sqlite = npmComponent(sqlitePin, 'library', 'MIT');
  const engine = {
    'bom-ref': 'sqlite',
    type: 'library',
    name: 'sqlite',
    version: readFileSync(join(packages, 'better-sqlite3/SQLITE_VERSION'), 'utf8').trim(),
    scope: 'required',
    licenses: [{ license: { name: 'Public domain' } }],
  };
  const added = [node, sqlite, engine];
  const root = { ...sbom.metadata.component, name, version, 'bom-ref': `${name}@${version}` };
  root.purl = `pkg:generic/${name}@${version}`;
  delete root.properties;
  return {
    $schema: sbom.$schema,
    bomFormat: sbom.bomFormat,
    specVersion: sbom.specVersion,
    serialNumber: `urn:uuid:${uuidOf(`${name} ${version} ${architecture} ${commit}`)}`,
    version: 1,
    metadata: { timestamp, tools: [{ vendor: 'npm', name: 'sbom' }], component: root },
    components: [...kept, ...added].sort((one, other) => compare(one['bom-ref'], other['bom-ref'])),
    dependencies: [
      ...sbom.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn = [] }) => ({
          ref,
          dependsOn: dependsOn.filter((one) => refs.has(one)).sort(),
        })),
      {
        ref: root['bom-ref'],
        dependsOn: [...directRefs(sbom, refs), node['bom-ref'], sqlite['bom-ref']].sort(),
      },
      { ref: node['bom-ref'], dependsOn: [] },
      { ref: sqlite['bom-ref'], dependsOn: [engine['bom-ref']] },
    ].sort((one, other) => compare(one.ref, other.ref)),
  };
}

const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

function directRefs(sbom, refs) {
  const own = sbom.metadata.component['bom-ref'];
  return (sbom.dependencies.find(({ ref }) => ref === own)?.dependsOn ?? []).filter((one) => refs.has(one));
}

function npmComponent({ name, version, integrity }, type, licence) {
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  return {
    'bom-ref': `${name}@${version}`,
    type,
    name,
    version,
    scope: 'required',
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ license: { id: licence } }],
    hashes: [{ alg: 'SHA-512', content }],
  };
}

/** A UUID (version 8) made of a hash, so that two builds have the same. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

const licenceFile = /^(?:licen[cs]e|copying|notice)/i;

/** THIRD-PARTY.md of the package: each part with version, licence and the file that has the text. */
export function thirdPartyText(sbom, payload) {
  const rows = sbom.components.map((part) => {
    const licence = part.licenses
      ?.map((one) => one.expression ?? one.license.id ?? one.license.name)
      .join(', ');
    if (!licence) throw new Error(`${part.name} has no licence.`);
    return `| ${part.name} | ${part.version} | ${licence} | ${textOf(part, payload)} |`;
  });
  return `# Third-party packages

This package contains the parts below. Each licence text is in the file named beside it, in the folder of this file.
The page also contains code of the packages listed in \`dist/web/licences.txt\`.

| Part | Version | Licence | Text |
|---|---|---|---|
${rows.join('\n')}
`;
}

function textOf({ name }, payload) {
  if (name.startsWith('node-linux-')) return '`LICENSE.node`';
  if (name === 'sqlite') return 'none needed';
  const folder = `node_modules/${name}`;
  const files = existsSync(join(payload, folder))
    ? readdirSync(join(payload, folder)).filter(
        (file) => licenceFile.test(file) && statSync(join(payload, folder, file)).isFile(),
      )
    : [];
  return files.length === 0
    ? '`package.json` of the part names it'
    : files
        .sort()
        .map((file) => `\`${folder}/${file}\``)
        .join(', ');
}
