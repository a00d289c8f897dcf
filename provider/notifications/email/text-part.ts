import type { EmailContent, Line } from './email-content.ts'

const lineText = ({ label, hint, value }: Line): string =>
  [value === undefined ? label : `${label}: ${value}`, ...(hint === undefined ? [] : [`  ${hint}`])].join('\n')

/**
 * Renders the text part: the same sentences and URLs as the HTML part. `foot`: lines that say why the email was sent
 * and who sends it.
 */
export function textPart(letter: EmailContent, foot: readonly string[], addressOf: (to: string) => string): string {
  const { title, text, lines, more, buttons, small } = letter
  return [
    title,
    text,
    ...(lines.length > 0 ? [lines.map(lineText).join('\n')] : []),
    ...more,
    ...buttons.map(({ label, to }) => `${label}: ${addressOf(to)}`),
    ...(small === null ? [] : [small]),
    '--',
    ...foot,
    '',
  ].join('\n\n')
}
