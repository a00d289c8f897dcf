import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { ADMIN_PATHS, DEMO_PASSWORD } from '../../../contract/operator/operator-calls.ts'
import { gatewayPath, isInQuery, type Call } from '../../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../../contract/wire/constants.ts'
import { callOperator } from '../../../scripts/lib/operator.ts'
import { anyFreePort } from '../../../scripts/lib/ports.ts'
import type { RunEnvironment } from '../../../scripts/lib/secrets.ts'
import { startSignIn, walkSignInPage } from '../../support/sign-in-walk.ts'
import { Person } from '../../support/visitor.ts'
import { startSystem, type System } from '../system.ts'

export const PASSWORD = 'a long enough password'

export interface Member {
  readonly email: string
  readonly userId: string
  readonly browser: Person
}

export interface Ground {
  readonly root: string
  readonly data: string
  readonly env: RunEnvironment
  readonly system: System
  /** Returns a signed-out browser with its own IP address. */
  person(): Person
  /** Creates an account and, if `home` is given, a home with this name. Returns the email address. */
  account(home?: string): Promise<string>
  signIn(email: string, browser?: Person): Promise<Member>
  member(home?: string): Promise<Member>
}

/** Starts Porchlight as if behind a proxy, so that each browser has its own rate limits. */
export async function openGround(root: string, data: string): Promise<Ground> {
  const [port, before] = [await anyFreePort(), process.env['TRUST_PROXY']]
  process.env['TRUST_PROXY'] = '1'
  // `startSystem` spawns the process before it returns its promise, so the variable can be restored without waiting.
  const starting = startSystem(root, data, ['--visits', 'none'], port)
  if (before === undefined) delete process.env['TRUST_PROXY']
  else process.env['TRUST_PROXY'] = before
  const system = await starting
  const env = parseEnv(readFileSync(join(data, 'run.env'), 'utf8')) as unknown as RunEnvironment
  return { root, data, env, system, ...people(env) }
}

function people(env: RunEnvironment) {
  let accounts = 0
  const person = () => new Person(env.PORTAL_ORIGIN)
  const account = async (home?: string) => {
    const email = `attacked${accounts++}@example.com`
    await callOperator(env, 'POST', ADMIN_PATHS.accounts, { email, password: PASSWORD, ...(home && { home }) })
    return email
  }
  const signIn = async (email: string, browser = person()): Promise<Member> => {
    const password = email.startsWith('attacked') ? PASSWORD : DEMO_PASSWORD
    await browser.navigate(await walkSignInPage(browser, await startSignIn(browser, '/live'), email, password))
    const { user_id: userId } = (await (await browser.get('/api/auth/me')).json()) as { user_id?: string }
    if (userId === undefined) throw new Error(`${email} could not sign in.`)
    return { email, userId, browser }
  }
  return { person, account, signIn, member: async (home?: string) => signIn(await account(home)) }
}

export const pageHeaders = (browser: Person): Record<string, string> => ({
  ...{ 'content-type': 'application/json', origin: browser.portal, 'sec-fetch-site': 'same-origin' },
  [XSRF_HEADER]: browser.cookie(XSRF_COOKIE) ?? '',
})

export function sendCall(
  browser: Person,
  call: Call,
  input: object = {},
  params: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const path = gatewayPath(call, params)
  if (!isInQuery(call.method))
    return browser.fetch(path, { method: call.method, body: JSON.stringify(input), headers: pageHeaders(browser) })
  const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString()
  return browser.get(query === '' ? path : `${path}?${query}`)
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are read field by field
export type Answered = { readonly code: number | string; readonly msg?: string; readonly data?: any }

/** Sends a call and returns the `data` of its response. Throws if the call fails. */
export async function fetchData(...args: Parameters<typeof sendCall>): Promise<NonNullable<Answered['data']>> {
  const answer = await sendCall(...args)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${args[1].path} was answered ${answer.status}: ${text.slice(0, 200)}`)
  return (JSON.parse(text) as Answered).data
}

/** Submits a form as a page of `origin` would; default: the origin of `address`. */
export const submit = (browser: Person, address: string, fields: Record<string, string>, origin?: string) =>
  browser.fetch(address, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: origin ?? new URL(address, browser.portal).origin,
      'sec-fetch-mode': 'navigate',
    },
  })
