import type { Env } from '../../env.ts'
import type { KoaContext } from '../pages/read-form.ts'
import { sendPage } from '../pages/send-page.ts'
import { SHOW_PASSWORD_PATH } from '../pages/show-password-toggle.ts'
import { SIGN_UP_SCRIPT_PATH } from './sign-up-script.ts'

/** Response of the sign-up: a page, a redirect after a form (303), or JSON for the page's script. */
export type SignUpResponse =
  | {
      readonly html: string
      readonly status?: number
      /** Value of the `Retry-After` header, seconds. */
      readonly retryAfter?: number | undefined
    }
  | { readonly location: string }
  | { readonly json: object }

export function sendSignUpResponse(env: Env, ctx: KoaContext, response: SignUpResponse): void {
  if ('html' in response) {
    const { html, status = 200, retryAfter } = response
    if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
    const scripts = [SHOW_PASSWORD_PATH, SIGN_UP_SCRIPT_PATH].map((path) => env.PROVIDER_ORIGIN + path)
    sendPage(ctx, status, html, env.PORTAL_ORIGIN, scripts.join(' '))
    return
  }
  ctx.set('Cache-Control', 'no-store')
  if ('location' in response) {
    ctx.redirect(response.location)
    ctx.status = 303
  } else ctx.body = response.json
}
