/**
 * One measurement. Values are formatted; the ratio is ours to bare.
 * @typedef {object} Row
 * @property {string} what
 * @property {string} ours
 * @property {string} [bare] baseline with the least possible code, in the same run
 * @property {string} [ratio]
 * @property {string} [target] absent when the value is for information
 * @property {boolean} [met]
 */

const heads = ['what', 'ours', 'bare', 'ratio', 'target', ''];

/**
 * Formats rows as a Markdown table with aligned columns.
 * @param {readonly Row[]} rows
 */
export function table(rows) {
  const lines = [heads, ...rows.map(cells)];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const print = (line) => `| ${line.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [print(lines[0]), rule, ...lines.slice(1).map(print)].join('\n');
}

/** @param {Row} row */
function cells({ what, ours, bare = '', ratio = '', target = '', met }) {
  const result = met === undefined ? '' : met ? 'met' : 'MISSED';
  return [what, ours, bare, ratio, target, result];
}

/**
 * Formats the ratio of ours to bare with two significant digits.
 * @param {number} ours
 * @param {number} bare
 */
export function ratio(ours, bare) {
  const value = ours / bare;
  return `${value >= 10 ? value.toFixed(0) : value.toFixed(2)} ×`;
}
