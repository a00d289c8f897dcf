import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { ADMIN_PATHS, DEMO_PASSWORD } from '../../../contract/operator/operator-calls.ts'
import { formatGatewayPath, hasQueryPayload, type Call } from '../../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../../contract/wire/constants.ts'
import { callOperator } from '../../../scripts/lib/operator.ts'
import { findFreePort } from '../../../scripts/lib/ports.ts'
import type { RunEnvironment } from '../../../scripts/lib/secrets.ts'
import { startSignIn, completeSignInPage } from '../../support/sign-in-walk.ts'
import { VisitorWithAddress } from '../../support/visitor.ts'
import { startSystem, type System } from '../system.ts'

export const PASSWORD = 'a long enough password'

export interface Member {
  readonly email: string
  readonly userId: string
  readonly browser: VisitorWithAddress
}

export interface AttackEnvironment {
  readonly root: string
  readonly dataFolder: string
  readonly env: RunEnvironment
  readonly system: System
  /** Returns a signed-out browser with an IP address of its own. */
  createVisitor(): VisitorWithAddress
  /** Creates an account and, if `home` is given, a home with this name. Returns the email address. */
  createAccount(home?: string): Promise<string>
  signIn(email: string, browser?: VisitorWithAddress): Promise<Member>
  createMember(home?: string): Promise<Member>
}

/** Starts Porchlight with TRUST_PROXY, so that each browser has its own IP address and rate limits. */
export async function openAttackEnvironment(root: string, dataFolder: string): Promise<AttackEnvironment> {
  const [port, previousTrustProxy] = [await findFreePort(), process.env['TRUST_PROXY']]
  process.env['TRUST_PROXY'] = '1'
  // `startSystem` spawns the process synchronously, so TRUST_PROXY can be restored before the promise settles.
  const starting = startSystem(root, dataFolder, ['--visits', 'none'], port)
  if (previousTrustProxy === undefined) delete process.env['TRUST_PROXY']
  else process.env['TRUST_PROXY'] = previousTrustProxy
  const system = await starting
  const env = parseEnv(readFileSync(join(dataFolder, 'run.env'), 'utf8')) as unknown as RunEnvironment
  return { root, dataFolder, env, system, ...createAccountHelpers(env) }
}

function createAccountHelpers(env: RunEnvironment) {
  let accountCount = 0
  const createVisitor = () => new VisitorWithAddress(env.PORTAL_ORIGIN)
  const createAccount = async (home?: string) => {
    const email = `attacked${accountCount++}@example.com`
    await callOperator(env, 'POST', ADMIN_PATHS.accounts, { email, password: PASSWORD, ...(home && { home }) })
    return email
  }
  const signIn = async (email: string, browser = createVisitor()): Promise<Member> => {
    const password = email.startsWith('attacked') ? PASSWORD : DEMO_PASSWORD
    await browser.navigate(await completeSignInPage(browser, await startSignIn(browser, '/live'), email, password))
    const { user_id: userId } = (await (await browser.get('/api/auth/me')).json()) as { user_id?: string }
    if (userId === undefined) throw new Error(`${email} could not sign in.`)
    return { email, userId, browser }
  }
  return {
    createVisitor,
    createAccount,
    signIn,
    createMember: async (home?: string) => signIn(await createAccount(home)),
  }
}

export const getPageHeaders = (browser: VisitorWithAddress): Record<string, string> => ({
  'content-type': 'application/json',
  origin: browser.portalOrigin,
  'sec-fetch-site': 'same-origin',
  [XSRF_HEADER]: browser.getCookie(XSRF_COOKIE) ?? '',
})

export function sendCall(
  browser: VisitorWithAddress,
  call: Call,
  input: object = {},
  params: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const path = formatGatewayPath(call, params)
  if (!hasQueryPayload(call.method))
    return browser.fetch(path, { method: call.method, body: JSON.stringify(input), headers: getPageHeaders(browser) })
  const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, String(value)])).toString()
  return browser.get(query === '' ? path : `${path}?${query}`)
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are read field by field
export type CallResponse = { readonly code: number | string; readonly msg?: string; readonly data?: any }

/** Sends a call and returns the `data` of its response. Throws if the call fails. */
export async function fetchData(...args: Parameters<typeof sendCall>): Promise<NonNullable<CallResponse['data']>> {
  const answer = await sendCall(...args)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${args[1].path} returned ${answer.status}: ${text.slice(0, 200)}`)
  return (JSON.parse(text) as CallResponse).data
}

/** Submits a form as a page of `origin` would. Default origin: that of `address`. */
export const submitFormFrom = (
  browser: VisitorWithAddress,
  url: string,
  fields: Record<string, string>,
  origin?: string,
) =>
  browser.fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: origin ?? new URL(url, browser.portalOrigin).origin,
      'sec-fetch-mode': 'navigate',
    },
  })
