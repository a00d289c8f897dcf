import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Env } from '../../env.ts'
import { cookieNames } from '../oidc/cookies.ts'
import type { KoaContext } from '../pages/read-form.ts'
import { SIGN_UP_LIFETIME_MS } from './sign-up-rows.ts'

/** Sign-up of a browser, stored in a signed cookie, so that no address of a page contains the email. */
export interface SignUpVisit {
  /** Token that identifies the browser that chose the password. */
  readonly browser: string
  readonly email: string
  /** Page of the portal to open after the first sign-in. */
  readonly path: string
  /** Time of the last email, ms UTC. */
  readonly sentAt: number
}

const BROWSER_TOKEN_PATTERN = /^[\w-]{22}$/
const visitDetails = v.object({ email: v.string(), path: v.string(), sentAt: v.number() })

function readCookie(env: Env, ctx: KoaContext): string[] {
  return (ctx.cookies.get(cookieNames(env.PROVIDER_ORIGIN).signUp, { signed: true }) ?? '').split('.')
}

/** Returns the browser's token; a new token if the browser has none. */
export function readBrowserToken(env: Env, ctx: KoaContext): string {
  const [token = ''] = readCookie(env, ctx)
  return BROWSER_TOKEN_PATTERN.test(token) ? token : randomBytes(16).toString('base64url')
}

export function readVisit(env: Env, ctx: KoaContext): SignUpVisit | null {
  const [browser = '', text = ''] = readCookie(env, ctx)
  if (!BROWSER_TOKEN_PATTERN.test(browser) || text === '') return null
  const details = v.safeParse(visitDetails, JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  return details.success ? { browser, ...details.output } : null
}

export function writeVisit(env: Env, ctx: KoaContext, { browser, ...details }: SignUpVisit, now: number): void {
  const value = `${browser}.${Buffer.from(JSON.stringify(details)).toString('base64url')}`
  const expires = new Date(now + SIGN_UP_LIFETIME_MS)
  const options = { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true, expires } as const
  ctx.cookies.set(cookieNames(env.PROVIDER_ORIGIN).signUp, value, options)
}
