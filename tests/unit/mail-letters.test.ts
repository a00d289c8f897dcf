import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { BRAND_NAME, SELLER, SUPPORT_ADDRESS } from '../../contract/brand.ts'
import { bareAddress, mail } from '../../contract/mail.ts'
import { MESSAGE_KINDS, type MessageKind } from '../../contract/messages.ts'
import { FACTS, type Facts } from '../../provider/mail/facts.ts'
import { letterOf } from '../../provider/mail/letters.ts'
import { render } from '../../provider/mail/render.ts'
import { moneyOf } from '../../provider/mail/words.ts'
import { KINDS, SAMPLE_FACTS } from '../support/letters.ts'

const PORTAL = 'https://cam.example.com'
const LINK = 'https://id.example.com/account/forgotten?link=abc'
const STOP = 'https://id.example.com/mail/stop?of=user'
const letter = <K extends MessageKind>(kind: K, change: Partial<Facts[K]> = {}) =>
  letterOf(kind, { ...SAMPLE_FACTS[kind], ...change } as Facts[K], LINK)
const rendered = <K extends MessageKind>(kind: K, change: Partial<(typeof SAMPLE_FACTS)[K]> = {}) =>
  render(letter(kind, change), { portalOrigin: PORTAL, unsubscribe: STOP, seller: SELLER })

describe('subjects', () => {
  test.each<[MessageKind, string]>([
    ['trial_ends', 'Your free days of Camera AI end on 22 December'],
    ['renewal_ahead', 'Unlimited Cameras renews on 22 December for $108.24'],
    ['card_ends', 'Visa ·· 4242 ends before your charge on 22 December'],
    ['charge_failed', '$10.82 for Unlimited Cameras could not be charged; it works until 1 January'],
    ['plan_ended', 'Unlimited Cameras ended on 22 December; its clips are kept until 5 January'],
    ['bill', 'Your bill of 22 December: $108.24 for Unlimited Cameras'],
    ['shared_camera', 'maya@example.com shares a camera with you'],
    ['new_sign_in', 'New sign-in on 22 December: Chrome on Linux'],
    ['password_forgotten', 'Choose a new password until 22 December 2026 at 09:41 UTC'],
    ['account_leaves', 'Your account is deleted on 22 December'],
  ])('of %s: %s', (kind, subject) => {
    expect(rendered(kind).subject).toBe(subject)
  })
})

