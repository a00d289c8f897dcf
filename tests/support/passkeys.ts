import { afterAll, beforeAll, beforeEach } from 'vitest'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import type { Env } from '../../provider/env.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { Authenticator, type CreationOptions, type RequestOptions, type Twist } from './authenticator.ts'
import { openStage } from './harness.ts'
import { addQuickAccount } from './quick-accounts.ts'
import { startFlow, resolveRedirects, submitForm } from './provider.ts'
import { tokensAt, typePassword } from './second-factor.ts'
import { Person, type Visitor } from './visitor.ts'

export const PASSWORD = 'correct horse'
/** Message for a passkey that does not sign in. */
export const REFUSED = 'This passkey opens no account here. Try again, or sign in by your password.'

/** Replaces the IP address by a host name: browsers create no passkeys for IP addresses. */
export const atName = (origin: string) => origin.replace('127.0.0.1', 'localhost')

/** Parses the passkey form of a page: its WebAuthn options, and the ticket of its challenge. */
export function parsePasskeyForm<Options>(html: string): { options: Options; ticket: string } {
  const options = /data-passkey="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? 'null'
  return { options: JSON.parse(options) as Options, ticket: /name="passkey" value="([^"]*)"/.exec(html)?.[1] ?? '' }
}

/** Opens a provider with the demo accounts under a host name, because browsers create no passkeys for IP addresses. */
export async function openNamed() {
  const stage = await openStage({
    seeded: true,
    change: ({ PROVIDER_ORIGIN: origin }) => ({
      ...{ TRUST_PROXY: '1', PROVIDER_ORIGIN: atName(origin), OIDC_ISSUER: atName(origin) },
    }),
  })
  const { DB } = (await stage.provider.getWorker().getEnv()) as Env
  const account = (email: string) => addQuickAccount(DB, email, PASSWORD)
  return { stage, env: stage.env, DB, account, ...people(stage.env), close: () => stage.close() }
}
export type NamedProvider = Awaited<ReturnType<typeof openNamed>>

/**
 * Before all tests of a file, opens one provider with `openNamed`. Before each test, adds an account and passes both to
 * `take`.
 */
export function namedForEach(take: (at: { named: NamedProvider; email: string }) => void): void {
  let named: NamedProvider
  let number = 0
  beforeAll(async () => {
    named = await openNamed()
  })
  beforeEach(async () => {
    const email = `pat${(number += 1)}@example.com`
    await named.account(email)
    take({ named, email })
  })
  afterAll(() => named.close())
}

function people(env: RunEnvironment) {
  const person = (address?: string) => new Person(env.PORTAL_ORIGIN, address)
  const page = (path = '/account/passkeys') => new URL(path, env.PROVIDER_ORIGIN)
  const post = async (visitor: Visitor, fields: Record<string, string>, path?: string) =>
    (await submitForm(visitor, page(path), fields)).text()
  const admin = (method: string, path: string, body?: object) =>
    fetch(env.PROVIDER_ORIGIN + ADMIN_PATHS.accounts + path, {
      method,
      headers: { authorization: `Admin ${env.ADMIN_KEY}` },
      ...(body && { body: JSON.stringify(body) }),
    })
  const signIn = async (visitor: Visitor, email: string, password = PASSWORD) => {
    const at = await typePassword(visitor, env, email, password)
    return await tokensAt(env, at, at.answer.headers.get('location') ?? '')
  }
  /** Adds a passkey for a signed-in visitor; `html` is the resulting page. */
  const addPasskey = async (visitor: Visitor, twist: Twist = {}, key = new Authenticator(env.PROVIDER_ORIGIN)) => {
    const { options, ticket } = parsePasskeyForm<CreationOptions>(
      await post(visitor, { step: 'begin', password: PASSWORD }),
    )
    const sent = { passkey: ticket, credential: key.create(options, twist), name: 'Phone of Pat' }
    return { key, sent, html: await post(visitor, sent) }
  }
  const withPasskey = async (email: string) => {
    const visitor = person()
    const tokens = await signIn(visitor, email)
    const { key } = await addPasskey(visitor)
    return { visitor, key, tokens }
  }
  return { person, page, post, admin, signIn, addPasskey, withPasskey, ...signInPages(env, person) }
}

function signInPages(env: RunEnvironment, person: () => Visitor) {
  const signInPage = async (visitor = person()) => {
    const flow = startFlow(env)
    const { at, answer } = await resolveRedirects(visitor, env, flow.url)
    return { visitor, flow, at, ...parsePasskeyForm<RequestOptions>((await answer?.text()) ?? '') }
  }
  type At = Awaited<ReturnType<typeof signInPage>>
  const show = (at: At, credential: string, ticket = at.ticket) =>
    submitForm(at.visitor, at.at, { passkey: ticket, credential })
  const answerTo = async (key: Authenticator, twist: Twist = {}, visitor = person()) => {
    const at = await signInPage(visitor)
    return { at, answer: await show(at, key.get(at.options, twist)) }
  }
  const opens = async (key: Authenticator, twist: Twist = {}) =>
    (await answerTo(key, twist)).answer.headers.has('location')
  const fetchAccessToken = async (key: Authenticator) => {
    const { at, answer } = await answerTo(key)
    return (await tokensAt(env, { ...at, answer, html: '' }, answer.headers.get('location') ?? '')).access_token
  }
  return { signInPage, show, answerTo, opens, tokenOf: fetchAccessToken }
}
