import { getHomes } from '../../../contract/cameras/devices.ts'
import type { VisitorWithAddress } from '../../support/visitor.ts'
import { findFirstFailure, type Attempts, expectEqual, expectStatus, requireControl } from './attempts.ts'
import { sendCall, type AttackEnvironment, type Member } from './attack-environment.ts'

const PARALLEL_REFRESHES = 200
const getCurrentUser = (browser: VisitorWithAddress) => browser.get('/api/auth/me')
const refreshSession = (browser: VisitorWithAddress, generation = 'old') =>
  browser.post('/api/auth/refresh', { generation })

/** Requests that require a session, one per kind of route. */
const SESSION_REQUESTS: Readonly<Record<string, (browser: VisitorWithAddress) => Promise<Response>>> = {
  'the current user': getCurrentUser,
  'a call of the contract': (browser) => sendCall(browser, getHomes),
  'a thumbnail': (browser) => browser.get('/m/thumb/evt_1'),
  'the list of sessions': (browser) => browser.get('/api/auth/sessions'),
  'a refresh': (browser) => refreshSession(browser),
  'the start of a card page': (browser) => browser.post('/api/payment/start', { return_to: '/account/payment' }),
}

function openWithCookie(environment: AttackEnvironment, cookie: string): VisitorWithAddress {
  const browser = environment.createVisitor()
  browser.sessionCookie = cookie
  return browser
}

const readSessionCookie = ({ browser }: Member) => browser.sessionCookie ?? ''

async function tryEndedSessions(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const email = await environment.createAccount()
  const [signedOut, endedElsewhere, other] = [
    await environment.signIn(email),
    await environment.signIn(email),
    await environment.signIn(email),
  ]
  const stolenCookies = [signedOut, endedElsewhere].map(readSessionCookie)
  requireControl(
    'the stolen cookie works before sign-out',
    await expectStatus(await getCurrentUser(openWithCookie(environment, stolenCookies[0] ?? '')), 200),
  )
  await signedOut.browser.post('/api/auth/logout')
  await other.browser.post('/api/auth/sessions/end', { others: true })
  for (const [how, cookie] of [
    ['sign-out', stolenCookies[0] ?? ''],
    ['another browser ended the session', stolenCookies[1] ?? ''],
  ] as const)
    await attempts.tryEach(`the cookie after ${how}`, Object.entries(SESSION_REQUESTS), async ([, use]) => {
      const browser = openWithCookie(environment, cookie)
      await getCurrentUser(browser)
      browser.sessionCookie = cookie
      return expectStatus(await use(browser), 401)
    })
}

async function tryFixation(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const attacker = await environment.createMember()
  const plantedCookies = ['A'.repeat(43), `${'A'.repeat(43)}.${'B'.repeat(43)}`, readSessionCookie(attacker)]
  await attempts.tryEach('a session cookie planted before the sign-in', plantedCookies, async (cookie) => {
    const victim = environment.createVisitor()
    victim.sessionCookie = cookie
    const { browser } = await environment.signIn(await environment.createAccount(), victim)
    const userWithCookie = await (await getCurrentUser(openWithCookie(environment, cookie))).text()
    return findFirstFailure([
      expectEqual(browser.sessionCookie !== cookie, true),
      expectEqual(userWithCookie.includes(attacker.userId) || userWithCookie.includes('401'), true),
    ])
  })
}

async function tryForgedCookies(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const [ownCookie, other] = [
    readSessionCookie(await environment.createMember()),
    readSessionCookie(await environment.createMember()),
  ]
  const [id = '', tag = ''] = ownCookie.split('.')
  const otherTag = other.split('.')[1] ?? ''
  const flipped = `${tag.startsWith('A') ? 'B' : 'A'}${tag.slice(1)}`
  const forgedCookies = [
    '',
    id,
    `${id}.`,
    `.${tag}`,
    `${id}.${flipped}`,
    `${id}.${otherTag}`,
    `${id}.${tag.slice(0, -2)}`,
  ]
  const moreForgedCookies = [
    `${ownCookie}.${tag}`,
    `${ownCookie}A`,
    `${id.slice(0, -1)}.${tag}`,
    `${ownCookie}%00`,
    '../../state',
    'null',
  ]
  await attempts.tryEach('a forged session cookie', [...forgedCookies, ...moreForgedCookies], async (cookie) => {
    if (cookie === '') return expectStatus(await getCurrentUser(environment.createVisitor()), 401)
    return expectStatus(await getCurrentUser(openWithCookie(environment, cookie)), 401)
  })
}

interface SessionListResponse {
  readonly sessions: readonly { readonly id: string }[]
}

async function tryForeignSessions(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const [victim, attacker] = [await environment.createMember(), await environment.createMember()]
  const list = async ({ browser }: Member) =>
    (await (await browser.get('/api/auth/sessions')).json()) as SessionListResponse
  const own = (await list(victim)).sessions.map(({ id }) => id)
  requireControl('the victim has one session', expectEqual(own.length, 1))
  await attempts.try('the session list of another account', own, async () => {
    const seen = JSON.stringify(await list(attacker))
    return expectEqual(
      own.some((id) => seen.includes(id)),
      false,
    )
  })
  const named = [
    { id: own[0] },
    { id: own },
    { id: readSessionCookie(victim) },
    { others: true, user_id: victim.userId },
  ]
  await attempts.tryEach('ending a session of another account', named, async (payload) => {
    await attacker.browser.post('/api/auth/sessions/end', payload)
    return expectStatus(await getCurrentUser(victim.browser), 200)
  })
}

async function tryRefreshes(attempts: Attempts, environment: AttackEnvironment): Promise<void> {
  const { browser } = await environment.createMember()
  const { web_app_token: generation } = (await (await getCurrentUser(browser)).json()) as { web_app_token: string }
  await attempts.try('parallel refreshes', PARALLEL_REFRESHES, async () => {
    const answers = await Promise.all(
      Array.from({ length: PARALLEL_REFRESHES }, () => refreshSession(browser, generation)),
    )
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())))
    const statuses = new Set(answers.map(({ status }) => status))
    return expectEqual([[...statuses], bodies.size], [[200], 1])
  })
  await attempts.try('the session after parallel refreshes', PARALLEL_REFRESHES, async () =>
    expectStatus(await getCurrentUser(browser), 200),
  )
}

export const sessionAttacks = {
  name: 'sessions',
  guarantee: 'an ended session works nowhere, and no session can be planted, forged or shared between accounts',
  async run(attempts: Attempts, environment: AttackEnvironment) {
    await tryEndedSessions(attempts, environment)
    await tryFixation(attempts, environment)
    await tryForgedCookies(attempts, environment)
    await tryForeignSessions(attempts, environment)
    await tryRefreshes(attempts, environment)
  },
}
