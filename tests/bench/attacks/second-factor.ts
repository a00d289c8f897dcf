import { createHash } from 'node:crypto'
import {
  appCode,
  parseTotpKey,
  parseAlert,
  parseRecoveryCodes,
  parseTicket,
  typePassword,
  type Typed,
} from '../../support/second-factor.ts'
import { startFlow, resolveRedirects, submitForm } from '../../support/provider.ts'
import type { Person } from '../../support/visitor.ts'
import { allHold, type Attempts, expectSame, requireControl, type Verdict } from './attempts.ts'
import { type Ground, PASSWORD, submit } from './ground.ts'

const AT_ONCE = 8
const FACTOR_PATH = '/account/second-factor'

/** Account with a second factor, and the browser that turned it on. */
interface Guarded {
  readonly email: string
  readonly browser: Person
  readonly key: string
  readonly used: string
  readonly codes: string[]
}

async function turnOn(ground: Ground): Promise<Guarded> {
  const { email, browser } = await ground.member()
  const post = async (fields: Record<string, string>) =>
    (await submit(browser, ground.env.PROVIDER_ORIGIN + FACTOR_PATH, fields)).text()
  const key = parseTotpKey(await post({ step: 'begin', password: PASSWORD }))
  const used = appCode(key)
  const codes = parseRecoveryCodes(await post({ step: 'code', code: used }))
  const problem = parseAlert(await post({ step: 'on', kept: '1' }))
  if (problem !== undefined || codes.length === 0) throw new Error(`No second factor: ${problem ?? 'no codes'}`)
  return { email, browser, key, used, codes }
}

/** Returns a new browser that has passed the password step. */
const typed = (ground: Ground, { email }: Guarded): Promise<Typed> =>
  typePassword(ground.person(), ground.env, email, PASSWORD)

const send = (at: Typed, fields: Record<string, string>, ticket = parseTicket(at.html) ?? '') =>
  submitForm(at.visitor, at.at, { ticket, ...fields })

/**
 * Returns true if the sign-in continues: after a recovery code, the response is a page that links to the authorization
 * endpoint; after an app code, it is a redirect.
 */
const goesOn = async (answer: Response) =>
  answer.headers.has('location') || /class="primary" href="[^"]*\/oauth\/authorize/.test(await answer.text())

const expectRefusal = async (answer: Response): Promise<Verdict> =>
  !(await goesOn(answer)) || 'the sign-in continued without the second factor'

async function trySkipping(attempts: Attempts, ground: Ground, guarded: Guarded): Promise<void> {
  const steps: readonly [string, (at: Typed) => URL][] = [
    ['the authorization address again', ({ flow }) => flow.url],
    ['the sign-in page again', ({ at }) => at],
    [
      'the resumed authorization',
      ({ at, flow }) => new URL(`/oauth/authorize/${at.pathname.split('/').at(-1)}`, flow.url),
    ],
    ['a second sign-in of the same browser', () => startFlow(ground.env).url],
    ['a sign-in without a question', () => startFlow(ground.env, { prompt: 'none' }).url],
  ]
  await attempts.each('skipping the second step by', steps, async ([, next]) => {
    const at = await typed(ground, guarded)
    const { at: reached } = await resolveRedirects(at.visitor, ground.env, next(at))
    return reached.searchParams.has('code') ? `a code was issued at ${reached.pathname}` : true
  })
}

async function tryCodes(attempts: Attempts, ground: Ground, guarded: Guarded): Promise<void> {
  const { key, used } = guarded
  const guesses = [used, appCode(key, -4), appCode(key, 4), '', '12345', '1234567', '0'.repeat(6), '1e5', ' ', 'null']
  const odd = ['000000 OR 1=1', '١٢٣٤٥٦', '-12345', '12 34', '\u0000', key, PASSWORD, '9'.repeat(4000)]
  await attempts.each('a code that is not valid', [...guesses, ...odd], async (code) =>
    expectRefusal(await send(await typed(ground, guarded), { way: 'code', code })),
  )
  const hashed = createHash('sha256')
    .update(guarded.codes[0] ?? '')
    .digest('hex')
  const recovery = ['', 'A'.repeat(16), 'AAAA-AAAA-AAAA-AAAA', used, hashed, '%']
  await attempts.each('a recovery code that is not valid', recovery, async (code) =>
    expectRefusal(await send(await typed(ground, guarded), { way: 'recovery', code })),
  )
}

