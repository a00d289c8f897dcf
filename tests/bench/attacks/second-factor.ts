import { createHash } from 'node:crypto'
import {
  generateAppCode,
  parseTotpKey,
  parseAlert,
  parseRecoveryCodes,
  parseTicket,
  submitPassword,
  type SubmittedPassword,
} from '../../support/second-factor.ts'
import { startFlow, resolveRedirects, submitForm } from '../../support/provider.ts'
import type { VisitorWithAddress } from '../../support/visitor.ts'
import { findFirstFailure, type Attempts, expectEqual, requireControl, type Verdict } from './attempts.ts'
import { type AttackEnvironment, PASSWORD, submitFormFrom } from './attack-environment.ts'

const PARALLEL_BROWSERS = 8
const SECOND_FACTOR_PATH = '/account/second-factor'

/** Account with a second factor, and the browser that enabled it. */
interface ProtectedAccount {
  readonly email: string
  readonly browser: VisitorWithAddress
  readonly totpKey: string
  readonly usedCode: string
  readonly codes: string[]
}

async function enableSecondFactor(environment: AttackEnvironment): Promise<ProtectedAccount> {
  const { email, browser } = await environment.createMember()
  const post = async (fields: Record<string, string>) =>
    (await submitFormFrom(browser, environment.env.PROVIDER_ORIGIN + SECOND_FACTOR_PATH, fields)).text()
  const totpKey = parseTotpKey(await post({ step: 'begin', password: PASSWORD }))
  const usedCode = generateAppCode(totpKey)
  const codes = parseRecoveryCodes(await post({ step: 'code', code: usedCode }))
  const problem = parseAlert(await post({ step: 'on', kept: '1' }))
  if (problem !== undefined || codes.length === 0) throw new Error(`No second factor: ${problem ?? 'no codes'}`)
  return { email, browser, totpKey, usedCode, codes }
}

const passPasswordStep = (environment: AttackEnvironment, { email }: ProtectedAccount): Promise<SubmittedPassword> =>
  submitPassword(environment.createVisitor(), environment.env, email, PASSWORD)

const sendSecondFactor = (
  submitted: SubmittedPassword,
  fields: Record<string, string>,
  ticket = parseTicket(submitted.html) ?? '',
) => submitForm(submitted.visitor, submitted.pageUrl, { ticket, ...fields })

/**
 * Returns true if the sign-in continues. After a valid one-time code, the response is a redirect. After a valid
 * recovery code, the response is a page that links to the authorization endpoint.
 */
const isSignInContinued = async (answer: Response) =>
  answer.headers.has('location') || /class="primary" href="[^"]*\/oauth\/authorize/.test(await answer.text())

const expectRejection = async (answer: Response): Promise<Verdict> =>
  !(await isSignInContinued(answer)) || 'the sign-in continued without the second factor'

async function trySkippingStep(
  attempts: Attempts,
  environment: AttackEnvironment,
  protectedAccount: ProtectedAccount,
): Promise<void> {
  const steps: readonly [string, (submitted: SubmittedPassword) => URL][] = [
    ['opening the authorization URL again', ({ flow }) => flow.url],
    ['opening the sign-in page again', ({ pageUrl }) => pageUrl],
    [
      'resuming the authorization',
      ({ pageUrl, flow }) => new URL(`/oauth/authorize/${pageUrl.pathname.split('/').at(-1)}`, flow.url),
    ],
    ['starting a second sign-in in the same browser', () => startFlow(environment.env).url],
    ['starting a sign-in with prompt=none', () => startFlow(environment.env, { prompt: 'none' }).url],
  ]
  await attempts.tryEach('skipping the second step by', steps, async ([, next]) => {
    const at = await passPasswordStep(environment, protectedAccount)
    const { url: reached } = await resolveRedirects(at.visitor, environment.env, next(at))
    return reached.searchParams.has('code') ? `a code was issued at ${reached.pathname}` : true
  })
}

async function tryCodes(
  attempts: Attempts,
  environment: AttackEnvironment,
  protectedAccount: ProtectedAccount,
): Promise<void> {
  const { totpKey, usedCode } = protectedAccount
  const wrongCodes = [
    usedCode,
    generateAppCode(totpKey, -4),
    generateAppCode(totpKey, 4),
    '',
    '12345',
    '1234567',
    '0'.repeat(6),
    '1e5',
    ' ',
    'null',
  ]
  const malformedCodes = ['000000 OR 1=1', '١٢٣٤٥٦', '-12345', '12 34', '\u0000', totpKey, PASSWORD, '9'.repeat(4000)]
  await attempts.tryEach('an invalid code', [...wrongCodes, ...malformedCodes], async (code) =>
    expectRejection(
      await sendSecondFactor(await passPasswordStep(environment, protectedAccount), { way: 'code', code }),
    ),
  )
  const recoveryCodeHash = createHash('sha256')
    .update(protectedAccount.codes[0] ?? '')
    .digest('hex')
  const recovery = ['', 'A'.repeat(16), 'AAAA-AAAA-AAAA-AAAA', usedCode, recoveryCodeHash, '%']
  await attempts.tryEach('an invalid recovery code', recovery, async (code) =>
    expectRejection(
      await sendSecondFactor(await passPasswordStep(environment, protectedAccount), { way: 'recovery', code }),
    ),
  )
}

