/** A mail before it is put into its envelope. */
export interface Letter {
  readonly subject: string;
  /** What it says, a paragraph each. */
  readonly paragraphs: readonly string[];
  /** Lines of a table, shown one below the other in letters of one width. */
  readonly table?: readonly string[];
  /** Where to go next. */
  readonly link?: { readonly words: string; readonly href: string };
  /** Why the reader gets it, and how to get no more. */
  readonly footer?: string;
}

/** The letter for those who read plain text. */
export function letterText({ paragraphs, table = [], link, footer }: Letter): string {
  const parts = [
    ...paragraphs,
    ...(table.length === 0 ? [] : [table.join('\n')]),
    ...(link === undefined ? [] : [`${link.words}:\n${link.href}`]),
    ...(footer === undefined ? [] : [`-- \n${footer}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The same for those who do not; names of beers and people are text in it, whatever they look like. */
export function letterHtml({ paragraphs, table = [], link, footer }: Letter): string {
  const parts = [
    ...paragraphs.map((text) => `<p>${escaped(text)}</p>`),
    ...(table.length === 0 ? [] : [`<pre>${escaped(table.join('\n'))}</pre>`]),
    ...(link === undefined ? [] : [`<p><a href="${escaped(link.href)}">${escaped(link.words)}</a></p>`]),
    ...(footer === undefined ? [] : [`<p><small>${escaped(footer)}</small></p>`]),
  ];
  return `<!doctype html>\n<html lang="en"><body>\n${parts.join('\n')}\n</body></html>\n`;
}

/** One line of a header: nothing in it can end the line and begin another header. */
export function headerLine(text: string): string {
  return [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, 200).join('');
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (sign) => entities[sign]!);
}
