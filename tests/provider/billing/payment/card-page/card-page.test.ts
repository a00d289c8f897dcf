import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CARD_TICKET_LIFETIME_MS } from '../../../../../contract/billing/payment-calls.ts'
import { CARD_PAGE_LIFETIME_MS } from '../../../../../provider/billing/payment/embedded/card-sessions.ts'
import type { PaymentGateway } from '../../../../../provider/billing/payment/gateway-interface.ts'
import { getGateway } from '../../../../support/card.ts'
import {
  TEST_CARD,
  openCardPage,
  readReturnProof,
  submitCardFields,
  saveCardOnPage,
} from '../../../../support/card-form.ts'
import { openTestDeployment, type TestDeployment } from '../../../../support/harness.ts'
import { Visitor } from '../../../../support/visitor.ts'

let deployment: TestDeployment
let gateway: PaymentGateway
let accountCount = 0
const PAGE_LINES = ['Unlimited Cameras, annual', 'You’ll pay $81.42 after you confirm, then $108.24 a year.']

beforeAll(async () => {
  deployment = await openTestDeployment()
  gateway = await getGateway(deployment)
})
afterAll(() => deployment.close())

const createVisitor = () => new Visitor(deployment.env.PORTAL_ORIGIN)
const returnUrl = (code: string) => `${deployment.env.PORTAL_ORIGIN}/account/payment?payment=${code}`
const cardUrl = (path: string) => `${deployment.env.PAYMENT_ORIGIN}${path}`

/** Requests a card page ticket, by default for a new account. The ticket is `ageMs` old when this function returns. */
async function openTicket(account = `user_card_${(accountCount += 1)}`, ageMs = 0) {
  const purpose = { email: 'maya.reyes@example.com', lines: PAGE_LINES, amount: '$81.42' }
  return { account, ...(await gateway.openCardPage(account, purpose, Date.now() - ageMs)) }
}
const claimMethod = ({ account, session }: { account: string; session: string }, returnResponse?: Response) =>
  gateway.claimMethod(account, session, returnResponse ? readReturnProof(returnResponse) : null, Date.now())
const readRows = async (account: string, table: string) =>
  (await deployment.provider.getWorker().getDurableObjectStorage('GATEWAYS', { name: account })).exec(
    `SELECT * FROM ${table}`,
  )

describe('card page ticket', () => {
  test('opens the page once and disappears from the URL', async () => {
    const { url } = await openTicket()
    expect(url).toContain(cardUrl('/card?ticket='))
    const visitor = createVisitor()
    const first = await visitor.navigate(url)
    expect([first.status, first.headers.get('location')]).toEqual([303, '/card'])
    expect(first.headers.getSetCookie()[0]).toMatch(/^card=[^;]+; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/)
    const page = await visitor.navigate(cardUrl('/card'))
    const html = await page.text()
    expect(page.status).toBe(200)
    const title = '<h1>Add a card to pay $81.42</h1>'
    for (const text of ['maya.reyes@example.com', title, ...PAGE_LINES, 'Not you?']) expect(html).toContain(text)
    for (const again of [visitor, createVisitor()]) {
      const rejection = await openCardPage(again, url)
      expect([rejection.status, await rejection.text()]).toEqual([410, expect.stringContaining('Start over in')])
    }
  })

  test('is valid for ten minutes, and the page for thirty', async () => {
    const late = await openTicket(undefined, CARD_TICKET_LIFETIME_MS + 1)
    expect((await openCardPage(createVisitor(), late.url)).status).toBe(410)
    const justInTime = await openTicket(undefined, CARD_TICKET_LIFETIME_MS - 30_000)
    expect((await openCardPage(createVisitor(), justInTime.url)).status).toBe(200)
    const visitor = createVisitor()
    const old = await openTicket()
    await openCardPage(visitor, old.url)
    const objects = await deployment.provider.getWorker().getDurableObjectStorage('GATEWAYS', { name: old.account })
    await objects.exec('UPDATE card_sessions SET opened_at = opened_at - ?', CARD_PAGE_LIFETIME_MS)
    expect((await visitor.navigate(cardUrl('/card'))).status).toBe(410)
    const saved = await submitCardFields(visitor, deployment.env.PAYMENT_ORIGIN, { do: 'save', ...TEST_CARD })
    expect([saved.status, await claimMethod(old)]).toEqual([410, null])
  })

  test.each(['', 'x', 'e30.x', '%'])('opens nothing if it is %j', async (ticket) => {
    expect((await openCardPage(createVisitor(), cardUrl(`/card?ticket=${ticket}`))).status).toBe(410)
  })

  test('cannot be used in another browser after its use, and that browser saves nothing', async () => {
    const opened = await openTicket()
    await openCardPage(createVisitor(), opened.url)
    const other = createVisitor()
    expect((await other.navigate(cardUrl('/card'))).status).toBe(410)
    expect((await submitCardFields(other, deployment.env.PAYMENT_ORIGIN, { do: 'save', ...TEST_CARD })).status).toBe(
      410,
    )
    expect(await claimMethod(opened)).toBeNull()
  })

  test('fills no card session of another account', async () => {
    const opened = await openTicket()
    const returnResponse = await saveCardOnPage(createVisitor(), opened.url)
    expect(await claimMethod({ ...opened, account: 'user_other' }, returnResponse)).toBeNull()
    expect(await claimMethod(opened, returnResponse)).toMatchObject({ last_four: '4242' })
  })
})

