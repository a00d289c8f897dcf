import type { EmailContent, SummaryLine } from './email-content.ts'

const renderLine = ({ label, hint, value }: SummaryLine): string =>
  [value === undefined ? label : `${label}: ${value}`, ...(hint === undefined ? [] : [`  ${hint}`])].join('\n')

/**
 * Renders the text part of an email, with the sentences and URLs of the HTML part. `footerLines`: reason for the email,
 * and identity of the sender.
 */
export function textPart(
  content: EmailContent,
  footerLines: readonly string[],
  toAbsoluteUrl: (to: string) => string,
): string {
  const { title, text, lines, more, buttons, small } = content
  return [
    title,
    text,
    ...(lines.length > 0 ? [lines.map(renderLine).join('\n')] : []),
    ...more,
    ...buttons.map(({ label, to }) => `${label}: ${toAbsoluteUrl(to)}`),
    ...(small === null ? [] : [small]),
    '--',
    ...footerLines,
    '',
  ].join('\n\n')
}
