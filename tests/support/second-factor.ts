import { Secret, TOTP } from 'otpauth'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { startFlow, exchangeCode, resolveRedirects, submitForm, type Tokens } from './provider.ts'
import type { Visitor } from './visitor.ts'

const TOTP_PERIOD_MS = 30_000

/** Returns the code that an authenticator app shows `steps` periods (30 s each) from now. */
export function generateAppCode(key: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(key), period: TOTP_PERIOD_MS / 1000, digits: 6 })
  return totp.generate({ timestamp: Date.now() + steps * TOTP_PERIOD_MS })
}

export const parseAlert = (html: string) =>
  /role="alert">(?:<svg[^]*?<\/svg>)?(?:<span>)?([^<]*)</.exec(html)?.[1]?.trim()
export const parseTicket = (html: string) => /name="ticket" value="([^"]*)"/.exec(html)?.[1]
export const parseRecoveryCodes = (html: string) =>
  [...html.matchAll(/<li>([A-Z2-7-]{19})<\/li>/g)].map(([, code = '']) => code)
export const parseTotpKey = (html: string) => /class="mono">([A-Z2-7 ]+)</.exec(html)?.[1]?.replaceAll(' ', '') ?? ''

/** Starts a sign-in and submits the password; `html` is the resulting page. */
export async function submitPassword(visitor: Visitor, env: RunEnvironment, email: string, password: string) {
  const flow = startFlow(env)
  const { url: pageUrl } = await resolveRedirects(visitor, env, flow.url)
  const answer = await submitForm(visitor, pageUrl, { email, password })
  return { visitor, flow, pageUrl, answer, html: await answer.text() }
}
export type SubmittedPassword = Awaited<ReturnType<typeof submitPassword>>

/** Follows redirects from `location` to the callback URL, exchanges the code, and returns the tokens. */
export async function finishSignIn(
  env: RunEnvironment,
  { visitor, flow, pageUrl }: SubmittedPassword,
  location: string,
): Promise<Tokens> {
  const callback = (await resolveRedirects(visitor, env, new URL(location, pageUrl))).url
  return (await (await exchangeCode(env, callback, flow.verifier)).json()) as Tokens
}
