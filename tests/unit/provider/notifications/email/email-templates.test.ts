import { formatMoney } from '../../../../../contract/billing/amounts.ts'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { BRAND_NAME, SELLER, SUPPORT_ADDRESS } from '../../../../../contract/brand.ts'
import { findCatalogEntry } from '../../../../../contract/wire/error-codes.ts'
import { emailAddress, leasedEmail } from '../../../../../contract/account/email-delivery.ts'
import { NOTIFICATION_KINDS, type NotificationKind } from '../../../../../contract/account/notifications.ts'
import {
  NOTIFICATION_FACTS,
  type NotificationFacts,
} from '../../../../../provider/notifications/email/notification-data.ts'
import { buildEmail } from '../../../../../provider/notifications/email/email-templates.ts'
import { renderEmail } from '../../../../../provider/notifications/email/render-email.ts'
import { areDistinct, extractFacts, statesNoCharge, announcesRefund } from '../../../../support/facts.ts'
import { EMAIL_MESSAGE_KINDS, SAMPLE_FACTS } from '../../../../support/email-samples.ts'

const PORTAL_ORIGIN = 'https://cam.example.com'
const RESET_URL = 'https://id.example.com/account/forgotten?link=abc'
const UNSUBSCRIBE_URL = 'https://id.example.com/mail/stop?of=user'
const buildTestEmail = <K extends NotificationKind>(kind: K, change: Partial<NotificationFacts[K]> = {}) =>
  buildEmail(kind, { ...SAMPLE_FACTS[kind], ...change } as NotificationFacts[K], { link: RESET_URL })
const renderTestEmail = <K extends NotificationKind>(kind: K, change: Partial<(typeof SAMPLE_FACTS)[K]> = {}) =>
  renderEmail(buildTestEmail(kind, change), {
    portalOrigin: PORTAL_ORIGIN,
    unsubscribe: UNSUBSCRIBE_URL,
    seller: SELLER,
  })

describe('email subjects', () => {
  test.each<[NotificationKind, string[]]>([
    ['trial_ends', ['Camera AI', '22 Dec']],
    ['renewal_ahead', ['Unlimited Cameras', '22 Dec', '$108.24']],
    ['card_ends', ['Visa ·· 4242', '22 Dec']],
    ['charge_failed', ['$10.82', 'Unlimited Cameras', '1 Jan']],
    ['refund_failed', ['$108.24']],
    ['plan_ended', ['Unlimited Cameras', '22 Dec', '5 Jan']],
    ['bill', ['22 Dec', '$108.24', 'Unlimited Cameras']],
    ['shared_camera', ['maya@example.com']],
    ['camera_invitation', ['maya@example.com']],
    ['new_sign_in', ['22 Dec', 'Chrome on Linux']],
    ['password_forgotten', []],
    ['confirm_sign_up', []],
    ['account_exists', []],
    ['account_leaves', ['22 Dec']],
  ])('of %s name %j', (kind, facts) => {
    expect(extractFacts(renderTestEmail(kind).subject, 'Chrome on Linux')).toEqual(facts)
  })

  test('of any two kinds differ', () => {
    expect(areDistinct(EMAIL_MESSAGE_KINDS.map((kind) => renderTestEmail(kind).subject))).toBe(true)
  })
})