async function tryTickets(
  attempts: Attempts,
  environment: AttackEnvironment,
  protectedAccount: ProtectedAccount,
): Promise<void> {
  const other = await enableSecondFactor(environment)
  const [mine, theirs] = [
    await passPasswordStep(environment, protectedAccount),
    await passPasswordStep(environment, other),
  ]
  const [own = '', foreign = ''] = [mine, theirs].map(({ html }) => parseTicket(html))
  const flipped = own.slice(0, -3) + (own.endsWith('AAA') ? 'BBB' : 'AAA')
  const tickets = { elsewhere: own, foreign, flipped, none: '', twice: `${own}.${own}`, cut: own.slice(0, 20) }
  await attempts.tryEach('the password ticket', Object.entries(tickets), async ([, ticket]) =>
    expectRejection(
      await sendSecondFactor(
        await passPasswordStep(environment, protectedAccount),
        { way: 'code', code: generateAppCode(protectedAccount.totpKey, 1) },
        ticket,
      ),
    ),
  )
}

async function tryParallelUse(
  attempts: Attempts,
  environment: AttackEnvironment,
  protectedAccount: ProtectedAccount,
): Promise<void> {
  const secondFactors = {
    code: generateAppCode(protectedAccount.totpKey, 1),
    recovery: protectedAccount.codes[1] ?? '',
  }
  await attempts.tryEach(
    `one valid code in ${PARALLEL_BROWSERS} browsers`,
    Object.entries(secondFactors),
    async ([factor, code]) => {
      const browsers = await Promise.all(
        Array.from({ length: PARALLEL_BROWSERS }, () => passPasswordStep(environment, protectedAccount)),
      )
      const answers = await Promise.all(browsers.map((at) => sendSecondFactor(at, { way: factor, code })))
      const continued = await Promise.all(answers.map(isSignInContinued))
      return expectEqual(continued.filter(Boolean).length, 1)
    },
  )
  await attempts.tryEach('a reused code', Object.entries(secondFactors), async ([factor, code]) =>
    expectRejection(
      await sendSecondFactor(await passPasswordStep(environment, protectedAccount), { way: factor, code }),
    ),
  )
}

/**
 * Tries to disable or change the second factor: without a valid password or code, from another site, and from the
 * browser of another account.
 */
async function tryDisabling(
  attempts: Attempts,
  environment: AttackEnvironment,
  protectedAccount: ProtectedAccount,
): Promise<void> {
  const page = environment.env.PROVIDER_ORIGIN + SECOND_FACTOR_PATH
  const isOn = async () =>
    expectEqual((await passPasswordStep(environment, protectedAccount)).answer.headers.has('location'), false)
  const forms = ['off', 'codes', 'begin', 'on', 'code'].flatMap((step) => [
    { step, password: '' },
    { step, password: 'wrong' },
    { step, code: '000000', kept: '1' },
  ])
  await attempts.tryEach('disabling without a valid password or code', forms, async (fields) => {
    const html = await (await submitFormFrom(protectedAccount.browser, page, fields)).text()
    return findFirstFailure([expectEqual(parseRecoveryCodes(html), []), await isOn()])
  })
  const validForm = { step: 'off', password: PASSWORD }
  await attempts.try('disabling from another site', validForm, async () => {
    await submitFormFrom(protectedAccount.browser, page, validForm, 'https://evil.example')
    return isOn()
  })
  await attempts.try('disabling from the browser of another account', validForm, async () => {
    await submitFormFrom((await environment.createMember()).browser, page, validForm)
    return isOn()
  })
}

export const secondFactorAttacks = {
  name: 'second factor',
  guarantee: 'a password alone cannot sign in to an account with a second factor, and each code works once',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    const protectedAccount = await enableSecondFactor(environment)
    const control = await passPasswordStep(environment, protectedAccount)
    const recovered = await sendSecondFactor(control, { way: 'recovery', code: protectedAccount.codes[9] ?? '' })
    requireControl('a recovery code signs in', expectEqual(await isSignInContinued(recovered), true))
    await trySkippingStep(attempts, environment, protectedAccount)
    await tryTickets(attempts, environment, protectedAccount)
    await tryParallelUse(attempts, environment, protectedAccount)
    await tryCodes(attempts, environment, protectedAccount)
    await tryDisabling(attempts, environment, await enableSecondFactor(environment))
  },
}
