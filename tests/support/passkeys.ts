import { afterAll, beforeAll, beforeEach } from 'vitest'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import type { Env } from '../../provider/env.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import {
  Authenticator,
  type PasskeyCreationOptions,
  type PasskeyRequestOptions,
  type ResponseDeviation,
} from './authenticator.ts'
import { openTestDeployment } from './harness.ts'
import { addQuickAccount } from './quick-accounts.ts'
import { startFlow, resolveRedirects, submitForm } from './provider.ts'
import { finishSignIn, submitPassword } from './second-factor.ts'
import { VisitorWithAddress, type Visitor } from './visitor.ts'

export const PASSKEY_ACCOUNT_PASSWORD = 'correct horse'
/** Message that the sign-in page shows for an unknown or invalid passkey. */
export const PASSKEY_REJECTED = 'No account matches this passkey. Try again or use your password.'

/** Replaces the IP address with a hostname, because browsers create no passkeys for IP addresses. */
export const toHostNameUrl = (origin: string) => origin.replace('127.0.0.1', 'localhost')

/** Parses the passkey form of a page: its WebAuthn options, and the ticket of its challenge. */
export function parsePasskeyForm<Options>(html: string): { options: Options; ticket: string } {
  const options = /data-passkey="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? 'null'
  return { options: JSON.parse(options) as Options, ticket: /name="passkey" value="([^"]*)"/.exec(html)?.[1] ?? '' }
}

/** Starts a provider with demo accounts on a hostname, because browsers create no passkeys for IP addresses. */
export async function openPasskeyProvider() {
  const deployment = await openTestDeployment({
    seeded: true,
    change: ({ PROVIDER_ORIGIN: origin }) => ({
      TRUST_PROXY: '1',
      PROVIDER_ORIGIN: toHostNameUrl(origin),
      OIDC_ISSUER: toHostNameUrl(origin),
    }),
  })
  const { DB } = (await deployment.provider.getWorker().getEnv()) as Env
  const addAccount = (email: string) => addQuickAccount(DB, email, PASSKEY_ACCOUNT_PASSWORD)
  return {
    stage: deployment,
    env: deployment.env,
    DB,
    addAccount,
    ...createPersonHelpers(deployment.env),
    close: () => deployment.close(),
  }
}
export type PasskeyProvider = Awaited<ReturnType<typeof openPasskeyProvider>>

/**
 * Starts one provider before all tests of a file. Before each test, adds an account and passes the provider and the
 * email address of the account to `onProvider`.
 */
export function setUpPasskeyProvider(onProvider: (at: { provider: PasskeyProvider; email: string }) => void): void {
  let provider: PasskeyProvider
  let accountCount = 0
  beforeAll(async () => {
    provider = await openPasskeyProvider()
  })
  beforeEach(async () => {
    const email = `pat${(accountCount += 1)}@example.com`
    await provider.addAccount(email)
    onProvider({ provider, email })
  })
  afterAll(() => provider.close())
}

function createPersonHelpers(env: RunEnvironment) {
  const person = (address?: string) => new VisitorWithAddress(env.PORTAL_ORIGIN, address)
  const page = (path = '/account/passkeys') => new URL(path, env.PROVIDER_ORIGIN)
  const post = async (visitor: Visitor, fields: Record<string, string>, path?: string) =>
    (await submitForm(visitor, page(path), fields)).text()
  const admin = (method: string, path: string, body?: object) =>
    fetch(env.PROVIDER_ORIGIN + ADMIN_PATHS.accounts + path, {
      method,
      headers: { authorization: `Admin ${env.ADMIN_KEY}` },
      ...(body && { body: JSON.stringify(body) }),
    })
  const signIn = async (visitor: Visitor, email: string, password = PASSKEY_ACCOUNT_PASSWORD) => {
    const at = await submitPassword(visitor, env, email, password)
    return await finishSignIn(env, at, at.answer.headers.get('location') ?? '')
  }
  const addPasskey = async (
    visitor: Visitor,
    twist: ResponseDeviation = {},
    key = new Authenticator(env.PROVIDER_ORIGIN),
  ) => {
    const { options, ticket } = parsePasskeyForm<PasskeyCreationOptions>(
      await post(visitor, { step: 'begin', password: PASSKEY_ACCOUNT_PASSWORD }),
    )
    const sent = { passkey: ticket, credential: key.createCredential(options, twist), name: 'Phone of Pat' }
    return { key, sent, html: await post(visitor, sent) }
  }
  const withPasskey = async (email: string) => {
    const visitor = person()
    const tokens = await signIn(visitor, email)
    const { key } = await addPasskey(visitor)
    return { visitor, key, tokens }
  }
  return { person, page, post, admin, signIn, addPasskey, withPasskey, ...createSignInHelpers(env, person) }
}

function createSignInHelpers(env: RunEnvironment, person: () => Visitor) {
  const signInPage = async (visitor = person()) => {
    const flow = startFlow(env)
    const { url: pageUrl, answer } = await resolveRedirects(visitor, env, flow.url)
    return { visitor, flow, pageUrl, ...parsePasskeyForm<PasskeyRequestOptions>((await answer?.text()) ?? '') }
  }
  type PasskeySignInPage = Awaited<ReturnType<typeof signInPage>>
  const submitPasskey = (page: PasskeySignInPage, credential: string, ticket = page.ticket) =>
    submitForm(page.visitor, page.pageUrl, { passkey: ticket, credential })
  const signInWithPasskey = async (key: Authenticator, deviation: ResponseDeviation = {}, visitor = person()) => {
    const page = await signInPage(visitor)
    return { page, answer: await submitPasskey(page, key.createAssertion(page.options, deviation)) }
  }
  const canSignIn = async (key: Authenticator, twist: ResponseDeviation = {}) =>
    (await signInWithPasskey(key, twist)).answer.headers.has('location')
  const fetchAccessToken = async (key: Authenticator) => {
    const { page, answer } = await signInWithPasskey(key)
    return (await finishSignIn(env, { ...page, answer, html: '' }, answer.headers.get('location') ?? '')).access_token
  }
  return { signInPage, submitPasskey, signInWithPasskey, canSignIn, fetchAccessToken }
}