describe('every email', () => {
  test.each(EMAIL_MESSAGE_KINDS)(
    '%s says the same in HTML and in text, and needs no image and no external content',
    (kind) => {
      const { html, text } = renderTestEmail(kind)
      const email = buildTestEmail(kind)
      const plain = html
        .replace(/<style>[^<]*<\/style>|<[^>]+>/g, ' ')
        .replace(/&quot;/g, '"')
        .replace(/\s+/g, ' ')
      const sentences = [
        email.title,
        email.text,
        ...email.more,
        ...email.lines.map(({ label }) => label),
        email.small ?? email.title,
      ]
      for (const sentence of [...sentences, SELLER.name, ...SELLER.address, SUPPORT_ADDRESS]) {
        expect(plain).toContain(sentence)
        expect(text).toContain(sentence)
      }
      const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
      expect(links.length).toBeGreaterThanOrEqual(1)
      for (const href of links) expect(text).toContain(href)
      expect(html).not.toMatch(/<img|<script|<link|url\(|src=/i)
    },
  )

  test.each(EMAIL_MESSAGE_KINDS)('%s fits into the notification list', (kind) => {
    const { title, text, action } = buildTestEmail(kind)
    expect(title.length).toBeLessThanOrEqual(200)
    expect(text.length).toBeLessThanOrEqual(600)
    expect(action?.path ?? '/').toMatch(/^\/[a-z/]*(\?bill=[A-Z0-9-]+)?$/)
    expect(`${title}${text}`).not.toContain(RESET_URL)
  })

  test.each(EMAIL_MESSAGE_KINDS)('%s can be turned off only if it is not about money or safety', (kind) => {
    const { html, text } = renderTestEmail(kind)
    const offers = [html, text].map((part) => part.includes(UNSUBSCRIBE_URL))
    expect(offers).toEqual(kind === 'shared_camera' ? [true, true] : [false, false])
  })

  test('shows two buttons in the same size', () => {
    const cells = [...renderTestEmail('renewal_ahead').html.matchAll(/<td class="half" width="(\d+%)"/g)]
    expect(cells.map(([, width]) => width)).toEqual(['50%', '50%'])
  })

  test('exists once for each kind of notification', () => {
    expect(Object.keys(NOTIFICATION_FACTS).sort()).toEqual([...NOTIFICATION_KINDS].sort())
    expect([...EMAIL_MESSAGE_KINDS].sort()).toEqual([...NOTIFICATION_KINDS].sort())
  })
})

describe('facts in an email', () => {
  test('include the month, several licenses and a balance', () => {
    const change = {
      ...({ sku: 'cam-ai', period: 'monthly', quantity: 3, brand: null, last_four: null } as const),
      ...({ month: undefined, year: undefined } as const),
      at: Date.UTC(2027, 0, 31),
    } as const
    const { text, small } = buildTestEmail('renewal_ahead', change)
    expect(extractFacts(text, 'balance')).toEqual(['Camera AI', '31 Jan 2027', '$108.24', 'balance'])
    expect(renderTestEmail('renewal_ahead', change).text).toMatch(
      /× 3: \$99\.99\n {2}January 31, 2027 to February 28, 2027/,
    )
    expect(
      areDistinct([small ?? '', buildTestEmail('renewal_ahead', { ...change, period: 'annual' }).small ?? '']),
    ).toBe(true)
  })

  test('show the price, tax and card of a renewal, and link the cancellation', () => {
    const { lines, buttons } = buildTestEmail('renewal_ahead')
    expect(lines.map(({ label, value }) => [label, value])).toEqual([
      ['Unlimited Cameras, annual', '$99.99'],
      ['Sales tax', '$8.25'],
      ['Charge on December 22, 2026', '$108.24'],
    ])
    expect(lines[2]?.hint).toBe('To Visa ·· 4242, expires 08/28')
    expect(new Set(buttons.map(({ to }) => to)).size).toBe(2)
  })

  test('of a renewal without its parts name only the total', () => {
    const facts = { net: undefined, tax: undefined, month: undefined, year: undefined }
    const { lines } = buildTestEmail('renewal_ahead', facts)
    expect(lines.map(({ value }) => value)).toEqual([undefined, '$108.24'])
    expect(lines[1]?.hint).toBe('To Visa ·· 4242, including sales tax')
  })

  test('describe the money of a credit note as a refund', () => {
    const { title, text } = buildTestEmail('bill', { kind: 'credit_note', total: -4166 })
    expect(extractFacts(title)).toEqual(['$41.66', 'Unlimited Cameras'])
    expect(extractFacts(text)).toEqual(['$41.66', 'Unlimited Cameras', 'Visa ·· 4242', '22 Dec 2026'])
    expect([text, buildTestEmail('bill').text].map(announcesRefund)).toEqual([true, false])
    const subjects = [{}, { kind: 'credit_note', total: -10_824 } as const].map(
      (change) => renderTestEmail('bill', change).subject,
    )
    expect(areDistinct(subjects)).toBe(true)
  })

  test('state when a failed charge is retried, if it is, and why it failed', () => {
    const none = { code: '', brand: '', last_four: '' } as const
    const emails = [{}, { next_try: null, code: '1' }, none].map((change) => buildTestEmail('charge_failed', change))
    const commonFacts = ['Unlimited Cameras', '1 Jan 2027']
    expect(emails.map(({ text }) => extractFacts(text))).toEqual([
      [...commonFacts, '22 Dec 2026'],
      commonFacts,
      [...commonFacts, '22 Dec 2026'],
    ])
    expect(emails.every(({ text }) => statesNoCharge(text))).toBe(true)
    expect(emails.map(({ lines }) => lines.length)).toEqual([4, 3, 4])
    const reasons = emails.flatMap(({ lines }) => lines[1] ?? [])
    expect(reasons.map(({ hint = '' }) => extractFacts(hint))).toEqual([['4221'], ['1'], []])
    expect(reasons[0]?.label).toBe(findCatalogEntry('4221')?.text)
    expect(areDistinct(reasons.map(({ label }) => label))).toBe(true)
    expect(emails.map(({ lines }) => extractFacts(lines[0]?.hint ?? ''))).toEqual([
      ['Visa ·· 4242'],
      ['Visa ·· 4242'],
      [],
    ])
  })

  test('show money with its minus sign before the dollar sign, and with commas', () => {
    expect([formatMoney(-5), formatMoney(123_456_789)]).toEqual(['\u2212$0.05', '$1,234,567.89'])
  })

  test('are rejected if they are wrong', () => {
    expect(v.safeParse(NOTIFICATION_FACTS.bill, { ...SAMPLE_FACTS.bill, total: 1.5 }).success).toBe(false)
    expect(v.safeParse(NOTIFICATION_FACTS.card_ends, { ...SAMPLE_FACTS.card_ends, month: 13 }).success).toBe(false)
  })
})

describe('text that another person chose', () => {
  const MALICIOUS_TEXT = '<img src=x onerror=alert(1)>"\'\r\nBcc: evil@example.com\u2028\u202e' + 'x'.repeat(300)

  test('is escaped, cut, and ends no line', () => {
    for (const email of [
      renderTestEmail('shared_camera', { camera: MALICIOUS_TEXT, owner: MALICIOUS_TEXT }),
      renderTestEmail('new_sign_in', { device: MALICIOUS_TEXT }),
    ]) {
      expect(email.html).not.toContain('<img')
      expect(email.html).toContain('&lt;img')
      expect(email.subject).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
      expect(email.subject.length).toBeLessThanOrEqual(200)
      expect(email.text).not.toMatch(/^Bcc:/m)
    }
    expect(renderTestEmail('shared_camera', { camera: MALICIOUS_TEXT }).text).not.toContain('x'.repeat(40))
  })

  const validMail = {
    message_id: 'msg_1',
    from: 'mail@example.com',
    from_name: BRAND_NAME,
    reply_to: SUPPORT_ADDRESS,
    to: 'maya@example.com',
    subject: 'Hello',
    html: '',
    text: '',
    headers: [],
  }
  test.each([
    ['to', 'a@x.com>\r\nRCPT TO:<evil@x.com'],
    ['to', 'a@x.com, evil@x.com'],
    ['to', '"Maya" <a@x.com>'],
    ['to', 'a@x.com (evil@x.com)'],
    ['to', 'a@localhost'],
    ['from', 'a b@x.com'],
    ['subject', 'Hello\r\nBcc: evil@x.com'],
    ['from_name', 'Us\nBcc: evil@x.com'],
    ['headers', [{ name: 'X-Ours', value: 'a\r\nBcc: evil@x.com' }]],
    ['headers', [{ name: 'X: y\r\nBcc', value: 'a' }]],
  ])('makes no email if %s is %j', (field, value) => {
    expect(v.safeParse(leasedEmail, validMail).success).toBe(true)
    expect(v.safeParse(leasedEmail, { ...validMail, [field]: value }).success).toBe(false)
  })

  test('an email address is one bare address', () => {
    for (const good of ['maya@example.com', 'maya.o+cam@mail.example.co.uk'])
      expect(v.is(emailAddress, good)).toBe(true)
    expect(v.is(emailAddress, 'maya@example.com\n')).toBe(false)
  })
})
