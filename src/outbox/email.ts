/** A mail before it is put into its envelope. */
export interface Email {
  readonly subject: string;
  /** What it says, a paragraph each. */
  readonly paragraphs: readonly string[];
  /** Lines of a table, shown one below the other in letters of one width. */
  readonly table?: readonly string[];
  /** Where to go next. */
  readonly link?: { readonly text: string; readonly href: string };
  /** Why the reader gets it, and how to get no more. */
  readonly footer?: string;
}

/** The letter for those who read plain text. */
export function formatEmailText({ paragraphs, table = [], link, footer }: Email): string {
  const parts = [
    ...paragraphs,
    ...(table.length === 0 ? [] : [table.join('\n')]),
    ...(link === undefined ? [] : [`${link.text}:\n${link.href}`]),
    ...(footer === undefined ? [] : [`-- \n${footer}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The same for those who do not; names of beers and people are text in it, whatever they look like. */
export function formatEmailHtml({ paragraphs, table = [], link, footer }: Email): string {
  const parts = [
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(table.length === 0 ? [] : [`<pre>${escapeHtml(table.join('\n'))}</pre>`]),
    ...(link === undefined ? [] : [`<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`]),
    ...(footer === undefined ? [] : [`<p><small>${escapeHtml(footer)}</small></p>`]),
  ];
  return `<!doctype html>\n<html lang="en"><body>\n${parts.join('\n')}\n</body></html>\n`;
}

/** One line of a header: nothing in it can end the line and begin another header. */
export function headerLine(text: string): string {
  return [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, 200).join('');
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (sign) => entities[sign]!);
}
