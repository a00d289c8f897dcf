import { SUPPORT_ADDRESS } from '../../../contract/brand.ts'
import { htmlPart } from './html-part.ts'
import type { EmailContent } from './email-content.ts'
import { textPart } from './text-part.ts'
import { oneLine } from './email-format.ts'

const WHY = {
  money: 'You get this letter because it is about your money; it cannot be turned off.',
  safety: 'You get this letter because it is about the safety of your account; it cannot be turned off.',
  news: 'You get this letter because somebody shares something with your account.',
} as const

/** Mail servers cut longer headers. */
const SUBJECT_MAX = 200

export interface Rendered {
  readonly subject: string
  readonly html: string
  readonly text: string
}

/**
 * `portalOrigin`: base of relative links; `unsubscribe`: unsubscribe URL of this kind, null for emails about money and
 * safety; `seller`: sender's name and postal address.
 */
interface From {
  readonly portalOrigin: string
  readonly unsubscribe: string | null
  readonly seller: { readonly name: string; readonly address: readonly string[] }
}

export function render(letter: EmailContent, { portalOrigin, unsubscribe, seller }: From): Rendered {
  const toAbsoluteUrl = (to: string) => (to.startsWith('/') ? portalOrigin + to : to)
  const end = letter.about === 'news' ? unsubscribe : null
  const foot = [
    `${WHY[letter.about]} We never ask for your password or card number by mail. If a button does not work, type ${portalOrigin} and choose Account.`,
    `${seller.name} · ${seller.address.join(', ')} · ${SUPPORT_ADDRESS}`,
  ]
  return {
    subject: oneLine(letter.subject).slice(0, SUBJECT_MAX),
    html: htmlPart(letter, { foot, unsubscribe: end, addressOf: toAbsoluteUrl }),
    text: textPart(letter, [...foot, ...(end === null ? [] : [`No more letters of this kind: ${end}`])], toAbsoluteUrl),
  }
}
