/**
 * One measured thing. Figures are ready to print; a ratio is ours to bare.
 * @typedef {object} Row
 * @property {string} what
 * @property {string} ours
 * @property {string} [bare] the same done with as little as possible, in the same run
 * @property {string} [ratio]
 * @property {string} [target] absent where the figure is for information
 * @property {boolean} [met]
 */

const heads = ['what', 'ours', 'bare', 'ratio', 'target', ''];

/**
 * Rows as a table in Markdown, every column as wide as its widest cell.
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
 * Ours to bare, with two figures that mean something.
 * @param {number} ours
 * @param {number} bare
 */
export function ratio(ours, bare) {
  const value = ours / bare;
  return `${value >= 10 ? value.toFixed(0) : value.toFixed(2)} ×`;
}
