import { SESSION_COOKIE } from '../../../contract/wire/constants.ts'
import { getHomes } from '../../../contract/cameras/devices.ts'
import type { Person } from '../../support/visitor.ts'
import { allHold, type Attempts, expectSame, expectStatus, requireControl } from './attempts.ts'
import { sendCall, type Ground, type Member } from './ground.ts'

const REFRESHES = 200
const me = (browser: Person) => browser.get('/api/auth/me')
const refresh = (browser: Person, generation = 'old') => browser.post('/api/auth/refresh', { generation })

/** Requests that a browser makes with its session. */
const USES: Readonly<Record<string, (browser: Person) => Promise<Response>>> = {
  'the current user': me,
  'a call of the contract': (browser) => sendCall(browser, getHomes),
  'a picture': (browser) => browser.get('/m/thumb/evt_1'),
  'the list of sessions': (browser) => browser.get('/api/auth/sessions'),
  'a refresh': (browser) => refresh(browser),
  'the start of a card page': (browser) => browser.post('/api/payment/start', { return_to: '/account/payment' }),
}

function thief(ground: Ground, cookie: string): Person {
  const browser = ground.person()
  browser.setCookie(SESSION_COOKIE, cookie)
  return browser
}

const readSessionCookie = ({ browser }: Member) => browser.cookie(SESSION_COOKIE) ?? ''

async function tryEndedCookies(attempts: Attempts, ground: Ground): Promise<void> {
  const email = await ground.account()
  const [signedOut, endedElsewhere, other] = [
    await ground.signIn(email),
    await ground.signIn(email),
    await ground.signIn(email),
  ]
  const stolen = [signedOut, endedElsewhere].map(readSessionCookie)
  requireControl('the stolen cookie works first', await expectStatus(await me(thief(ground, stolen[0] ?? '')), 200))
  await signedOut.browser.post('/api/auth/logout')
  await other.browser.post('/api/auth/sessions/end', { others: true })
  for (const [how, cookie] of [
    ['sign-out', stolen[0] ?? ''],
    ['its end from another browser', stolen[1] ?? ''],
  ] as const)
    await attempts.each(`the cookie after ${how}`, Object.entries(USES), async ([, use]) => {
      const browser = thief(ground, cookie)
      await me(browser)
      browser.setCookie(SESSION_COOKIE, cookie)
      return expectStatus(await use(browser), 401)
    })
}

async function tryFixation(attempts: Attempts, ground: Ground): Promise<void> {
  const attacker = await ground.member()
  const planted = ['A'.repeat(43), `${'A'.repeat(43)}.${'B'.repeat(43)}`, readSessionCookie(attacker)]
  await attempts.each('a session cookie planted before the sign-in', planted, async (cookie) => {
    const victim = ground.person()
    victim.setCookie(SESSION_COOKIE, cookie)
    const { browser } = await ground.signIn(await ground.account(), victim)
    const held = await (await me(thief(ground, cookie))).text()
    return allHold([
      expectSame(browser.cookie(SESSION_COOKIE) !== cookie, true),
      expectSame(held.includes(attacker.userId) || held.includes('401'), true),
    ])
  })
}

async function tryForgedCookies(attempts: Attempts, ground: Ground): Promise<void> {
  const [ownCookie, other] = [readSessionCookie(await ground.member()), readSessionCookie(await ground.member())]
  const [id = '', tag = ''] = ownCookie.split('.')
  const otherTag = other.split('.')[1] ?? ''
  const flipped = `${tag.startsWith('A') ? 'B' : 'A'}${tag.slice(1)}`
  const forged = ['', id, `${id}.`, `.${tag}`, `${id}.${flipped}`, `${id}.${otherTag}`, `${id}.${tag.slice(0, -2)}`]
  const more = [
    `${ownCookie}.${tag}`,
    `${ownCookie}A`,
    `${id.slice(0, -1)}.${tag}`,
    `${ownCookie}%00`,
    '../../state',
    'null',
  ]
  await attempts.each('a forged session cookie', [...forged, ...more], async (cookie) => {
    if (cookie === '') return expectStatus(await me(ground.person()), 401)
    return expectStatus(await me(thief(ground, cookie)), 401)
  })
}

interface Listed {
  readonly sessions: readonly { readonly id: string }[]
}

async function tryForeignSessions(attempts: Attempts, ground: Ground): Promise<void> {
  const [victim, attacker] = [await ground.member(), await ground.member()]
  const list = async ({ browser }: Member) => (await (await browser.get('/api/auth/sessions')).json()) as Listed
  const own = (await list(victim)).sessions.map(({ id }) => id)
  requireControl('the victim has one session', expectSame(own.length, 1))
  await attempts.try('the list of another account', own, async () => {
    const seen = JSON.stringify(await list(attacker))
    return expectSame(
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
  await attempts.each('ending a session of another account', named, async (payload) => {
    await attacker.browser.post('/api/auth/sessions/end', payload)
    return expectStatus(await me(victim.browser), 200)
  })
}

async function tryRefreshes(attempts: Attempts, ground: Ground): Promise<void> {
  const { browser } = await ground.member()
  const { web_app_token: generation } = (await (await me(browser)).json()) as { web_app_token: string }
  await attempts.try('refreshes at the same time', REFRESHES, async () => {
    const answers = await Promise.all(Array.from({ length: REFRESHES }, () => refresh(browser, generation)))
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())))
    const statuses = new Set(answers.map(({ status }) => status))
    return expectSame([[...statuses], bodies.size], [[200], 1])
  })
  await attempts.try('the session after these refreshes', REFRESHES, async () => expectStatus(await me(browser), 200))
}

export const sessions = {
  name: 'sessions',
  promise: 'a session ends everywhere when it ends, is never planted or forged, and belongs to one account',
  async run(attempts: Attempts, ground: Ground) {
    await tryEndedCookies(attempts, ground)
    await tryFixation(attempts, ground)
    await tryForgedCookies(attempts, ground)
    await tryForeignSessions(attempts, ground)
    await tryRefreshes(attempts, ground)
  },
}
