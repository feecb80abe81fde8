import type { Site } from '../../core/records.ts';
import type { DaemonTexts } from '../../system/catalogues.ts';
import { escapeHtml } from '../escape-html.ts';

/** Content of an email. */
export interface Email {
  /** Language of its texts, an IETF tag. */
  readonly language: string;
  readonly subject: string;
  /** Text, one entry for each paragraph. */
  readonly paragraphs: readonly string[];
  /** Lines of a table, shown in a monospaced font. */
  readonly table?: readonly string[];
  /** A link to a page. */
  readonly link?: { readonly text: string; readonly href: string };
  /** Why the reader gets it, and how to unsubscribe. */
  readonly footer?: string;
}

/** What the texts of a mail depend on besides its values. */
export interface MailContext {
  readonly site: Site;
  /** Texts in the reader's language. */
  readonly texts: DaemonTexts;
}

/** Formats the email as plain text. */
export function formatEmailText({ paragraphs, table = [], link, footer }: Email): string {
  const parts = [
    ...paragraphs,
    ...(table.length === 0 ? [] : [table.join('\n')]),
    ...(link === undefined ? [] : [`${link.text}:\n${link.href}`]),
    ...(footer === undefined ? [] : [`-- \n${footer}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Long words and lines wrap, so that a phone shows the mail without scrolling sideways. */
const head =
  '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>';

/** Formats the email as HTML; all texts are escaped. */
export function formatEmailHtml({ language, paragraphs, table = [], link, footer }: Email): string {
  const parts = [
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(table.length === 0
      ? []
      : [`<pre style="white-space: pre-wrap">${escapeHtml(table.join('\n'))}</pre>`]),
    ...(link === undefined ? [] : [`<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`]),
    ...(footer === undefined ? [] : [`<p><small>${escapeHtml(footer)}</small></p>`]),
  ];
  return `<!doctype html>\n<html lang="${escapeHtml(language)}">${head}<body style="overflow-wrap: anywhere">\n${parts.join('\n')}\n</body></html>\n`;
}

/** A header value without control characters and line breaks, which could inject another header. */
export function headerLine(text: string): string {
  return [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, 200).join('');
}
