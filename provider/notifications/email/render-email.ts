import { SUPPORT_ADDRESS } from '../../../contract/brand.ts'
import { renderHtmlPart } from './html-part.ts'
import type { EmailContent, SummaryLine } from './email-content.ts'
import { toOneLine } from './email-format.ts'

const renderLine = ({ label, hint, value }: SummaryLine): string =>
  [value === undefined ? label : `${label}: ${value}`, ...(hint === undefined ? [] : [`  ${hint}`])].join('\n')

function renderTextPart(
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

const REASON_TEXTS = {
  money: 'This email is about billing for your account. You can’t turn off billing emails.',
  safety: 'This email is about account access. You can’t turn off account access emails.',
  news: 'You’re receiving this because someone shared a camera with you.',
} as const

const SUBJECT_MAX_LENGTH = 200

export interface RenderedEmail {
  readonly subject: string
  readonly html: string
  readonly text: string
}

/**
 * `portalOrigin`: base of relative links. `unsubscribe`: unsubscribe URL; null for emails about money and safety.
 * `seller`: name and postal address of the sender.
 */
interface RenderOptions {
  readonly portalOrigin: string
  readonly unsubscribe: string | null
  readonly seller: { readonly name: string; readonly address: readonly string[] }
}

export function renderEmail(
  content: EmailContent,
  { portalOrigin, unsubscribe, seller }: RenderOptions,
): RenderedEmail {
  const toAbsoluteUrl = (to: string) => (to.startsWith('/') ? portalOrigin + to : to)
  const unsubscribeUrl = content.about === 'news' ? unsubscribe : null
  const footerLines = [
    `${REASON_TEXTS[content.about]} We never ask for your password or card number by email. If a button doesn’t work, go to ${portalOrigin} and choose Account.`,
    `${seller.name} · ${seller.address.join(', ')} · ${SUPPORT_ADDRESS}`,
  ]
  return {
    subject: toOneLine(content.subject).slice(0, SUBJECT_MAX_LENGTH),
    html: renderHtmlPart(content, { footerLines, unsubscribe: unsubscribeUrl, toAbsoluteUrl }),
    text: renderTextPart(
      content,
      [...footerLines, ...(unsubscribeUrl === null ? [] : [`Unsubscribe: ${unsubscribeUrl}`])],
      toAbsoluteUrl,
    ),
  }
}