async function tryTickets(attempts: Attempts, ground: Ground, guarded: Guarded): Promise<void> {
  const other = await turnOn(ground)
  const [mine, theirs] = [await typed(ground, guarded), await typed(ground, other)]
  const [own = '', foreign = ''] = [mine, theirs].map(({ html }) => parseTicket(html))
  const flipped = own.slice(0, -3) + (own.endsWith('AAA') ? 'BBB' : 'AAA')
  const tickets = { elsewhere: own, foreign, flipped, none: '', twice: `${own}.${own}`, cut: own.slice(0, 20) }
  await attempts.each('the password ticket', Object.entries(tickets), async ([, ticket]) =>
    expectRefusal(await send(await typed(ground, guarded), { way: 'code', code: appCode(guarded.key, 1) }, ticket)),
  )
}

async function tryParallelUse(attempts: Attempts, ground: Ground, guarded: Guarded): Promise<void> {
  const ways = { code: appCode(guarded.key, 1), recovery: guarded.codes[1] ?? '' }
  await attempts.each(`one valid code in ${AT_ONCE} browsers`, Object.entries(ways), async ([way, code]) => {
    const browsers = await Promise.all(Array.from({ length: AT_ONCE }, () => typed(ground, guarded)))
    const answers = await Promise.all(browsers.map((at) => send(at, { way, code })))
    const continued = await Promise.all(answers.map(goesOn))
    return expectSame(continued.filter(Boolean).length, 1)
  })
  await attempts.each('a used code again', Object.entries(ways), async ([way, code]) =>
    expectRefusal(await send(await typed(ground, guarded), { way, code })),
  )
}

/**
 * Tries to turn off or change the second factor: without a valid password or code, from another site, and from another
 * account's browser.
 */
async function tryTurningOff(attempts: Attempts, ground: Ground, guarded: Guarded): Promise<void> {
  const page = ground.env.PROVIDER_ORIGIN + FACTOR_PATH
  const isOn = async () => expectSame((await typed(ground, guarded)).answer.headers.has('location'), false)
  const forms = ['off', 'codes', 'begin', 'on', 'code'].flatMap((step) => [
    { step, password: '' },
    { step, password: 'wrong' },
    { step, code: '000000', kept: '1' },
  ])
  await attempts.each('turning it off without proof', forms, async (fields) => {
    const html = await (await submit(guarded.browser, page, fields)).text()
    return allHold([expectSame(parseRecoveryCodes(html), []), await isOn()])
  })
  const right = { step: 'off', password: PASSWORD }
  await attempts.try('turning it off from another site', right, async () => {
    await submit(guarded.browser, page, right, 'https://evil.example')
    return isOn()
  })
  await attempts.try('turning it off in the browser of another account', right, async () => {
    await submit((await ground.member()).browser, page, right)
    return isOn()
  })
}

export const secondFactor = {
  name: 'second factor',
  promise: 'a password alone opens no account with a second factor, and each code works once',
  async run(attempts: Attempts, ground: Ground) {
    const guarded = await turnOn(ground)
    const control = await typed(ground, guarded)
    const recovered = await send(control, { way: 'recovery', code: guarded.codes[9] ?? '' })
    requireControl('a recovery code signs in', expectSame(await goesOn(recovered), true))
    await trySkipping(attempts, ground, guarded)
    await tryTickets(attempts, ground, guarded)
    await tryParallelUse(attempts, ground, guarded)
    await tryCodes(attempts, ground, guarded)
    await tryTurningOff(attempts, ground, await turnOn(ground))
  },
}