describe('card form', () => {
  test('saves a card once and returns with a code and a proof', async () => {
    const [opened, visitor] = [await openTicket(), createVisitor()]
    const saved = await saveCardOnPage(visitor, opened.url)
    expect(readReturnProof(saved)).toMatch(/^[\w-]{43}$/)
    expect([saved.status, saved.headers.get('location')]).toEqual([
      303,
      `${returnUrl('200')}#proof=${readReturnProof(saved)}`,
    ])
    expect(await claimMethod(opened, saved)).toEqual({
      token: expect.stringMatching(/^tok_/),
      type: 'card',
      brand: 'visa',
      last_four: '4242',
      name: '',
      ends: { month: 8, year: 2038 },
      address: ['Maya Reyes', '48 Alder Lane', 'Springfield, IL 62704', 'United States'],
    })
    expect(visitor.getCookie('card', deployment.env.PAYMENT_ORIGIN)).toBeUndefined()
    expect((await visitor.navigate(cardUrl('/card'))).status).toBe(410)
  })

  test('saves one payment method if it is sent twice', async () => {
    const [opened, visitor] = [await openTicket(), createVisitor()]
    await openCardPage(visitor, opened.url)
    const cookie = visitor.getCookie('card', deployment.env.PAYMENT_ORIGIN) ?? ''
    const send = () => submitCardFields(visitor, deployment.env.PAYMENT_ORIGIN, { do: 'save', ...TEST_CARD })
    const first = await send()
    visitor.setCookie('card', cookie, deployment.env.PAYMENT_ORIGIN)
    const again = await send()
    expect(await claimMethod(opened, first)).toBe('unproven')
    expect(await claimMethod(opened, again)).toMatchObject({ last_four: '4242' })
    expect(await readRows(opened.account, 'methods')).toHaveLength(1)
  })

  test('without JavaScript, is shown again with its errors and without the card number', async () => {
    const [opened, visitor] = [await openTicket(), createVisitor()]
    const wrong = await saveCardOnPage(visitor, opened.url, { ends: '10 / 20', zip: '6270', name: '<b>Maya' })
    const html = await wrong.text()
    expect(wrong.status).toBe(400)
    for (const text of ['5-digit', '&lt;b&gt;Maya']) expect(html).toContain(text)
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(2)
    expect(html).not.toMatch(/value="4242/)
    expect(html).not.toContain('987')
    expect(await claimMethod(opened)).toBeNull()
  })

  test.each(['4111 1111 1111 1111', '4242 4242 4242 4241', '5105 1051 0510 5100', ''])(
    'rejects the unlisted card number %j and stores nothing of it',
    async (number) => {
      const opened = await openTicket()
      expect((await saveCardOnPage(createVisitor(), opened.url, { number })).status).toBe(400)
      expect(await readRows(opened.account, 'methods')).toEqual([])
    },
  )

  test('ends without a card on "Not you?" and "Back to Porchlight"', async () => {
    const [opened, visitor] = [await openTicket(), createVisitor()]
    await openCardPage(visitor, opened.url)
    const left = await submitCardFields(visitor, deployment.env.PAYMENT_ORIGIN, { do: 'leave' })
    expect([left.status, left.headers.get('location')]).toEqual([303, returnUrl('closed')])
    expect(await claimMethod(opened)).toBeNull()
    expect((await visitor.navigate(cardUrl('/card'))).status).toBe(410)
  })

  test('is rejected if it comes from another page, or from none', async () => {
    const [opened, visitor] = [await openTicket(), createVisitor()]
    await openCardPage(visitor, opened.url)
    for (const origin of ['https://evil.test', deployment.env.PORTAL_ORIGIN, deployment.env.PROVIDER_ORIGIN, 'null']) {
      const body = new URLSearchParams({ do: 'save', ...TEST_CARD }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded', origin }
      expect((await visitor.fetch(cardUrl('/card'), { method: 'POST', body, headers })).status).toBe(403)
    }
    expect(await claimMethod(opened)).toBeNull()
  })

  test('is rejected with 413 if it exceeds the body limit', async () => {
    const [opened, visitor] = [await openTicket(), createVisitor()]
    await openCardPage(visitor, opened.url)
    const oversized = await submitCardFields(visitor, deployment.env.PAYMENT_ORIGIN, {
      do: 'save',
      name: 'x'.repeat(20_000),
    })
    expect(oversized.status).toBe(413)
  })
})

describe('3-D Secure challenge', () => {
  const openChallenge = async () => {
    const [opened, visitor] = [await openTicket(), createVisitor()]
    await openCardPage(visitor, opened.url)
    const saved = await submitCardFields(visitor, deployment.env.PAYMENT_ORIGIN, {
      do: 'save',
      ...TEST_CARD,
      number: '4000 0000 0009 3155',
    })
    expect(saved.headers.get('location')).toBe('/card')
    expect(await (await visitor.navigate(cardUrl('/card'))).text()).toContain('Your bank wants to confirm')
    expect(await claimMethod(opened)).toBeNull()
    return {
      opened,
      answer: (action: string) => submitCardFields(visitor, deployment.env.PAYMENT_ORIGIN, { do: action }),
    }
  }

  test('is shown in place, and the payment method exists only after it', async () => {
    const { opened, answer } = await openChallenge()
    const returnResponse = await answer('confirm')
    expect(await claimMethod(opened)).toBe('unproven')
    expect(await claimMethod(opened, returnResponse)).toMatchObject({ last_four: '3155' })
  })

  test.each([
    ['refuse', '4220'],
    ['leave', 'closed'],
  ])('%s saves nothing and returns with %s', async (word, code) => {
    const { opened, answer } = await openChallenge()
    expect((await answer(word)).headers.get('location')).toBe(returnUrl(code))
    expect(await claimMethod(opened)).toBeNull()
  })
})

describe('card page origin', () => {
  test.each(['/', '/oauth/authorize', '/home-monitoring', '/api/v2/user/me', '/admin/v1/seed', '/assets/passkeys.js'])(
    'does not serve %s',
    async (path) => {
      expect((await fetch(cardUrl(path))).status).toBe(404)
      expect((await fetch(cardUrl(path), { method: 'POST' })).status).toBe(404)
    },
  )

  test.each(['/healthz', '/assets/card.js', '/assets/nunito.woff2', '/assets/logo.svg'])('serves %s', async (path) => {
    expect((await fetch(cardUrl(path))).status).toBe(200)
  })

  test('alone serves the card page; the provider’s own origin does not', async () => {
    const { url } = await openTicket()
    for (const path of [new URL(url).pathname + new URL(url).search, '/card', '/assets/card.js'])
      expect((await fetch(deployment.env.PROVIDER_ORIGIN + path, { redirect: 'manual' })).status).toBe(404)
    expect((await openCardPage(createVisitor(), url)).status).toBe(200)
  })

  test('reads no single sign-on cookie: the page is the same with one', async () => {
    const visitor = createVisitor()
    await openCardPage(visitor, (await openTicket()).url)
    const page = await (await visitor.navigate(cardUrl('/card'))).text()
    for (const name of ['sso', 'sso.sig', 'known_x', '__Host-sso'])
      visitor.setCookie(name, 'of-somebody-else', deployment.env.PAYMENT_ORIGIN)
    const answer = await visitor.navigate(cardUrl('/card'))
    expect(await answer.text()).toBe(page)
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  test('allows its page to run its own script, post to itself and open the portal', async () => {
    const page = await openCardPage(createVisitor(), (await openTicket()).url)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${cardUrl('/assets/card.js')}`,
      expect.stringMatching(/^style-src 'sha256-[\w+/=]+'$/),
      "font-src 'self'",
      "img-src 'self'",
      `form-action 'self' ${deployment.env.PORTAL_ORIGIN}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(await page.text()).not.toMatch(/\son\w+=|style="/)
  })
})

test('the card number, security code and proof are in no row and no log line', async () => {
  const [number, code] = ['4000000000084220', '876']
  const opened = await openTicket()
  const visitor = createVisitor()
  const answers = [await saveCardOnPage(visitor, opened.url, { number, code, zip: 'x' })]
  answers.push(
    await submitCardFields(visitor, deployment.env.PAYMENT_ORIGIN, { do: 'save', ...TEST_CARD, number, code }),
  )
  const returnResponse = answers[1] ?? Response.error()
  const proof = readReturnProof(returnResponse) ?? ''
  const rows = () =>
    Promise.all(['card_sessions', 'methods', 'charges', 'refunds'].map((table) => readRows(opened.account, table)))
  const before = await rows()
  const method = await claimMethod(opened, returnResponse)
  expect(method).toMatchObject({ last_four: '4220' })
  expect(JSON.stringify([before, await rows(), deployment.provider.outputLines])).not.toContain(proof)
  const randomValues = /[0-9a-f]{32}|\b\d{13}\b|sha256-[\w+/=]+|(127\.0\.0\.1|localhost):\d+/g
  const all = [await rows(), deployment.provider.outputLines, answers.map((response) => [...response.headers]), method]
  const seen = JSON.stringify(all).replaceAll(proof, '').replace(randomValues, '')
  expect(seen).toContain('4220')
  for (const canary of [number, '4000 0000 0008 4220', '00084220', code]) expect(seen).not.toContain(canary)
})
