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
/** What is said of a passkey that does not sign in. */
export const REFUSED = 'This passkey opens no account here. Try again, or sign in by your password.'

/** The same address by a name: browsers make no passkeys for an IP address. */
export const atName = (origin: string) => origin.replace('127.0.0.1', 'localhost')

/** What the form for a passkey on a page asks for, and the ticket of its challenge. */
export function parsePasskeyForm<Options>(html: string): { options: Options; ticket: string } {
  const options = /data-passkey="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? 'null'
  return { options: JSON.parse(options) as Options, ticket: /name="passkey" value="([^"]*)"/.exec(html)?.[1] ?? '' }
}

/** A provider that has a name, with the demo accounts. */
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

/** For the tests of a file a provider as `openNamed` makes it, and for each of them an account of its own; `take` gets both. */
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

/** What people do there; `email` is whose account it is. */
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
  /** Adds a passkey for somebody who is signed in; `html` is what the page says then. */
  const addPasskey = async (visitor: Visitor, twist: Twist = {}, key = new Authenticator(env.PROVIDER_ORIGIN)) => {
    const { options, ticket } = parsePasskeyForm<CreationOptions>(
      await post(visitor, { step: 'begin', password: PASSWORD }),
    )
    const sent = { passkey: ticket, credential: key.create(options, twist), name: 'Phone of Pat' }
    return { key, sent, html: await post(visitor, sent) }
  }
  /** Somebody with a passkey, signed in by the password. */
  const withPasskey = async (email: string) => {
    const visitor = person()
    const tokens = await signIn(visitor, email)
    const { key } = await addPasskey(visitor)
    return { visitor, key, tokens }
  }
  return { person, page, post, admin, signIn, addPasskey, withPasskey, ...signInPages(env, person) }
}

/** Its sign-in pages. */
function signInPages(env: RunEnvironment, person: () => Visitor) {
  /** A sign-in page, and what it asks a passkey for. */
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
  /** The access token of a sign-in by a passkey. */
  const fetchAccessToken = async (key: Authenticator) => {
    const { at, answer } = await answerTo(key)
    return (await tokensAt(env, { ...at, answer, html: '' }, answer.headers.get('location') ?? '')).access_token
  }
  return { signInPage, show, answerTo, opens, tokenOf: fetchAccessToken }
}