describe('every letter', () => {
  test.each(KINDS)('%s says the same in HTML and in text, and needs no picture and nothing from elsewhere', (kind) => {
    const { html, text } = rendered(kind)
    const one = letter(kind)
    const plain = html
      .replace(/<style>[^<]*<\/style>|<[^>]+>/g, ' ')
      .replace(/&quot;/g, '"')
      .replace(/\s+/g, ' ')
    const said = [one.title, one.text, ...one.more, ...one.lines.map(({ label }) => label), one.small ?? one.title]
    for (const sentence of [...said, SELLER.name, ...SELLER.address, SUPPORT_ADDRESS]) {
      expect(plain).toContain(sentence)
      expect(text).toContain(sentence)
    }
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
    expect(links.length).toBeGreaterThanOrEqual(1)
    for (const href of links) expect(text).toContain(href)
    expect(html).not.toMatch(/<img|<script|<link|url\(|src=/i)
  })

  test.each(KINDS)('%s fits the list of messages', (kind) => {
    const { title, text, action } = letter(kind)
    expect(title.length).toBeLessThanOrEqual(200)
    expect(text.length).toBeLessThanOrEqual(600)
    expect(action?.path ?? '/').toMatch(/^\/[a-z/]*(\?bill=[A-Z0-9-]+)?$/)
    expect(`${title}${text}`).not.toContain(LINK)
  })

  test.each(KINDS)('%s can be turned off only where it is not about money or safety', (kind) => {
    const { html, text } = rendered(kind)
    const offers = [html, text].map((part) => part.includes('No more letters of this kind'))
    expect(offers).toEqual(kind === 'shared_camera' ? [true, true] : [false, false])
    expect(text.includes('it cannot be turned off')).toBe(kind !== 'shared_camera')
  })

  test('two buttons have the same size', () => {
    const cells = [...rendered('renewal_ahead').html.matchAll(/<td class="half" width="(\d+%)"/g)]
    expect(cells.map(([, width]) => width)).toEqual(['50%', '50%'])
  })

  test('there is one for each kind of message', () => {
    expect(Object.keys(FACTS).sort()).toEqual([...MESSAGE_KINDS].sort())
    expect([...KINDS].sort()).toEqual([...MESSAGE_KINDS].sort())
  })
})

describe('the facts', () => {
  test('of a month, several licences and a balance are said', () => {
    const { text } = rendered('renewal_ahead', {
      ...{ sku: 'cam-ai', period: 'monthly', quantity: 3, brand: null, last_four: null },
      at: Date.UTC(2027, 0, 31),
    })
    expect(text).toContain('Camera AI, monthly × 3\n  31 January 2027 to 28 February 2027')
    expect(text).toContain('is charged from your balance.')
    expect(text).not.toContain('unused whole months')
  })

  test('of a credit note are said as money that comes back', () => {
    const { subject, text } = rendered('bill', { kind: 'credit_note', total: -4166 })
    expect(subject).toBe('Your credit note of 22 December: $41.66 for Unlimited Cameras')
    expect(text).toContain('$41.66 for Unlimited Cameras goes back to Visa ·· 4242 on 22 December 2026.')
  })

  test('of a last failed try name no next one', () => {
    expect(rendered('charge_failed').text).toContain('We try again on 22 December 2026')
    const last = rendered('charge_failed', { next_try: null, code: '1' }).text
    expect(last).toContain('We do not try again by ourselves.')
    expect(last).toContain('The payment was declined.')
    expect(last).not.toContain('Next try')
    const none = rendered('charge_failed', { code: '', brand: '', last_four: '' }).text
    expect(none).toContain('There is no payment method to charge it to. Add one.')
    expect(none).not.toMatch(/From |Code /)
  })

  test('money has its minus sign before the dollar sign, and commas', () => {
    expect([moneyOf(-5), moneyOf(123_456_789)]).toEqual(['\u2212$0.05', '$1,234,567.89'])
  })

  test('are refused where they are wrong', () => {
    expect(v.safeParse(FACTS.bill, { ...SAMPLE_FACTS.bill, total: 1.5 }).success).toBe(false)
    expect(v.safeParse(FACTS.card_ends, { ...SAMPLE_FACTS.card_ends, month: 13 }).success).toBe(false)
  })
})

describe('what somebody else chose', () => {
  const NASTY = '<img src=x onerror=alert(1)>"\'\r\nBcc: evil@example.com\u2028\u202e' + 'x'.repeat(300)

  test('is escaped, cut, and ends no line', () => {
    for (const one of [
      rendered('shared_camera', { camera: NASTY, owner: NASTY }),
      rendered('new_sign_in', { device: NASTY }),
    ]) {
      expect(one.html).not.toContain('<img')
      expect(one.html).toContain('&lt;img')
      expect(one.subject).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
      expect(one.subject.length).toBeLessThanOrEqual(200)
      expect(one.text).not.toMatch(/^Bcc:/m)
    }
    expect(rendered('shared_camera', { camera: NASTY }).text).not.toContain('x'.repeat(40))
  })

  const whole = {
    ...{ message_id: 'msg_1', from: 'mail@example.com', from_name: BRAND_NAME, reply_to: SUPPORT_ADDRESS },
    ...{ to: 'maya@example.com', subject: 'Hello', html: '', text: '', headers: [] },
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
  ])('makes no mail where %s is %j', (field, value) => {
    expect(v.safeParse(mail, whole).success).toBe(true)
    expect(v.safeParse(mail, { ...whole, [field]: value }).success).toBe(false)
  })

  test('an address is one bare address', () => {
    for (const good of ['maya@example.com', 'maya.o+cam@mail.example.co.uk']) expect(v.is(bareAddress, good)).toBe(true)
    expect(v.is(bareAddress, 'maya@example.com\n')).toBe(false)
  })
})
